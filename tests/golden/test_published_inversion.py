"""Equations 5 and 7 of Song and Raghunathan 2020 on encoders whose solution is known by hand.

They separate an attack that is broken from an encoder that loses the words.
"""

import numpy as np
import pytest
import torch

from vestige.attacks.relaxed import RelaxedInverter
from vestige.attacks.sparse import SparseInverter

WORDS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibex", "jay", "koi", "lynx")
LONGEST = 5
PENALTY = 0.1


class Mean:
    """An encoder of twelve orthogonal words, whose vector is their mean."""

    layers = 1
    words = WORDS
    word_matrix = torch.eye(len(WORDS))

    def word_ids(self, text):
        return [WORDS.index(word) for word in text.split()]

    def embed(self, word_vectors, **_):
        return word_vectors.mean(dim=1)

    def encode(self, texts):
        return np.concatenate([self.embed(self.word_matrix[self.word_ids(text)][None]).numpy() for text in texts])


class InOrder(Mean):
    """The same words, one after the other; the places of shorter texts are zero."""

    def embed(self, word_vectors, **_):
        texts, places, width = word_vectors.shape
        return torch.nn.functional.pad(word_vectors.reshape(texts, -1), (0, (LONGEST - places) * width))


def draw_texts(count, length, *, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, length, replace=False)) for _ in range(count)]


@pytest.mark.parametrize("length", [1, 3, LONGEST])
def test_relaxation_finds_every_word_where_the_vector_determines_the_words(length):
    """Equation 5 at the published rate and temperature: the objective is zero at the true words and nowhere else."""
    box, texts = InOrder(), draw_texts(6, length, seed=length)
    attack = RelaxedInverter(recipe="paper", guess="pieces").fit(box=box, rng=np.random.default_rng(0))
    found = attack.infer(box.encode(texts), lengths=[length] * len(texts))
    assert found.sets == [frozenset(text.split()) for text in texts]
    assert found.log.converged


def test_relaxation_cannot_tell_a_mixture_from_words_where_the_vector_is_a_mean():
    """The mean of the mixtures equals the mean of the words: a descent that converged need not name the words."""
    box, texts = Mean(), draw_texts(6, LONGEST, seed=0)
    attack = RelaxedInverter(recipe="paper", guess="pieces").fit(box=box, rng=np.random.default_rng(0))
    found = attack.infer(box.encode(texts), lengths=[LONGEST] * len(texts))
    assert found.log.converged
    assert found.log.curve[-1][1] < 0.01 * found.log.curve[0][1]
    assert min(chance for ranked in found.ranked for _, chance in ranked[:LONGEST]) < 0.9


def test_sparse_coding_gives_each_word_its_share_less_half_the_penalty():
    """Equation 7 with orthogonal words: z = max(0, share - penalty / 2), by hand."""
    box, texts = Mean(), draw_texts(200, 4, seed=1)
    attack = SparseInverter(recipe="paper", guess="pieces", penalty=PENALTY, threshold=0.01)
    attack.fit(box.encode(texts), texts, box=box, rng=np.random.default_rng(0))
    one_twice = "ant ant bee cat"
    found = attack.infer(box.encode([one_twice, "jay koi"]))
    assert found.sets == [frozenset(("ant", "bee", "cat")), frozenset(("jay", "koi"))]
    assert dict(found.ranked[0])["ant"] == pytest.approx(2 / 4 - PENALTY / 2, abs=0.01)
    assert dict(found.ranked[0])["bee"] == pytest.approx(1 / 4 - PENALTY / 2, abs=0.01)
    assert dict(found.ranked[1])["jay"] == pytest.approx(1 / 2 - PENALTY / 2, abs=0.01)
    assert found.log.converged


def test_sparse_coding_loses_words_where_the_encoder_has_too_few_dimensions():
    """The same texts through four random directions: twelve words no longer fit, although the map M is exact."""
    box, texts = Mean(), draw_texts(200, 4, seed=1)
    few = Mean()
    few.word_matrix = torch.nn.functional.normalize(
        torch.randn(len(WORDS), 4, generator=torch.Generator().manual_seed(0)), dim=1
    )

    def share_right(box):
        attack = SparseInverter(recipe="paper", guess="pieces", penalty=PENALTY, threshold=0.01)
        attack.fit(box.encode(texts), texts, box=box, rng=np.random.default_rng(0))
        sets = attack.infer(box.encode(texts)).sets
        return np.mean([guessed == frozenset(text.split()) for guessed, text in zip(sets, texts, strict=True)])

    assert share_right(box) == 1
    assert share_right(few) < 0.5
