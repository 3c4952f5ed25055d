import numpy as np

from tests.conftest import WordSum
from tests.unit.preflight.conftest import Bare, get_check, list_alarms
from vestige.preflight import check_vectors


def test_lengths_of_two_kinds_are_mixed(make_sample, clean):
    mixed = clean.copy()
    mixed[300:] *= 7
    check = get_check(check_vectors(make_sample(mixed, texts=None), library=()), "lengths")
    assert check.level == "warning"
    assert "75.0% of the vectors have unit length, and the others lengths around 7" in check.sentence


def test_a_single_other_length_is_a_warning(make_sample, clean):
    mixed = clean.copy()
    mixed[7] *= 5
    check = get_check(check_vectors(make_sample(mixed, texts=None), library=()), "lengths")
    assert (check.level, check.evidence["unit"]) == ("warning", 1 - 1 / 400)


def test_lengths_that_pass_through_one_are_not_mixed(make_sample, clean):
    lengths = np.linspace(0.99, 1.01, 400, dtype=np.float32)[:, None]
    assert get_check(check_vectors(make_sample(clean * lengths, texts=None), library=()), "lengths").level == "ok"


def test_vectors_that_were_not_normalised(make_sample, texts, library):
    result = check_vectors(make_sample(Bare().encode(texts)), WordSum(), library=library)
    assert list_alarms(result) == {"normalisation": "warning"}
    assert "normalises vectors to unit length, and these are not." in get_check(result, "normalisation").sentence


def test_a_scale_is_reported_with_its_factor(make_sample, clean, library):
    check = get_check(check_vectors(make_sample(clean * 3), WordSum(), library=library), "normalisation")
    assert "each vector is 3 times as long" in check.sentence


def test_unit_length_where_the_encoder_gives_none_is_a_note(make_sample, clean, library):
    assert list_alarms(check_vectors(make_sample(clean), Bare(), library=library)) == {"normalisation": "note"}
