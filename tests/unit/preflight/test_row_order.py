import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check, list_alarms
from vestige.preflight import check_vectors


@pytest.mark.parametrize(("order", "how"), [("mixed", "in no regular order"), ("shifted", "each 1 row further on")])
def test_shuffled_rows(make_sample, clean, library, order, how):
    rows = np.random.default_rng(1).permutation(400) if order == "mixed" else (np.arange(400) - 1) % 400
    result = check_vectors(make_sample(clean[rows]), WordSum(), library=library)
    assert list_alarms(result) == {"order": "error"}
    assert "The rows are shuffled" in get_check(result, "order").sentence
    assert how in get_check(result, "order").sentence
