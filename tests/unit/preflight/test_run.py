import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check, list_alarms
from vestige.case.inputs import Inputs
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.preflight import check_vectors, run_preflight
from vestige.types import silent


def test_a_clean_store_gives_no_alarm(make_sample, clean, library):
    result = check_vectors(make_sample(clean), WordSum(), library=library)
    assert list_alarms(result) == {}
    assert not result.failed
    assert get_check(result, "encoder").evidence["median_cosine"] == pytest.approx(1)
    assert (result.rows, result.sampled, result.dimension, result.encoder) == (400, 400, 64, "word-sum")


def test_the_same_seed_gives_the_same_record(make_sample, clean, library):
    first, second = (check_vectors(make_sample(clean), WordSum(), library=library) for _ in range(2))
    assert first == second


def make_inputs(sample):
    return Inputs(None, None, WordSum(), None, sample=sample)


def test_an_audit_without_stored_vectors_has_no_preflight():
    assert run_preflight(make_inputs(None), Settings(), send=False, progress=silent) is None


def test_an_error_ends_the_audit_and_names_the_command_that_shows_more(make_sample, clean, library, monkeypatch):
    monkeypatch.setattr("vestige.preflight.run.list_public_encoders", lambda: library)
    assert list_alarms(run_preflight(make_inputs(make_sample(clean)), Settings(), send=False, progress=silent)) == {}
    broken = np.where(np.arange(len(clean))[:, None] == 7, np.float32(np.nan), clean)
    with pytest.raises(InputError, match=r"v.npy: 1 of 400 vectors .* row 7\..*`vestige check`"):
        run_preflight(make_inputs(make_sample(broken)), Settings(), send=False, progress=silent)


def test_every_stage_that_may_be_long_is_shown(make_sample, clean, library):
    stages = []

    def progress(task, _total):
        stages.append(task)
        return lambda _steps: None

    noise = np.random.default_rng(0).normal(size=clean.shape).astype(np.float32)
    check_vectors(make_sample(noise), WordSum(), library=library, progress=progress)
    assert stages[0] == "checking"
    assert "trying other ways to call word-sum" in stages
    assert "comparing with the installed encoders" in stages
