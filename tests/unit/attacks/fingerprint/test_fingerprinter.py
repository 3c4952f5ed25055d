"""Toy encoders that differ only in their axes are distinguished, and one outside the library is unknown."""

from zlib import crc32

import numpy as np
import pytest

from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.errors import InputError, NotFitted
from vestige.text.words import words
from vestige.types import silent


class Toy:
    """The mean of word vectors that are longer along some axes than along others; the axes are drawn by the seed."""

    def __init__(self, seed, *, columns=48, scale=1.0, unit=True, name=None):
        self.name = name or f"toy-{seed}"
        self.identity = f"{self.name} {columns} {scale} {unit}"
        self.dimension, self.scale, self.unit = columns, scale, unit
        self.axes = np.linalg.qr(np.random.default_rng(seed).standard_normal((columns, columns)))[0]
        self.axes *= np.geomspace(1, 0.05, columns)[:, None]
        self.queries = 0

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        self.queries += len(texts)
        rows = np.array([sum(map(self._word, words(text)), np.zeros(self.dimension)) for text in texts]) @ self.axes
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True) if self.unit else rows
        return (self.scale * rows).astype(np.float32)

    def _word(self, word):
        return np.random.default_rng(crc32(word.encode())).standard_normal(self.dimension)


def domain(prefix, count, seed):
    rng = np.random.default_rng(seed)
    lexicon = [f"{prefix}{number}" for number in range(150)]
    return [" ".join(rng.choice(lexicon, size=8)) for _ in range(count)]


AUXILIARY, TARGETS = domain("a", 400, 1), domain("b", 100, 2)


@pytest.fixture(scope="module")
def library():
    return [Toy(0), Toy(1), Toy(2, unit=False), Toy(3, columns=32)]


@pytest.fixture(scope="module")
def fitted(library):
    return Fingerprinter(texts_each=300).fit(library, AUXILIARY, rng=np.random.default_rng(0))


@pytest.mark.parametrize("place", range(4))
def test_each_encoder_is_known_by_texts_of_another_domain(place, library, fitted):
    vectors = library[place].encode(TARGETS)
    guess = fitted.infer(vectors)
    assert guess.name == guess.candidates[0] == library[place].name
    assert guess.probabilities[0] > 0.9
    assert sum(guess.probabilities) <= 1 + 1e-9
    assert list(guess.probabilities) == sorted(guess.probabilities, reverse=True)
    each = fitted.infer_each(vectors)
    assert len(each) == len(TARGETS)
    assert np.mean([name == library[place].name for name in each]) > 0.8
    assert fitted.infer(vectors[:1]).name == each[0]


def test_an_encoder_outside_the_library_is_unknown(fitted):
    unknown = Toy(9).encode(TARGETS)
    guess = fitted.infer(unknown)
    assert guess.name is None
    assert sum(guess.probabilities) < 0.5
    assert any("directions are not" in reason for reason in guess.reasons)
    assert np.mean([name is None for name in fitted.infer_each(unknown)]) > 0.9


def test_vectors_of_no_encoder_are_unknown(fitted):
    noise = np.random.default_rng(0).standard_normal((100, 48))
    assert fitted.infer(noise).name is None
    shuffled = np.random.default_rng(1).permutation(Toy(0).encode(TARGETS), axis=1)
    assert fitted.infer(shuffled).name is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda vectors: vectors, "as toy-2 gives them"),
        (lambda vectors: vectors.astype(np.float16), "as toy-2 gives them"),
        (lambda vectors: 100 * vectors, "multiplied by about"),
        (lambda vectors: vectors / np.linalg.norm(vectors, axis=1, keepdims=True), "scaled to one length"),
    ],
)
def test_what_owners_do_to_vectors_changes_the_reasons_and_not_the_verdict(change, reason, library, fitted):
    guess = fitted.infer(change(library[2].encode(TARGETS)))
    assert guess.name == "toy-2"
    assert any(reason in given for given in guess.reasons)


def test_lengths_decide_between_encoders_of_the_same_directions():
    pair = [Toy(0, name="unit"), Toy(0, unit=False, name="raw")]
    fitted = Fingerprinter(texts_each=300).fit(pair, AUXILIARY, rng=np.random.default_rng(0))
    for encoder in pair:
        assert fitted.infer(encoder.encode(TARGETS)).name == encoder.name


def test_other_columns_rule_everything_out(fitted):
    guess = fitted.infer(np.ones((3, 7)))
    assert guess.name is None
    assert guess.candidates == ()
    assert "7 columns rule out every candidate" in guess.reasons[0]
    assert fitted.infer_each(np.ones((3, 7))) == [None] * 3


def test_zeros_say_nothing(library, fitted):
    assert fitted.infer(np.zeros((5, 48))).name is None
    vectors = library[0].encode(TARGETS)
    assert fitted.infer(np.concatenate([np.zeros_like(vectors), vectors])).name == "toy-0"


def test_pans_recipe_names_the_known_and_cannot_say_unknown(library):
    fitted = Fingerprinter(recipe="pan", texts_each=300).fit(library, AUXILIARY, rng=np.random.default_rng(0))
    assert [fitted.infer(encoder.encode(TARGETS)).name for encoder in library] == [each.name for each in library]
    assert fitted.infer(Toy(9).encode(TARGETS)).name is not None


@pytest.mark.parametrize("recipe", ["default", "pan"])
def test_the_same_seed_gives_the_same_verdict(recipe, library):
    targets = library[1].encode(TARGETS)
    first, second = (
        Fingerprinter(recipe=recipe, texts_each=100).fit(library[:2], AUXILIARY, rng=np.random.default_rng(4))
        for _ in range(2)
    )
    assert first.infer(targets) == second.infer(targets)


def test_each_candidate_is_queried_once_for_each_text():
    toy = Toy(0)
    Fingerprinter(texts_each=100).fit([toy], AUXILIARY, rng=np.random.default_rng(0))
    assert toy.queries == 100


def test_what_cannot_be_used_is_refused(library, fitted):
    rng = np.random.default_rng(0)
    with pytest.raises(NotFitted, match="fit"):
        Fingerprinter().infer(np.ones((1, 4)))
    with pytest.raises(InputError, match="'recipe'"):
        Fingerprinter(recipe="other").fit(library, AUXILIARY, rng=rng)
    with pytest.raises(InputError, match="'texts_each'"):
        Fingerprinter(texts_each=3).fit(library, AUXILIARY, rng=rng)
    with pytest.raises(InputError, match="a name of its own"):
        Fingerprinter().fit([library[0], library[0]], AUXILIARY, rng=rng)
    with pytest.raises(InputError, match="5 texts are too few"):
        Fingerprinter().fit(library, AUXILIARY[:5], rng=rng)
    with pytest.raises(InputError, match="NaN"):
        fitted.infer(np.full((2, 48), np.nan))
    with pytest.raises(InputError, match="at least one"):
        fitted.infer(np.ones((0, 48)))
    assert fitted.infer_each(np.ones((0, 48))) == []
