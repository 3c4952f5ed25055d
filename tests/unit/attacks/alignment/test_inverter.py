"""Words from vectors under a secret rotation, without a pair."""

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.attacks.alignment.inverter import AlignmentInverter
from vestige.attacks.priors import FixedWords
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def sides():
    texts = toy_corpus(600, seed=2).texts
    vectors = WordSum().encode(texts)
    return texts[:300], vectors[:300], texts[300:], vectors[300:]


def f1(guesses, texts):
    return word_recovery(guesses.sets, [content_words(text) for text in texts]).f1.mean()


@pytest.mark.slow
def test_words_are_recovered_from_known_pairs_and_not_from_unrelated_ones(sides):
    own, vectors, texts, raw = sides
    stolen = make_defense("rotation").fit(raw, rng=np.random.default_rng(0)).transform(raw)
    pairs = stolen[-70:], raw[-70:]
    found, control = (
        AlignmentInverter().fit(vectors, own, victims=stolen, known=known, rng=np.random.default_rng(0))
        for known in (pairs, (pairs[0], pairs[1][::-1]))
    )
    guessed = f1(FixedWords().fit(own).infer(stolen[:200]), texts[:200])
    assert f1(found.infer(stolen[:200]), texts[:200]) > guessed + 0.2
    assert f1(control.infer(stolen[:200]), texts[:200]) < f1(found.infer(stolen[:200]), texts[:200]) - 0.1


def test_without_stolen_vectors_there_is_nothing_to_align(sides):
    own, vectors, *_ = sides
    with pytest.raises(InputError, match="no stolen vectors"):
        AlignmentInverter().fit(vectors, own, victims=vectors[:0], rng=np.random.default_rng(0))
