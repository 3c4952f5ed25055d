"""What every attack on words must keep, whatever its algorithm."""

import inspect

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.toy_box import ToyBox
from vestige.attacks.catalogue import ATTACKS
from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.fixed_text import FixedText
from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.guided import GuidedInverter
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.nearest_text import NearestText
from vestige.attacks.relaxed import RelaxedInverter
from vestige.attacks.sparse import SparseInverter
from vestige.errors import NotFitted
from vestige.types import TextGuesses, WordGuesses


class _Prior(FixedWords):
    def fit(self, _vectors, texts, *, rng=None, progress=None):  # noqa: ARG002
        return super().fit(texts)


class _Sparse(SparseInverter):
    def fit(self, vectors, texts, **given):
        return super().fit(vectors, texts, box=ToyBox(), **given)


class _Relaxed(RelaxedInverter):
    def fit(self, vectors, texts, **given):
        return super().fit(vectors, texts, box=ToyBox(), **given)


GUESSERS = {
    "multilabel": MultiLabelInverter,
    "multilabel, paper recipe": lambda: MultiLabelInverter(recipe="paper"),
    "multiset": MultiSetInverter,
    "multiset, Song's recipe": lambda: MultiSetInverter(recipe="song", epochs=1),
    "multiset, Corò's recipe": lambda: MultiSetInverter(recipe="coro", epochs=1),
    "sparse": _Sparse,
    "sparse, paper recipe": lambda: _Sparse(recipe="paper", steps=30),
    "relaxed": lambda: _Relaxed(steps=10),
    "relaxed, paper recipe": lambda: _Relaxed(recipe="paper", steps=5),
    "fixed-words": _Prior,
}


class _Guided(GuidedInverter):
    def fit(self, vectors, texts, *, rng=None):  # noqa: ARG002
        return super().fit(vectors, texts, encoder=WordSum())


class _Nearest(NearestText):
    def fit(self, vectors, texts, *, rng=None):  # noqa: ARG002
        return super().fit(vectors, texts)


class _FixedText(FixedText):
    def fit(self, _vectors, texts, *, rng):
        return super().fit(texts, rng=rng)


WRITERS = {
    "decoder": lambda: DecoderInverter(epochs=1),
    "decoder, Pan's recipe": lambda: DecoderInverter(recipe="pan", epochs=1),
    "guided": lambda: _Guided(queries=30),
    "nearest-text": _Nearest,
    "fixed-text": _FixedText,
}


EVERY = {**GUESSERS, **WRITERS}


@pytest.fixture(params=WRITERS, scope="module")
def writer(request, toy_pairs):
    vectors, texts = toy_pairs
    return WRITERS[request.param]().fit(vectors[:300], texts[:300], rng=np.random.default_rng(0))


@pytest.fixture(params=GUESSERS, scope="module")
def fitted(request, toy_pairs):
    vectors, texts = toy_pairs
    return GUESSERS[request.param]().fit(vectors[:-60], texts[:-60], rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def targets(toy_pairs):
    return toy_pairs[0][-60:]


def test_every_attack_of_the_catalogue_is_under_contract():
    assert {name for name, _ in ATTACKS} <= set(GUESSERS) | set(WRITERS)
    for _, entry in ATTACKS:
        settings = inspect.signature(entry.load().__init__).parameters.values()
        assert all(p.kind is not p.POSITIONAL_OR_KEYWORD for p in list(settings)[1:]), "settings are keyword only"
        assert entry.load().__doc__
        assert "adversary sees" in entry.load().__doc__


def test_guesses_are_one_a_vector_ranked_and_probable(fitted, targets):
    guesses = fitted.infer(targets)
    assert isinstance(guesses, WordGuesses)
    assert len(guesses.sets) == len(guesses.ranked) == len(targets)
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        words = [word for word, _ in ranked]
        chances = [chance for _, chance in ranked]
        assert len(set(words)) == len(words)
        assert claimed <= set(words)
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)


def test_a_guess_depends_on_its_own_vector_alone(fitted, targets):
    together = fitted.infer(targets).sets
    assert fitted.infer(targets[::-1]).sets == together[::-1]
    assert fitted.infer(targets[7:8]).sets == together[7:8]


def test_no_targets_give_no_guesses(fitted, targets):
    assert fitted.infer(targets[:0]) == WordGuesses([], [])


def test_a_writer_writes_one_text_a_vector_by_that_vector_alone(writer, targets):
    few = targets[:6]
    together = writer.infer(few)
    assert isinstance(together, TextGuesses)
    assert len(together.texts) == len(few)
    assert all(isinstance(text, str) for text in together.texts)
    assert writer.infer(few[::-1]).texts == together.texts[::-1]
    assert writer.infer(few[2:3]).texts == together.texts[2:3]
    assert writer.infer(few[:0]) == TextGuesses([], [])


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_gives_the_same_guesses(name, toy_pairs, targets):
    vectors, texts = toy_pairs
    first, second = (
        EVERY[name]().fit(vectors[:300], texts[:300], rng=np.random.default_rng(7)).infer(targets[:9]) for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize("name", EVERY)
def test_fit_leaves_what_it_was_given_alone(name, toy_pairs):
    vectors, texts = toy_pairs[0][:300].copy(), list(toy_pairs[1][:300])
    EVERY[name]().fit(vectors, texts, rng=np.random.default_rng(0))
    assert (vectors == toy_pairs[0][:300]).all()
    assert texts == toy_pairs[1][:300]


@pytest.mark.parametrize("name", EVERY)
def test_infer_before_fit_says_so(name, targets):
    with pytest.raises(NotFitted, match="fit"):
        EVERY[name]().infer(targets)
