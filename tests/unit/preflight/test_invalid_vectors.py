import numpy as np

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check, list_alarms
from vestige.preflight import check_vectors


def test_nan_is_counted_and_its_rows_named(make_sample, clean, library):
    broken = clean.copy()
    broken[[17, 90, 200, 399], 3] = np.nan, np.inf, -np.inf, np.nan
    result = check_vectors(make_sample(broken), WordSum(), library=library)
    check = get_check(result, "finite")
    assert check.level == "error"
    assert check.evidence == {"rows": 4, "share": 0.01}
    assert "4 of 400 vectors (1.00%)" in check.sentence
    assert "row 17, row 90, row 200." in check.sentence
    assert list_alarms(result) == {"finite": "error"}, "the other checks are made of the sound rows"


def test_zeros_and_implausible_numbers_are_errors(make_sample, clean, library):
    broken = clean.copy()
    broken[5], broken[6] = 0, 1e20
    result = check_vectors(make_sample(broken), WordSum(), library=library)
    assert list_alarms(result) == {"zeros": "error", "size": "error"}
    assert "row 5." in get_check(result, "zeros").sentence


def test_a_sample_without_a_valid_vector_is_an_error(make_sample, library):
    result = check_vectors(make_sample(np.full((400, 64), np.nan, np.float32)), WordSum(), library=library)
    assert get_check(result, "finite").evidence["share"] == 1
    assert result.failed
