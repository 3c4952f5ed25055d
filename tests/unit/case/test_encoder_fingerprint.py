"""Which encoders are compared when the encoder of vectors is to be identified."""

import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.case import encoder_fingerprint


class Wide(WordSum):
    name = identity = "wide"
    dimension = 96


@pytest.fixture
def encoders(monkeypatch):
    made = {"word-sum": WordSum(), "wide": Wide()}
    monkeypatch.setattr(encoder_fingerprint, "load_encoder", made.__getitem__)
    monkeypatch.setattr(encoder_fingerprint, "load_corpus", lambda _name: toy_corpus(400, seed=1))
    monkeypatch.setattr(encoder_fingerprint, "list_public_encoders", lambda: ("word-sum",))
    return made


def test_encoders_with_other_columns_are_not_queried(encoders):
    guess = encoder_fingerprint.fingerprint(WordSum().encode(["bacox badux bafex"] * 20), ["wide"])
    assert guess.candidates == ("word-sum",)
    assert encoders["word-sum"].calls
    assert not encoders["wide"].calls


def test_vectors_with_columns_that_no_encoder_gives_are_of_none_and_nothing_is_queried(encoders):
    guess = encoder_fingerprint.fingerprint(WordSum().encode(["bacox"] * 20)[:, :7], ["wide"])
    assert guess.name is None
    assert guess.reasons == ("7 columns rule out every candidate (columns: 64: word-sum; 96: wide).",)
    assert not encoders["wide"].calls
    assert not encoders["word-sum"].calls


def test_loading_and_encoding_are_shown(encoders):
    stages = {}

    def progress(task, total):
        stages[task] = total
        return lambda _steps: None

    encoder_fingerprint.fingerprint(
        encoders["word-sum"].encode(["bacox badux bafex"] * 20), ["wide"], progress=progress
    )
    assert stages["loading encoders"] == 2
