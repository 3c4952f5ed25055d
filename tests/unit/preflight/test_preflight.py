"""Each fault is caught and named, and vectors without one give no alarm."""

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import Bare, Other
from vestige.preflight import preflight


def only(result, name):
    (check,) = result.named(name)
    return check


def alarms(result):
    return {check.name: check.level for check in result.checks if check.level != "ok"}


def test_a_clean_store_gives_no_alarm(specimen, clean, library):
    result = preflight(specimen(clean), WordSum(), library=library)
    assert alarms(result) == {}
    assert not result.failed
    assert only(result, "encoder").evidence["median_cosine"] == pytest.approx(1)
    assert (result.rows, result.sampled, result.dimension, result.encoder) == (400, 400, 64, "word-sum")


def test_nan_is_counted_and_its_rows_named(specimen, clean, library):
    broken = clean.copy()
    broken[[17, 90, 200, 399], 3] = np.nan, np.inf, -np.inf, np.nan
    result = preflight(specimen(broken), WordSum(), library=library)
    found = only(result, "finite")
    assert found.level == "error"
    assert found.evidence == {"rows": 4, "share": 0.01}
    assert "4 of 400 vectors (1.00%)" in found.sentence
    assert "row 17, row 90, row 200." in found.sentence
    assert alarms(result) == {"finite": "error"}, "the other checks are made of the sound rows"


def test_zeros_and_numbers_that_no_encoder_makes(specimen, clean, library):
    broken = clean.copy()
    broken[5], broken[6] = 0, 1e20
    result = preflight(specimen(broken), WordSum(), library=library)
    assert alarms(result) == {"zeros": "error", "size": "error"}
    assert "row 5." in only(result, "zeros").sentence


def test_nothing_sound_is_told_and_not_divided_by(specimen, library):
    result = preflight(specimen(np.full((400, 64), np.nan, np.float32)), WordSum(), library=library)
    assert only(result, "finite").evidence["share"] == 1
    assert result.failed


@pytest.mark.parametrize("kept", ["same text", "another text", "no text"])
def test_repeated_vectors_with_or_without_their_texts(specimen, clean, texts, library, kept):
    vectors, written = clean.copy(), list(texts)
    vectors[100:120] = vectors[:20]
    if kept == "same text":
        written[100:120] = [text.upper() for text in written[:20]]
    result = preflight(
        specimen(vectors, texts=None if kept == "no text" else written),
        None if kept == "no text" else WordSum(),
        library=() if kept == "no text" else library,
    )
    found = only(result, "duplicates")
    assert found.level == "warning"
    assert found.evidence["share"] == 0.05
    said = {
        "same text": "and so do their texts",
        "another text": "20 of them with another text",
        "no text": "cannot be",
    }
    assert said[kept] in found.sentence


def test_near_duplicates_are_those_beyond_the_limit(specimen, clean):
    vectors = clean.copy()
    turned = np.random.default_rng(0).normal(size=64)
    turned -= turned @ vectors[0] * vectors[0]
    turned /= np.linalg.norm(turned)
    for row, cosine in ((200, 0.9992), (201, 0.9985)):
        vectors[row] = cosine * vectors[0] + np.sqrt(1 - cosine**2) * turned
    found = only(preflight(specimen(vectors, texts=None), library=()), "near-duplicates")
    assert found.evidence["rows"] == 3, "0 and 200, 200 and 201 (0.9998)"


def test_columns_that_never_vary(specimen, clean):
    still = clean.copy()
    still[:, 3], still[:, 9] = 0, 0.25
    found = only(preflight(specimen(still, texts=None), library=()), "columns")
    assert (found.level, found.evidence["constant"], found.evidence["zero"]) == ("note", 2, 1)
    assert ": 3, 9." in found.sentence
    still[:, 20:30] = 0
    assert only(preflight(specimen(still, texts=None), library=()), "columns").level == "warning"


