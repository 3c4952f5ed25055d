"""Composed texts: words of the vector, in the order of the language, without a query."""

import numpy as np
import pytest

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.guided import composed
from vestige.attacks.guided.composed import ComposedInverter
from vestige.attacks.guided.composing import Style, compose
from vestige.attacks.guided.lexicon import BigramModel, Palette
from vestige.attacks.priors import FixedText
from vestige.errors import NotFitted
from vestige.metrics.text_recovery import text_recovery

NUMBERS = np.array([4, 0, 1, 2, 3])
PALETTE = Palette(NUMBERS, np.zeros((5, 1), np.float32), BigramModel([(0, 1, 2), (3, 1, 0)] * 9, 4).table(NUMBERS))


def test_likely_words_are_written_in_a_likely_order():
    assert compose(PALETTE, np.array([0, 3, 3, 3, -9.0]), Style(1, 1), 9) == (1, 2, 3)
    assert compose(PALETTE, np.array([0, 3, 3, -9.0, 3]), Style(1, 1), 9) == (4, 2, 1)


def test_the_worth_of_a_word_sets_the_length():
    evidence = np.zeros(5)
    lengths = [len(compose(PALETTE, evidence, Style(1, per_word), 9)) for per_word in (-9, 0.5, 9)]
    assert lengths[0] == 1
    assert lengths[2] == 9
    assert lengths == sorted(lengths)


@pytest.fixture(autouse=True)
def few_styles(monkeypatch):
    monkeypatch.setattr(composed, "STYLES", (Style(0.7, 2.5), Style(0.7, 3.5)))


@pytest.fixture(scope="module")
def language():
    texts, encoder = sentences(), OrderedSum()
    return encoder.encode(texts), texts


def test_it_writes_more_than_a_fixed_text_and_nothing_of_shuffled_pairs(language):
    vectors, texts = language
    known, truth = texts[24:], texts[:24]
    fixed = FixedText().fit(known, rng=np.random.default_rng(0)).infer(vectors[:24]).texts
    shuffled = np.random.default_rng(0).permutation(vectors[24:])
    attack, control = (
        ComposedInverter().fit(each, known, rng=np.random.default_rng(0)).infer(vectors[:24]).texts
        for each in (vectors[24:], shuffled)
    )
    scores = [text_recovery(each, truth).rouge_l.mean() for each in (attack, fixed, control)]
    assert scores[0] > scores[1] + 0.1
    assert scores[0] > scores[2] + 0.1


def test_a_guess_depends_on_its_own_vector_alone(language):
    vectors, texts = language
    attack = ComposedInverter().fit(vectors[24:], texts[24:], rng=np.random.default_rng(0))
    together = attack.infer(vectors[:3]).texts
    assert attack.infer(3 * vectors[2:3]).texts == together[2:]
    assert attack.infer(vectors[:0]).texts == []


def test_it_has_to_be_fitted():
    with pytest.raises(NotFitted, match="before fit"):
        ComposedInverter().infer(np.ones((1, 3), np.float32))
