import numpy as np

from tests.unit.preflight.conftest import get_check
from vestige.preflight import check_vectors


def test_constant_columns_are_counted(make_sample, clean):
    still = clean.copy()
    still[:, 3], still[:, 9] = 0, 0.25
    check = get_check(check_vectors(make_sample(still, texts=None), library=()), "columns")
    assert (check.level, check.evidence["constant"], check.evidence["zero"]) == ("note", 2, 1)
    assert ": 3, 9." in check.sentence
    still[:, 20:30] = 0
    assert get_check(check_vectors(make_sample(still, texts=None), library=()), "columns").level == "warning"


def test_vectors_that_hardly_differ_are_a_warning(make_sample, clean):
    check = get_check(check_vectors(make_sample(clean + 9, texts=None), library=()), "spread")
    assert check.level == "warning"
    assert check.evidence["mean_cosine"] > 0.99


def test_a_mean_cosine_near_zero_has_no_minus_sign(make_sample, clean):
    centred = np.concatenate([clean[:200], -clean[:200]])
    check = get_check(check_vectors(make_sample(centred, texts=None), library=()), "spread")
    assert -0.005 < check.evidence["mean_cosine"] < 0
    assert "The mean cosine of two vectors is 0.00" in check.sentence
