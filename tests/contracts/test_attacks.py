"""What every attack must keep, whatever its algorithm."""

import inspect
from dataclasses import fields
from functools import cache

import numpy as np
import pytest

from tests.alike import assert_alike
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
from vestige.errors import InputError, NotFitted
from vestige.types import TextGuesses, WordGuesses


class _Prior(FixedWords):
    def fit(self, _vectors, texts, *, rng=None):  # noqa: ARG002
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
    "sparse, pieces": lambda: _Sparse(guess="pieces"),
    "relaxed": lambda: _Relaxed(steps=10),
    "relaxed, pieces at a lower layer": lambda: _Relaxed(guess="pieces", layer=0, steps=10),
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
    "decoder": lambda: DecoderInverter(epochs=6),
    "decoder, Pan's recipe": lambda: DecoderInverter(recipe="pan", epochs=20),
    "guided": lambda: _Guided(queries=30),
    "nearest-text": _Nearest,
    "fixed-text": _FixedText,
}


OF_ANOTHER_KIND = {
    "patterns",
    "keywords",
    "keywords-elsewhere",
    "surrogate",
    "fingerprint",
    "attributes",
    "text-tfidf",
    "text-cnn",
    "majority-label",
    "word-membership",
    "pair-membership",
    "group-membership",
    "index-membership",
    "secret-ranking",
    "importance-mlp",
    "importance-pseudo-labels",
    "importance-domain-adversarial",
    "importance-gan",
    "importance-mean",
}
"""They answer other questions than which words a text has; what they must keep stands in their own tests."""

EVERY = {**GUESSERS, **WRITERS}
READERS = {name: make for name, make in EVERY.items() if not name.startswith("fixed")}


def fit(name, vectors, texts, seed=0):
    return EVERY[name]().fit(vectors, texts, rng=np.random.default_rng(seed))


@pytest.fixture(scope="module")
def pairs(toy_pairs):
    return toy_pairs[0][:300], toy_pairs[1][:300]


@pytest.fixture(scope="module")
def fitted(pairs):
    """Any attack by name, fitted once."""
    return cache(lambda name: fit(name, *pairs))


@pytest.fixture(scope="module")
def targets(toy_pairs):
    return toy_pairs[0][-60:]


def test_every_attack_of_the_catalogue_is_under_contract():
    assert {name for name, _ in ATTACKS} <= set(GUESSERS) | set(WRITERS) | OF_ANOTHER_KIND
    for _, entry in ATTACKS:
        settings = inspect.signature(entry.load().__init__).parameters.values()
        assert all(p.kind is not p.POSITIONAL_OR_KEYWORD for p in list(settings)[1:]), "settings are keyword only"
        assert entry.load().__doc__
        assert "adversary sees" in entry.load().__doc__


@pytest.mark.parametrize("name", GUESSERS)
def test_guesses_are_one_a_vector_ranked_and_probable(name, fitted, targets):
    guesses = fitted(name).infer(targets)
    assert isinstance(guesses, WordGuesses)
    assert len(guesses.sets) == len(guesses.ranked) == len(targets)
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        words = [word for word, _ in ranked]
        chances = [chance for _, chance in ranked]
        assert len(set(words)) == len(words)
        assert claimed <= set(words)
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)


@pytest.mark.parametrize("name", WRITERS)
def test_a_writer_writes_one_text_a_vector(name, fitted, targets):
    written = fitted(name).infer(targets[:6])
    assert isinstance(written, TextGuesses)
    assert len(written.texts) == 6
    assert all(isinstance(text, str) for text in written.texts)


@pytest.mark.parametrize("name", READERS)
def test_a_guess_depends_on_its_own_vector_and_on_nothing_else(name, fitted, targets):
    few = targets[:12]
    together = fitted(name).infer(few)
    assert any(each != guesses(together)[0] for each in guesses(together))
    assert_alike(taken(fitted(name).infer(few[::-1]), slice(None, None, -1)), together)
    assert_alike(fitted(name).infer(few[7:8]), taken(together, slice(7, 8)))


def guesses(found):
    return found.texts if isinstance(found, TextGuesses) else found.ranked


