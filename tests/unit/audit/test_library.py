"""Which encoders are asked when vectors without a name are to be put down to one."""

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
    monkeypatch.setattr(encoder_fingerprint, "ready_made", lambda: ("word-sum",))
    return made


def test_encoders_of_other_columns_are_not_asked(encoders):
    guess = encoder_fingerprint.fingerprint(WordSum().encode(["bacox badux bafex"] * 20), ["wide"])
    assert guess.candidates == ("word-sum",)
    assert encoders["word-sum"].calls
    assert not encoders["wide"].calls


def test_vectors_of_columns_that_nobody_gives_are_of_none(encoders):
    guess = encoder_fingerprint.fingerprint(WordSum().encode(["bacox"] * 20)[:, :7], ["wide"])
    assert guess.name is None
    assert "7 columns rule out every candidate" in guess.reasons[0]
    assert encoders["wide"].calls
