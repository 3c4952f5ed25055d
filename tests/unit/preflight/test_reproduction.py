import numpy as np

from tests.conftest import WordSum
from tests.unit.preflight.conftest import Other, get_check, list_alarms
from vestige.preflight import check_vectors


def test_the_wrong_model_of_the_same_dimension_is_named(make_sample, texts, library):
    check = get_check(check_vectors(make_sample(Other().encode(texts)), WordSum(), library=library), "encoder")
    assert check.level == "error"
    assert "but 'other' does" in check.sentence


def test_vectors_of_no_known_encoder(make_sample, library):
    noise = np.random.default_rng(0).normal(size=(400, 64)).astype(np.float32)
    check = get_check(check_vectors(make_sample(noise), WordSum(), library=library), "encoder")
    assert check.level == "error"
    assert "neither does any known variant of it" in check.sentence


def test_texts_that_changed_after_encoding(make_sample, texts, clean, library):
    written = [f"{text} kakax lolox" if row % 4 == 0 else text for row, text in enumerate(texts)]
    result = check_vectors(make_sample(clean, texts=written), WordSum(), library=library)
    assert list_alarms(result) == {"encoder": "warning"}
    assert "The texts changed after they were encoded" in get_check(result, "encoder").sentence


def test_truncated_vectors(make_sample, clean, library):
    check = get_check(check_vectors(make_sample(clean[:, :40]), WordSum(), library=library), "encoder")
    assert check.level == "error"
    assert "the first 40 of the 64 dimensions" in check.sentence


def test_another_dimension(make_sample, clean, library):
    wide = np.hstack([clean, clean])
    check = get_check(check_vectors(make_sample(wide), WordSum(), library=library), "encoder")
    assert "have 128 dimensions, but 'word-sum' gives 64" in check.sentence


def test_an_encoder_that_computed_in_half_precision(make_sample, clean, library):
    near = clean * (1 + 0.01 * np.random.default_rng(0).normal(size=clean.shape).astype(np.float32))
    result = check_vectors(make_sample(near / np.linalg.norm(near, axis=1, keepdims=True)), WordSum(), library=library)
    assert list_alarms(result) == {"encoder": "note"}
    assert "typical of an encoder that computed in half precision" in get_check(result, "encoder").sentence
