"""What undoes a secret map: words recovered by number of known pairs, and without any pair by number of stolen vectors.

The thief has the encoder (MiniLM) and 8,000 sentences of other documents of the same kind. An attack on words, fitted
on these, is run on what the thief makes of the stolen vectors. One line per map and amount: leakage (F1 over guessing)
with its interval, and the mean cosine of the recovered to the true vectors around their mean. A map is broken where
half of what raw vectors leak is recovered. The attack was developed on another corpus (newsgroups), with one exception:
several starts were added after a run on complaints in which a single start failed at 3,000 stolen vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.attacks.alignment.align import Pairs, align, align_pairs
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.attacks.ridge import ridge_map
from vestige.attacks.rows import unit_length
from vestige.attacks.surrogate.selection import cluster_centres
from vestige.case.scorer import Scorer
from vestige.defenses.catalogue import make_defense
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import find_copies
from vestige.text.words import content_words
from vestige.types import Floats, Score, Singles, Vectors

CACHE = Path("vestige-audit/bench")
SIDE, TARGETS, DOCUMENTS = 8000, 500, 4000
PAIRS, STOLEN, REFINED = (10, 100, 384, 1000), (300, 1000, 3000, 8000), 3000
MAPS = ("rotation", "permutation", "dcpe:2", "cells:16")

Map = Callable[[Vectors], Vectors]


@dataclass(frozen=True)
class Side:
    """Sentences and their raw vectors."""

    texts: list[str]
    documents: list[str]
    vectors: Vectors


@dataclass(frozen=True)
class Sides:
    """The thief's own sentences and the stolen ones, of different documents; the first stolen ones are scored."""

    own: Side
    stolen: Side

    @property
    def known(self) -> list[int]:
        """Stolen rows that share no document with a target; a thief may know their texts."""
        targets = set(self.stolen.documents[:TARGETS])
        return [row for row, name in enumerate(self.stolen.documents) if name not in targets]


class WordScore:
    """The leakage of words from vectors that a thief recovered, and how near they are to the true ones."""

    def __init__(self, sides: Sides) -> None:
        own, self._stolen = sides.own, sides.stolen
        self._inner = MultiLabelInverter()
        self._inner.fit(own.vectors, own.texts, documents=own.documents, rng=np.random.default_rng(0))
        self._truth = [content_words(text) for text in sides.stolen.texts[:TARGETS]]
        self._prior = self._f1(FixedWords().fit(own.texts).infer(sides.stolen.vectors[:TARGETS]).sets)
        self._scorer = Scorer(sides.stolen.documents[:TARGETS], 0)
        self._mean = own.vectors.mean(axis=0)

    def score(self, vectors: Vectors) -> Score:
        """The gain of F1 over guessing."""
        return self._scorer.gain(self._f1(self._inner.infer(vectors).sets) - self._prior)

    def cosine(self, vectors: Vectors) -> float:
        """The mean cosine to the true vectors, around the mean of the thief's own."""
        true, found = (unit_length(rows - self._mean) for rows in (self._stolen.vectors[:TARGETS], vectors))
        return float((true * found).sum(axis=1).mean())

    def _f1(self, sets: Sequence[frozenset[str]]) -> Floats:
        return word_recovery(sets, self._truth).f1


def run() -> Iterator[str]:
    """Complaints, every map."""
    yield from _judge_all("complaints", MAPS)


def run_reviews() -> Iterator[str]:
    """Movie reviews, from VESTIGE_DATA: the rotation."""
    yield from _judge_all("imdb", MAPS[:1])


def _judge_all(corpus: str, maps: Sequence[str]) -> Iterator[str]:
    sides = read_sides(corpus)
    scores = WordScore(sides)
    raw = scores.score(sides.stolen.vectors[:TARGETS])
    sizes = f"{len(sides.own.texts):,} own and {len(sides.stolen.texts):,} stolen sentences"
    yield f"{corpus}: {sizes}, {TARGETS} scored"
    yield _format("none", "raw vectors", raw, 1.0)
    for spec in maps:
        yield from _judge(spec, sides, scores, raw.value)


