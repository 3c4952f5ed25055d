"""The short campaign: fixed seeds, a few of each kind. `make campaign` runs the long one."""

import pytest

from tests.campaign.__main__ import load_libraries
from tests.campaign.bad_inputs import list_bad_inputs, prepare, run_bad_inputs
from tests.campaign.formats import list_formats
from tests.campaign.interruptions import prepare as prepare_commands
from tests.campaign.interruptions import run_kills, run_signals
from tests.campaign.malicious import run_malicious
from tests.campaign.mutations import run_mutations
from tests.campaign.resources import run_full_disks
from tests.campaign.trials import Ended, Tally

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def libraries():
    load_libraries()


@pytest.fixture
def tally():
    counted = Tally()
    yield counted
    assert counted.faults == []


def test_a_fault_is_recognized():
    """The positive control: what the campaign looks for is found."""
    assert Ended(-11, "", "").find_fault(0) == "crash by signal 11"
    assert Ended(-14, "", "").find_fault(0) == "hang"
    assert "traceback" in Ended(1, "", "Traceback (most recent call last)\n x\nE: y").find_fault(1)
    assert Ended(2, "", "\x1b[2J").find_fault(2) == "control characters reached the terminal"
    assert "exit code 1" in Ended(1, "", "").find_fault(2)
    assert Ended(2, "", "error: x").find_fault(2) is None


def test_there_are_enough_bad_inputs(tmp_path):
    prepare(tmp_path)
    assert len(list(list_bad_inputs(tmp_path))) >= 450


def test_bad_input_is_refused(tmp_path, tally):
    run_bad_inputs(tmp_path, tally, every=12)


def test_mutations_are_read_right_or_refused(tmp_path, tally):
    run_mutations(list_formats(databases=False), tmp_path, 25, 1, tally)


def test_malicious_files_do_no_harm(tmp_path, tally):
    run_malicious(tmp_path, tally, every=4)


def test_killed_commands_resume_and_stopped_ones_say_so(tmp_path, tally):
    run_kills(tmp_path, tally, 1, 2)
    run_signals(tmp_path, tally, 4, 2)


def test_files_of_a_result_appear_together_on_a_full_disk(tmp_path, tally):
    prepare_commands(tmp_path)
    run_full_disks(tmp_path, tally, limits=(1000, 20_000))