def test_lengths_of_two_kinds_are_mixed(specimen, clean):
    mixed = clean.copy()
    mixed[300:] *= 7
    found = only(preflight(specimen(mixed, texts=None), library=()), "lengths")
    assert found.level == "warning"
    assert "75.0% of the vectors have unit length, and the others lengths around 7" in found.sentence


def test_a_few_lengths_that_stand_out(specimen, clean):
    mixed = clean.copy()
    mixed[7] *= 5
    found = only(preflight(specimen(mixed, texts=None), library=()), "lengths")
    assert (found.level, found.evidence["unit"]) == ("warning", 1 - 1 / 400)


def test_lengths_that_pass_through_one_are_not_mixed(specimen, clean):
    lengths = np.linspace(0.99, 1.01, 400, dtype=np.float32)[:, None]
    assert only(preflight(specimen(clean * lengths, texts=None), library=()), "lengths").level == "ok"


def test_a_collapsed_cloud(specimen, clean):
    found = only(preflight(specimen(clean + 9, texts=None), library=()), "spread")
    assert found.level == "warning"
    assert found.evidence["mean_cosine"] > 0.99


def test_no_cosine_is_less_than_nought_by_nothing(specimen, clean):
    centred = np.concatenate([clean[:200], -clean[:200]])
    found = only(preflight(specimen(centred, texts=None), library=()), "spread")
    assert -0.005 < found.evidence["mean_cosine"] < 0
    assert "a cosine of 0.00 on average" in found.sentence


def test_no_normalisation(specimen, texts, library):
    result = preflight(specimen(Bare().encode(texts)), WordSum(), library=library)
    assert alarms(result) == {"normalisation": "warning"}
    assert "brings vectors to unit length, and these were not." in only(result, "normalisation").sentence


def test_a_scale_is_told_with_its_factor(specimen, clean, library):
    found = only(preflight(specimen(clean * 3), WordSum(), library=library), "normalisation")
    assert "each is 3 times as long" in found.sentence


def test_unit_length_where_the_encoder_gives_none_is_a_note(specimen, clean, library):
    assert alarms(preflight(specimen(clean), Bare(), library=library)) == {"normalisation": "note"}


@pytest.mark.parametrize("prefix", ["query: ", "search_document: "])
def test_a_missing_prefix(specimen, texts, library, prefix):
    result = preflight(specimen(WordSum().encode([prefix + text for text in texts])), WordSum(), library=library)
    assert alarms(result) == {"encoder": "error"}
    assert f"just that when each text comes after '{prefix}'" in only(result, "encoder").sentence


def test_a_prefix_too_many(specimen, texts, clean, library):
    written = [f"passage: {text}" for text in texts]
    found = only(preflight(specimen(clean, texts=written), WordSum(), library=library), "encoder")
    assert "when 'passage: ' is taken off each text" in found.sentence


def test_the_wrong_model_of_the_same_dimension_is_named(specimen, texts, library):
    found = only(preflight(specimen(Other().encode(texts)), WordSum(), library=library), "encoder")
    assert found.level == "error"
    assert "but what 'other' makes" in found.sentence


def test_vectors_of_nobody_known(specimen, library):
    noise = np.random.default_rng(0).normal(size=(400, 64)).astype(np.float32)
    found = only(preflight(specimen(noise), WordSum(), library=library), "encoder")
    assert found.level == "error"
    assert "nor in any other way that was tried" in found.sentence


@pytest.mark.parametrize(("order", "how"), [("mixed", "in no steady order"), ("shifted", "each 1 row on")])
def test_shuffled_rows(specimen, clean, library, order, how):
    rows = np.random.default_rng(1).permutation(400) if order == "mixed" else (np.arange(400) - 1) % 400
    result = preflight(specimen(clean[rows]), WordSum(), library=library)
    assert alarms(result) == {"order": "error"}
    assert "The rows are shuffled" in only(result, "order").sentence
    assert how in only(result, "order").sentence