def _judge(spec: str, sides: Sides, scores: WordScore, raw: float) -> Iterator[str]:
    """Every attack on one map, then the amounts that break it."""
    defense = make_defense(spec).fit(sides.stolen.vectors, rng=np.random.default_rng(1))
    hidden = defense.transform(sides.stolen.vectors)
    targets = hidden[:TARGETS]
    broken: dict[str, int | None] = {}
    for what, amount, attack in _list_attacks(spec, sides, hidden):
        found = attack(targets)
        score = scores.score(found)
        if broken.get(what) is None:
            broken[what] = amount if score.value >= raw / 2 else None
        yield _format(spec, f"{what} {amount:,}", score, scores.cosine(found))
    limits = ", ".join(
        f"{kind}: not reached" if amount is None else f"{kind}: {amount:,}" for kind, amount in broken.items()
    )
    yield f"{spec}: half of the protection is lost at {limits}"


def _list_attacks(spec: str, sides: Sides, hidden: Vectors) -> Iterator[tuple[str, int, Map]]:
    known = np.random.default_rng(2).permutation(sides.known)
    cells = int(spec.partition(":")[2]) if spec.startswith("cells") else 1
    for amount in PAIRS:
        rows = known[:amount]
        pairs = hidden[rows], sides.stolen.vectors[rows]
        yield "pairs, Procrustes", amount, _by_cell(align_pairs, pairs, hidden, cells)
        yield "pairs, ridge", amount, _by_cell(_fit_ridge, pairs, hidden, cells)
        if amount == PAIRS[0] and cells == 1:
            found = align(hidden[:REFINED], sides.own.vectors, rng=np.random.default_rng(0), known=pairs)
            yield "pairs and alignment", amount, found
    for amount in STOLEN if cells == 1 else STOLEN[-1:]:
        yield "stolen, no pairs", amount, align(hidden[:amount], sides.own.vectors, rng=np.random.default_rng(0))


def _fit_ridge(pairs: Pairs) -> Map:
    rows = np.arange(len(pairs[0]))
    held = rows[: max(len(rows) // 5, 1)]
    return ridge_map(*pairs, np.setdiff1d(rows, held), held)


def _by_cell(fit: Callable[[Pairs], Map], pairs: Pairs, hidden: Vectors, cells: int) -> Map:
    """The attack within every cluster of hidden vectors that has pairs; there the thief sees the cells."""
    if cells == 1:
        return fit(pairs)
    centres = cluster_centres(np.asarray(hidden, np.float32), cells, np.random.default_rng(0))
    places = _find_nearest(pairs[0], centres)
    whole = fit(pairs)
    fitted = {cell: fit(_take(pairs, places == cell)) for cell in range(cells) if (places == cell).sum() >= 2}

    def apply(vectors: Vectors) -> Vectors:
        nearest, found = _find_nearest(vectors, centres), whole(vectors)
        for cell, own in fitted.items():
            found[nearest == cell] = own(vectors[nearest == cell])
        return found

    return apply


def _take(pairs: Pairs, rows: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Pairs:
    return pairs[0][rows], pairs[1][rows]


def _find_nearest(rows: Vectors, centres: Singles) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    nearest: np.ndarray[tuple[int], np.dtype[np.int64]] = (
        np.square(centres).sum(axis=1) - 2 * rows @ centres.T
    ).argmin(axis=1)
    return nearest


def read_sides(corpus: str, size: int = SIDE) -> Sides:
    """Sentences of half of the documents each, with vectors from the cache; the thief has no copy of a stolen one."""
    rng = np.random.default_rng(0)
    whole = load_corpus(corpus)
    sentences = whole.take(sorted(rng.permutation(len(whole.texts))[:DOCUMENTS].tolist())).sentences(8, 40)
    names = rng.permutation(sorted(set(sentences.documents)))
    first = set(names[: len(names) // 2].tolist())
    others = [row for row, name in enumerate(sentences.documents) if name not in first]
    copied = set(find_copies(sentences.texts, [sentences.texts[row] for row in others]))
    mine = [row for row, name in enumerate(sentences.documents) if name in first and row not in copied]
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)

    def encode(rows: Sequence[int]) -> Side:
        part: Corpus = sentences.take(rng.permutation(list(rows))[:size].tolist())
        return Side(part.texts, part.documents, encoder.encode(part.texts))

    return Sides(encode(mine), encode(others))


def _format(spec: str, what: str, score: Score, cosine: float) -> str:
    return (
        f"{spec:20} {what:28} {score.value:6.3f} ({score.low:.3f} to {score.high:.3f}) n={score.n} cosine {cosine:.3f}"
    )
