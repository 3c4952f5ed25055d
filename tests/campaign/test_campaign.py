"""The short campaign: fixed seeds, a few of each kind. `make campaign` runs the long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaign.__main__ import KINDS
from tests.campaign.bad_inputs import list_bad_inputs, list_commands, prepare
from tests.campaign.trials import Ended

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


def test_a_fault_is_recognized():
    """The positive control: what the campaign looks for is found."""
    assert Ended(-11, "", "").find_fault(0) == "crash by signal 11"
    assert Ended(-14, "", "").find_fault(0) == "hang"
    assert "traceback" in Ended(1, "", "Traceback (most recent call last)\n x\nE: y").find_fault(1)
    assert Ended(2, "", "\x1b[2J").find_fault(2) == "control characters reached the terminal"
    assert "exit code 1" in Ended(1, "", "").find_fault(2)
    assert Ended(2, "", "error: x").find_fault(2) is None


def test_there_are_enough_bad_inputs_for_every_command(tmp_path):
    prepare(tmp_path)
    found = [arguments for _, arguments in list_bad_inputs(tmp_path)]
    assert len(found) >= 450
    for command in list_commands():
        wrong = [each for each in found if each[: len(command.split())] == command.split()]
        assert len(wrong) >= 2, f"{command} has no bad inputs of its own"


@pytest.mark.parametrize("kind", KINDS)
def test_trials_of_a_kind_are_survived(kind):
    """Trials are forks, so the process that forks must be a small one: that of the tests has threads and memory."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.campaign", kind, "--short"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "tried" in ended.stdout
