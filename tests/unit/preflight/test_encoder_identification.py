import numpy as np

from tests.conftest import WordSum
from tests.unit.preflight.conftest import Other, get_check
from vestige.preflight import check_vectors


def test_the_encoder_is_identified_by_encoding_the_texts(make_sample, texts, library):
    check = get_check(check_vectors(make_sample(Other().encode(texts)), library=library), "maker")
    assert check.sentence.startswith("'other' made the vectors")


def test_no_installed_encoder_has_this_dimension(make_sample, clean, library):
    check = get_check(check_vectors(make_sample(clean[:, :7]), library=library), "maker")
    assert check.level == "note"
    assert "gives vectors of 7 dimensions" in check.sentence


def test_the_encoder_is_identified_by_statistics_without_texts(make_sample, texts, clean, library, monkeypatch, corpus):
    monkeypatch.setattr("vestige.preflight.encoder_identification.load_corpus", lambda _: corpus)
    monkeypatch.setattr("vestige.preflight.encoder_identification.TEXTS", 160)

    def check(vectors, encoder, name):
        return get_check(check_vectors(make_sample(vectors, texts=None), encoder, library=library), name)

    assert "'word-sum' made" in check(clean, None, "maker").sentence
    assert check(clean, WordSum(), "encoder").level == "ok"
    wrong = check(Other().encode(texts), WordSum(), "encoder")
    assert (wrong.level, "'other' made the vectors" in wrong.sentence) == ("warning", True)
    noise = np.abs(np.random.default_rng(0).normal(size=(400, 64))).astype(np.float32)
    assert check(noise, WordSum(), "encoder").level == "warning"


def test_the_bar_is_full_when_the_encoder_was_found_before_the_last(make_sample, texts, library):
    done = []

    def progress(task, total):
        if task.startswith("comparing"):
            done.append(-total)
        return done.append if task.startswith("comparing") else lambda _steps: None

    check_vectors(make_sample(WordSum().encode(texts)), library=library, progress=progress)
    assert len(library) > 1
    assert sum(done) == 0
    assert 0 not in done