def taken(found, rows):
    """The guesses of these rows."""
    return type(found)(*(getattr(found, field.name)[rows] for field in fields(found)))


@pytest.mark.parametrize("name", EVERY)
def test_no_targets_give_no_guesses(name, fitted, targets):
    assert fitted(name).infer(targets[:0]) in (WordGuesses([], []), TextGuesses([], []))


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_gives_the_same_guesses(name, pairs, fitted, targets):
    assert fit(name, *pairs).infer(targets[:9]) == fitted(name).infer(targets[:9])


@pytest.mark.parametrize("name", EVERY)
def test_fit_and_infer_leave_what_they_were_given_alone(name, pairs, targets):
    vectors, texts, seen = pairs[0].copy(), list(pairs[1]), targets[:3].copy()
    fit(name, vectors, texts).infer(seen)
    assert (vectors == pairs[0]).all()
    assert texts == pairs[1]
    assert (seen == targets[:3]).all()


@pytest.mark.parametrize("name", EVERY)
def test_infer_before_fit_says_so(name, targets):
    with pytest.raises(NotFitted, match="fit"):
        EVERY[name]().infer(targets)


def _spoiled(vectors, value):
    spoiled = vectors.copy()
    spoiled[[3, 5], 1] = value
    return spoiled


NO_VECTORS = {
    "NaN": (lambda vectors: _spoiled(vectors, np.nan), "2 of 30 vectors hold NaN or infinity, the first in row 3"),
    "infinity": (lambda vectors: _spoiled(vectors, np.inf), "2 of 30 vectors hold NaN or infinity"),
    "too large for float32": (lambda vectors: _spoiled(vectors.astype(np.float64), 1e300), "2 of 30 vectors hold NaN"),
    "one dimension": (lambda vectors: vectors[:, 0], r"shape \(30,\)"),
    "three dimensions": (lambda vectors: vectors[:, None], r"shape \(30, 1, 64\)"),
    "no columns": (lambda vectors: vectors[:, :0], r"shape \(30, 0\)"),
    "words": (lambda vectors: vectors.astype(str), "no table of numbers"),
    "uneven rows": (lambda vectors: [row[: 1 + place].tolist() for place, row in enumerate(vectors)], "no table"),
}


@pytest.mark.parametrize("what", NO_VECTORS)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_table_of_finite_numbers_is_refused(name, what, pairs, fitted, targets):
    change, message = NO_VECTORS[what]
    with pytest.raises(InputError, match=message):
        fit(name, change(pairs[0][:30]), pairs[1][:30])
    with pytest.raises(InputError, match=message):
        fitted(name).infer(change(targets[:30]))


@pytest.mark.parametrize("name", READERS)
def test_targets_of_another_encoder_are_refused(name, fitted, targets):
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        fitted(name).infer(targets[:, 1:])


@pytest.mark.parametrize("name", READERS)
def test_lists_and_doubles_are_as_good_as_singles(name, pairs, fitted, targets):
    wide = fit(name, pairs[0].astype(np.float64), pairs[1])
    assert wide.infer(targets[:3].tolist()) == fitted(name).infer(targets[:3])


@pytest.mark.parametrize("name", READERS)
def test_pairs_must_be_pairs_and_hold_words(name, pairs):
    vectors, texts = pairs[0][:30], pairs[1][:30]
    with pytest.raises(InputError, match="30 vectors but 29 texts"):
        fit(name, vectors, texts[:29])
    with pytest.raises(InputError, match="none of 30 texts has a word"):
        fit(name, vectors, ["... - !", ""] * 15)


@pytest.mark.parametrize("name", [name for name in READERS if name != "nearest-text"])
def test_a_few_pairs_are_too_few(name, pairs):
    with pytest.raises(InputError, match="5 pairs are too few"):
        fit(name, pairs[0][:5], pairs[1][:5])


@pytest.mark.parametrize("name", [name for name in READERS if name not in ("nearest-text", "guided")])
def test_every_text_has_its_document(name, pairs):
    with pytest.raises(InputError, match="30 texts but 3 documents"):
        EVERY[name]().fit(pairs[0][:30], pairs[1][:30], documents=["a"] * 3, rng=np.random.default_rng(0))
