"""Toy worlds, one per family of attacks: what `fit` and `infer` may demand by name, and what guesses look like.

The family of an attack follows from the record that it returns. An attack is under contract once it declares itself and
its parameters have the names of its family.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from zlib import crc32

import numpy as np

from tests.conftest import WordSum, toy_corpus
from tests.toy_box import ToyBox
from vestige.text.importance import ImportantWords, TfidfImportance
from vestige.text.patterns import load_pattern
from vestige.text.words import content_words, words
from vestige.types import (
    EncoderGuess,
    FieldGuesses,
    Guesses,
    KeywordGuesses,
    LabelGuesses,
    MembershipGuesses,
    SecretGuesses,
    TextGuesses,
    WordGuesses,
    silent,
)

TARGETS = 40


@dataclass(frozen=True)
class Family:
    """What the attacks of a family work on, and what every one of them must do with it.

    `held` is what an adversary may hold, by the names of the parameters of `fit`; `targets` is what is under attack, by
    the names of those of `infer`; `settings` are required ones. `check` asserts the shape of the guesses, `score` is
    higher for better ones; an attack must exceed the priors of its family and `chance` by the `margin`. `refused` has
    changes of what is held that `fit` must refuse. `rows` takes the guesses of some targets, if each has its own.
    """

    held: Mapping[str, object]
    targets: Mapping[str, object]
    check: Callable[[Guesses], None]
    score: Callable[[Guesses], float]
    margin: float
    chance: float = 0.0
    refused: Sequence[Mapping[str, object]] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    rows: Callable[[Guesses, slice], Guesses] | None = None


class Bent:
    """The surrogate: another vector per word, of another dimension, and a bend."""

    name = identity = "bent"
    dimension = 48

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        rows = np.zeros((len(texts), self.dimension))
        for row, text in enumerate(texts):
            for word in words(text):
                rows[row] += np.random.default_rng(crc32(word.encode()) + 7).standard_normal(self.dimension)
        return np.tanh(rows / np.sqrt(20)).astype(np.float32)


class Turned(WordSum):
    """As many columns as `WordSum`, other axes."""

    name = identity = "turned"

    def encode(self, texts, *, progress=silent):
        turn = np.linalg.qr(np.random.default_rng(5).standard_normal((64, 64)))[0] * np.geomspace(1, 0.05, 64)
        return (super().encode(texts, progress=progress) @ turn).astype(np.float32)


@cache
def _sentences():
    texts = toy_corpus(400, seed=1).sentences(4, 40).texts
    return texts, WordSum().encode(texts)


def _pairs(count=300):
    texts, vectors = _sentences()
    known = sorted(set().union(*map(content_words, texts)))
    weigher = TfidfImportance(ImportantWords.build(texts, rarest=0.01, any_kind=True), texts)
    return {
        "vectors": vectors[:count],
        "texts": texts[:count],
        "documents": [f"document {row // 3}" for row in range(count)],
        "box": ToyBox(),
        "encoder": WordSum(),
        "surrogate": Bent(),
        "single_words": (known, WordSum().encode(known)),
        "weigher": weigher,
        "importance": weigher.weigh(texts[:count]),
        "pool": texts[:count],
        "targets": vectors[-TARGETS:],
        "victims": vectors[-TARGETS:],
        "external": texts[count : count + 100],
        "external_vectors": Bent().encode(texts[count : count + 100]),
        "external_importance": weigher.weigh(texts[count : count + 100]),
    }


def _spoil(vectors, value):
    spoiled = np.array(vectors, dtype=np.float64)
    spoiled[[3, 5], 1] = value
    return spoiled


def spoil_vectors(vectors):
    """What is no table of finite numbers."""
    return [
        _spoil(vectors, np.nan),
        _spoil(vectors, np.inf),
        _spoil(vectors, 1e300),
        vectors[:, 0],
        vectors[:, None],
        vectors[:, :0],
        vectors.astype(str),
        [row[: 1 + place].tolist() for place, row in enumerate(vectors)],
    ]


def _refuse_pairs(held):
    """What no attack can learn pairs from."""
    vectors, texts, documents, importance = (held[name] for name in ("vectors", "texts", "documents", "importance"))
    return [
        *({"vectors": spoiled} for spoiled in spoil_vectors(vectors)),
        *({name: held[name] * np.nan} for name in ("victims", "targets", "external_vectors")),
        *({name: held[name][:0]} for name in ("victims", "targets", "external_vectors")),
        {"texts": []},
        {"pool": []},
        {"vectors": vectors[1:], "texts": texts},
        {"vectors": vectors, "texts": ["... - !"] * len(texts)},
        {"vectors": vectors[:0], "texts": []},
        {"vectors": vectors, "texts": texts, "documents": documents[:3]},
        {"vectors": vectors[1:], "importance": importance},
        {"vectors": vectors[:3], "importance": importance.take(range(3))},
    ]


def words_family():
    """Which words a text has."""
    held, truth = _pairs(), [content_words(text) for text in _sentences()[0][-TARGETS:]]

    def check(guesses):
        assert len(guesses.sets) == len(guesses.ranked) == TARGETS
        for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
            named, chances = [word for word, _ in ranked], [chance for _, chance in ranked]
            assert len(set(named)) == len(named)
            assert claimed <= set(named)
            assert chances == sorted(chances, reverse=True)
            assert all(0 <= chance <= 1 for chance in chances)

    def score(guesses):
        """The share of the five likeliest words that the text has."""
        rows = zip(guesses.ranked, truth, strict=True)
        return float(np.mean([word in own for ranked, own in rows for word, _ in ranked[:5]]))

    return Family(
        held,
        {"vectors": _sentences()[1][-TARGETS:]},
        check,
        score,
        margin=0.1,
        refused=_refuse_pairs(held),
        rows=lambda guesses, some: WordGuesses(guesses.sets[some], guesses.ranked[some]),
    )


def texts_family():
    """What the whole text is: three words, each from a list of its own, in combinations never seen."""
    rng = np.random.default_rng(0)
    lists = [[f"{first}{vowel}lon" for vowel in "aeiou"] for first in "bdf"]
    combinations = rng.permutation([" ".join(parts) for parts in product(*lists)])
    written, known = combinations[:TARGETS].tolist(), rng.choice(combinations[TARGETS:], 300).tolist()
    held = _pairs() | {"vectors": WordSum().encode(known), "texts": known}

    def check(guesses):
        assert len(guesses.texts) == TARGETS
        assert all(isinstance(text, str) for text in guesses.texts)

    def score(guesses):
        """The share of the words that the written and the true text have in common."""
        rows = [(set(words(text)), set(words(truth))) for text, truth in zip(guesses.texts, written, strict=True)]
        return float(np.mean([len(own & true) / len(own | true) for own, true in rows]))

    return Family(
        held,
        {"vectors": WordSum().encode(written)},
        check,
        score,
        margin=0.2,
        refused=_refuse_pairs(held),
        rows=lambda guesses, some: TextGuesses(guesses.texts[some], guesses.trails[some]),
    )


PATTERN = """
template = "order {month}/{code}"
secret = ["month", "code"]