def test_some_texts_that_changed_since(specimen, texts, clean, library):
    written = [f"{text} kakax lolox" if row % 4 == 0 else text for row, text in enumerate(texts)]
    result = preflight(specimen(clean, texts=written), WordSum(), library=library)
    assert alarms(result) == {"encoder": "warning"}
    assert "texts changed since they were encoded" in only(result, "encoder").sentence


def test_the_first_dimensions_alone(specimen, clean, library):
    found = only(preflight(specimen(clean[:, :40]), WordSum(), library=library), "encoder")
    assert found.level == "error"
    assert "the first 40 of the 64 dimensions" in found.sentence


def test_another_dimension(specimen, clean, library):
    wide = np.hstack([clean, clean])
    found = only(preflight(specimen(wide), WordSum(), library=library), "encoder")
    assert "have 128 dimensions, and 'word-sum' gives 64" in found.sentence


@pytest.mark.parametrize(
    ("form", "keep", "said"),
    [
        ("float16", lambda v: v.astype(np.float16), "in half precision"),
        ("float32", lambda v: v.astype(np.float16), "in half precision"),
        ("float32", lambda v: (v.view(np.uint32) & 0xFFFF0000).view(np.float32), "in half precision"),
        ("int8", lambda v: np.rint(v * 200), "as whole numbers of one byte"),
        ("binary", lambda v: v > 0, "as one bit each"),
        ("PQ8x4", lambda v: np.round(v, 1) + 0.013, "by a code that only comes near them"),
    ],
)
def test_coarse_forms_are_named_and_the_encoder_known_all_the_same(specimen, clean, library, form, keep, said):
    result = preflight(specimen(keep(clean).astype(np.float32), form=form), WordSum(), library=library)
    assert said in only(result, "form").sentence
    assert only(result, "form").level == "note"
    assert only(result, "encoder").level in ("ok", "note")
    assert not result.failed


def test_an_encoder_that_computed_in_half_precision(specimen, clean, library):
    near = clean * (1 + 0.01 * np.random.default_rng(0).normal(size=clean.shape).astype(np.float32))
    result = preflight(specimen(near / np.linalg.norm(near, axis=1, keepdims=True)), WordSum(), library=library)
    assert alarms(result) == {"encoder": "note"}
    assert "as where it computed in half precision" in only(result, "encoder").sentence


def test_whoever_made_them_is_told_where_no_encoder_is_named(specimen, texts, library):
    told = only(preflight(specimen(Other().encode(texts)), library=library), "maker")
    assert told.sentence.startswith("'other' made the vectors")


def test_no_encoder_of_such_vectors_is_installed(specimen, clean, library):
    told = only(preflight(specimen(clean[:, :7]), library=library), "maker")
    assert told.level == "note"
    assert "gives vectors of 7 dimensions" in told.sentence


def test_without_texts_statistics_tell(specimen, texts, clean, library, monkeypatch, corpus):
    monkeypatch.setattr("vestige.preflight.maker.load_corpus", lambda _: corpus)
    monkeypatch.setattr("vestige.preflight.maker.TEXTS", 160)
    assert "'word-sum' made" in only(preflight(specimen(clean, texts=None), library=library), "maker").sentence
    named = only(preflight(specimen(clean, texts=None), WordSum(), library=library), "encoder")
    assert named.level == "ok"
    wrong = only(preflight(specimen(Other().encode(texts), texts=None), WordSum(), library=library), "encoder")
    assert (wrong.level, "'other' made the vectors" in wrong.sentence) == ("warning", True)
    noise = np.abs(np.random.default_rng(0).normal(size=(400, 64))).astype(np.float32)
    assert only(preflight(specimen(noise, texts=None), WordSum(), library=library), "encoder").level == "warning"


def test_the_same_seed_gives_the_same_record(specimen, clean, library):
    first, second = (preflight(specimen(clean), WordSum(), library=library) for _ in range(2))
    assert first == second