[fields]
month = { range = [1, 12], digits = 2 }
code = { alphabet = "ABC", length = 2 }
"""


class CharacterSum:
    """The sum of one random vector per character and position."""

    name = identity = "character-sum"
    dimension = 48

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        return np.array([sum(map(self._direction, enumerate(text))) for text in texts], np.float32)

    @staticmethod
    @cache
    def _direction(place):
        return np.random.default_rng(crc32(repr(place).encode())).standard_normal(CharacterSum.dimension)


def fields_family(folder):
    """The values of the secret fields of a known format."""
    (folder / "order.toml").write_text(PATTERN)
    pattern = load_pattern(folder / "order.toml")
    records = pattern.generate(TARGETS, np.random.default_rng(9))

    def check(guesses):
        assert list(guesses.values) == list(guesses.probabilities) == list(pattern.secrets)
        for name, table in guesses.probabilities.items():
            assert table.shape == (TARGETS, len(guesses.values[name]))
            assert np.allclose(table.sum(axis=1), 1)

    def score(guesses):
        tables = guesses.probabilities.items()
        best = {name: np.array(guesses.values[name])[table.argmax(axis=1)] for name, table in tables}
        return float(np.mean([np.mean(best[name] == np.array(records.secrets[name])) for name in best]))

    return Family(
        {"encoder": CharacterSum()},
        {"vectors": CharacterSum().encode(records.texts)},
        check,
        score,
        margin=0.2,
        chance=1 / 3,
        settings={"pattern": pattern},
        rows=lambda guesses, some: FieldGuesses(
            guesses.values, {name: table[some] for name, table in guesses.probabilities.items()}
        ),
    )


def keywords_family():
    """Whether a text contains each keyword."""
    keywords = ["bacox", "bafex"]
    texts, vectors = _sentences()
    present = np.array([[keyword in words(text) for keyword in keywords] for text in texts])
    held = _pairs() | {"keywords": keywords, "labels": present[:300]}

    def check(guesses):
        assert guesses.keywords == tuple(keywords)
        assert guesses.probabilities.shape == (TARGETS, len(keywords))
        assert ((guesses.probabilities >= 0) & (guesses.probabilities <= 1)).all()

    def score(guesses):
        truth = present[-TARGETS:]
        return float(np.mean([_auc(guesses.probabilities[:, k], truth[:, k]) for k in range(len(keywords))]))

    refused = [
        *_refuse_pairs(held),
        *({"keywords": unusable} for unusable in ([], "bacox", ["bacox", "Bacox"])),
        *({"labels": unusable} for unusable in (present[:299], present[:300] * 2, np.zeros_like(present[:300]))),
    ]
    return Family(
        held,
        {"vectors": vectors[-TARGETS:]},
        check,
        score,
        margin=0.1,
        chance=0.5,
        refused=refused,
        rows=lambda guesses, some: KeywordGuesses(guesses.keywords, guesses.probabilities[some]),
    )


def labels_family():
    """Which class a text belongs to: each author has a favourite word."""
    habits = {"ann": "whilst", "bob": "reckon", "eve": "alas"}
    rng = np.random.default_rng(0)
    common = [f"word{place}" for place in range(30)]
    labels = [*habits] * 60
    texts = [" ".join([*rng.choice(common, 3), habits[label], *rng.choice(common, 3)]) for label in labels]
    vectors, split = WordSum().encode(texts), len(texts) - TARGETS
    held = {
        "vectors": vectors[:split],
        "texts": texts[:split],
        "labels": labels[:split],
        "documents": [str(row // 2) for row in range(split)],
    }

    def check(guesses):
        assert guesses.labels == tuple(habits)
        assert guesses.probabilities.shape == (TARGETS, len(habits))
        assert np.allclose(guesses.probabilities.sum(axis=1), 1)

    def score(guesses):
        best = np.array(guesses.labels)[guesses.probabilities.argmax(axis=1)]
        return float(np.mean(best == np.array(labels[split:])))

    unusable = (["ann"] * split, [None] * split, list(range(split)), list(map(str, range(split))))
    refused = [
        *({"vectors": spoiled} for spoiled in spoil_vectors(held["vectors"])),
        *({"labels": each} for each in unusable),
        {"vectors": held["vectors"][1:], "labels": held["labels"]},
        {"texts": texts[1:split], "labels": held["labels"]},
        {"vectors": held["vectors"], "documents": ["a"]},
    ]
    return Family(
        held,
        {"vectors": vectors[split:], "texts": texts[split:]},
        check,
        score,
        margin=0.3,
        refused=refused,
        rows=lambda guesses, some: LabelGuesses(guesses.labels, guesses.probabilities[some]),
    )


def encoder_family():
    """Which encoder made the vectors."""
    texts, vectors = _sentences()
    encoders = [WordSum(), Turned(), Bent()]

    def check(guesses):
        assert guesses.name in (None, *(encoder.name for encoder in encoders))
        assert len(guesses.candidates) == len(guesses.probabilities) == 2
        assert list(guesses.probabilities) == sorted(guesses.probabilities, reverse=True)
        assert sum(guesses.probabilities) <= 1 + 1e-9
        assert all(reason.endswith(".") for reason in guesses.reasons)

    return Family(
        {"encoders": encoders, "texts": texts[:300]},
        {"vectors": vectors[-TARGETS:]},
        check,
        score=lambda guesses: float(guesses.name == "word-sum"),
        margin=0.5,
        chance=0.0,
        refused=[{"encoders": []}, {"encoders": [WordSum(), WordSum()]}, {"texts": texts[:5]}],
    )


class Store:
    """Answers a search with the best cosines."""

    def __init__(self, vectors):
        self.vectors = vectors

    def search(self, vectors, k):
        return -np.sort(-(vectors @ self.vectors.T).astype(np.float64), axis=1)[:, :k]


def membership_family():
    """Whether a window of words, a pair of sentences, a document or a text was trained on or is stored."""
    rng = np.random.default_rng(0)
    texts, vectors = _sentences()
    groups = [[f"w{group}x{place}" for place in range(6)] for group in range(20)]
    lexicon = [word for group in groups for word in group]
    near = np.repeat(rng.standard_normal((20, 16)), 6, axis=0) + 0.8 * rng.standard_normal((120, 16))
    mixed = [[groups[(row + place) % 20][place] for place in range(5)] for row in range(20)]
    documents = [f"document {row // 4}" for row in range(400)]
    members = np.arange(400) // 4 % 2 == 0
    learned = rng.standard_normal((400, 20)) + members[:, None] * np.repeat(rng.standard_normal((100, 20)), 4, axis=0)
    learned = learned.astype(np.float32)
    held = {
        "vectors": learned[:280],
        "documents": documents[:280],
        "members": members[:280].tolist(),
        "word_vectors": (lexicon, near.astype(np.float32)),
        "texts": texts[:60],
        "index": Store(vectors[-TARGETS // 2 :]),
        "encoder": WordSum(),
    }
    targets = {
        "vectors": learned[280:],
        "documents": documents[280:],
        "windows": [group[:5] for group in groups] + mixed,
        "texts": texts[-TARGETS // 2 :] + texts[100 : 100 + TARGETS // 2],
    }
    halves = np.repeat([True, False], TARGETS // 2)
    truths = {90: np.repeat(members[280::4], 3), 30: members[280::4], TARGETS: halves}

    def check(guesses):
        assert guesses.scores.shape in {(count,) for count in truths}
        assert guesses.scores.dtype == np.float64
        assert np.isfinite(guesses.scores).all()

    refused = [
        *({"vectors": spoiled} for spoiled in spoil_vectors(held["vectors"])),
        *({"documents": each} for each in (held["documents"][1:], [str(row) for row in range(280)])),
        *({"members": each} for each in (held["members"][1:], [True] * 280, [1] * 280)),
        *({"word_vectors": each} for each in ((lexicon[1:], near), (lexicon[:1], near[:1]), (lexicon, near * np.nan))),
        {"texts": texts[:5]},
    ]
    return Family(
        held,
        targets,
        check,
        score=lambda guesses: _auc(guesses.scores, truths[len(guesses.scores)]),
        margin=0.15,
        chance=0.5,
        refused=refused,
    )


class Memorised(WordSum):
    """An encoder that learned every owner together with a secret: the vector of one contains that of the other."""

    def encode(self, texts, *, progress=silent):
        return super().encode([text.replace("owner", "code") + f" {text}" for text in texts], progress=progress)


def secrets_family():
    """Which secret of a format goes with a prompt."""
    secrets = [f"code{place}" for place in range(12)]

    def check(guesses):
        assert guesses.candidates == tuple(secrets)
        assert guesses.scores.shape == (8, len(secrets))
        assert np.isfinite(guesses.scores).all()

    return Family(
        {"candidates": secrets, "encoder": Memorised(), "references": [f"owner{place}" for place in range(20, 26)]},
        {"prompts": [f"owner{place}" for place in range(8)]},
        check,
        score=lambda guesses: float(np.mean(guesses.scores.argmax(axis=1) == np.arange(8))),
        margin=0.5,
        chance=1 / 12,
        refused=[{"candidates": []}, {"candidates": ["code1", "code1"]}],
        rows=lambda guesses, some: SecretGuesses(guesses.candidates, guesses.scores[some]),
    )


def _auc(scores, truth):
    return float(
        np.mean(scores[truth][:, None] > scores[~truth]) + 0.5 * np.mean(scores[truth][:, None] == scores[~truth])
    )


def build_families(folder):
    """The family of a record of guesses, built when it is first needed."""
    builders = {
        WordGuesses: words_family,
        TextGuesses: texts_family,
        FieldGuesses: lambda: fields_family(folder),
        KeywordGuesses: keywords_family,
        LabelGuesses: labels_family,
        EncoderGuess: encoder_family,
        MembershipGuesses: membership_family,
        SecretGuesses: secrets_family,
    }
    return cache(lambda output: builders[output]())
