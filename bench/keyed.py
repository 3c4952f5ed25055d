"""What undoes a secret map: words recovered by number of known pairs, and without any pair by number of stolen vectors.

The thief has the encoder (MiniLM) and 8,000 sentences of other documents of the same kind, and knows which scheme is in
use, but no key; 4,000 sentences are stored. An attack on words, fitted on these, is run on what the thief makes of the
stolen vectors. One line per map and amount: leakage (F1 over guessing), the mean of several keys with the widest
interval, and the mean cosine of the recovered to the true vectors around their mean. A map is
broken where half of what raw vectors leak is recovered. Attacks by map:

- pairs: Procrustes; ridge; for an order of columns, an assignment of columns; for cells, each within its cluster;
- stolen vectors without pairs: `align`; for cells, `align_cells`; for `asymmetric`, the thief encrypts its own vectors
  under a key of its own, aligns the stolen ones with these, and decrypts with its own key.

The alignment was developed on another corpus (newsgroups), with two exceptions, both after runs on complaints: several
starts were added when a single one failed at 3,000 stolen vectors, and ten starts below 1,000 stolen vectors when four
failed at 300. So the figures for complaints are those of an attack that was adapted to them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vestige.attacks.alignment.align import Pairs, align, align_pairs
from vestige.attacks.alignment.cells import align_cells, find_nearest
from vestige.attacks.alignment.columns import assign_columns, compare_columns
from vestige.attacks.alignment.schemes import align_encrypted
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.attacks.ridge import ridge_map
from vestige.attacks.rows import unit_length
from vestige.attacks.surrogate.selection import cluster_centres
from vestige.case.scorer import Scorer
from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import find_copies
from vestige.text.words import content_words
from vestige.types import Floats, Score, Vectors
from vestige.utility.neighbours import neighbourhood

CACHE = Path("vestige-audit/bench")
SIDE, STORE, TARGETS, DOCUMENTS = 8000, 4000, 500, 4000
PAIRS, STOLEN, REFINED = (3, 10, 100, 384, 1000), (100, 300, 1000), 3000
KEYS = 1
ADAPTED = {
    "permutation": (300,),
    "dcpe:2": (300,),
    "cells:16": (STORE,),
    "asymmetric:384": (1000,),
    "rotation": STOLEN,
}
"""The amounts of stolen vectors that each map is attacked with; alignments of many columns or noisy rows take long."""

REFINED_PAIRS, FEWEST_RIDGE = (384,), 10

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
    """Complaints: the rotation, by more stolen vectors."""
    yield from _judge_all("complaints", {"rotation": (300, 1000, 3000)})


def run_adapted() -> Iterator[str]:
    """Complaints: every map, by attacks that were adapted to it."""
    yield from _judge_all("complaints", ADAPTED)


def run_reviews() -> Iterator[str]:
    """Movie reviews, from VESTIGE_DATA: the rotation."""
    yield from _judge_all("imdb", {"rotation": STOLEN})


def _judge_all(corpus: str, maps: Mapping[str, Sequence[int]]) -> Iterator[str]:
    sides = read_sides(corpus)
    scores = WordScore(sides)
    raw = scores.score(sides.stolen.vectors[:TARGETS])
    sizes = f"{len(sides.own.texts):,} own and {len(sides.stolen.texts):,} stolen sentences"
    yield f"{corpus}: {sizes}, {TARGETS} scored, {KEYS} keys"
    yield _format("none", "raw vectors", [raw], [1.0])
    for spec, amounts in maps.items():
        yield from _judge(spec, amounts, sides, scores, raw.value)


def _judge(spec: str, amounts: Sequence[int], sides: Sides, scores: WordScore, raw: float) -> Iterator[str]:
    """Search, every attack on one map, then the amounts that break it."""
    rows = sides.stolen.vectors
    keys = [make_defense(spec).fit(rows, rng=np.random.default_rng(key)) for key in range(1, KEYS + 1)]
    hidden = [key.transform(rows) for key in keys]
    yield f"{spec}: recall@10 {_measure_recall(keys[0], sides.stolen, hidden[0]):.3f}"
    attacks = [list(_list_attacks(spec, amounts, sides, each)) for each in hidden]
    broken: dict[str, int | None] = {}
    for same in zip(*attacks, strict=True):
        what, amount, _ = same[0]
        found = [attack()(each[:TARGETS]) for (_, _, attack), each in zip(same, hidden, strict=True)]
        by_key = [scores.score(vectors) for vectors in found]
        mean = float(np.mean([score.value for score in by_key]))
        if broken.get(what) is None:
            broken[what] = amount if mean >= raw / 2 else None
        yield _format(spec, f"{what} {amount:,}", by_key, [scores.cosine(vectors) for vectors in found])
    limits = ", ".join(
        f"{kind}: not reached" if amount is None else f"{kind}: {amount:,}" for kind, amount in broken.items()
    )
    yield f"{spec}: half of the protection is lost at {limits}"


def _measure_recall(key: Defense, side: Side, hidden: Vectors) -> float:
    found = neighbourhood(
        side.vectors,
        hidden,
        rng=np.random.default_rng(0),
        queries=300,
        documents=side.documents,
        defended_queries=key.transform_queries(side.vectors),
    )
    return found.recall.value


def _list_attacks(
    spec: str, amounts: Sequence[int], sides: Sides, hidden: Vectors
) -> Iterator[tuple[str, int, Callable[[], Map]]]:
    """What the adversary has, how much of it, and the attack, which is run when it is called."""
    known = np.random.default_rng(2).permutation(sides.known)
    family, cells = spec.partition(":")[0], int(spec.partition(":")[2]) if spec.startswith("cells") else 1
    for amount in PAIRS:
        rows = known[:amount]
        pairs = hidden[rows], sides.stolen.vectors[rows]
        if family == "permutation" or "permute" in spec:
            yield "pairs, columns", amount, partial(_assign_pairs, pairs, hidden, sides.own.vectors)
        yield "pairs, Procrustes", amount, partial(_by_cell, align_pairs, pairs, hidden, cells)
        if amount >= FEWEST_RIDGE:
            yield "pairs, ridge", amount, partial(_by_cell, _fit_ridge, pairs, hidden, cells)
        if family == "rotation" and amount in REFINED_PAIRS:
            yield "pairs and 3,000 stolen", amount, partial(_align, hidden[:REFINED], sides.own.vectors, pairs)
    for amount in amounts:
        yield "stolen, no pairs", amount, partial(_align_stolen, family, cells, hidden[:amount], sides.own.vectors)


def _align(stolen: Vectors, own: Vectors, known: Pairs | None = None) -> Map:
    return align(stolen, own, rng=np.random.default_rng(0), known=known)


def _align_stolen(family: str, cells: int, stolen: Vectors, own: Vectors) -> Map:
    """Without pairs, by the attack that fits the scheme."""
    if cells > 1:
        return align_cells(stolen, own, cells, rng=np.random.default_rng(0))
    if family != "asymmetric":
        return _align(stolen, own)
    mine = make_defense(f"asymmetric:{stolen.shape[1] - own.shape[1]}").fit(own, rng=np.random.default_rng(9))
    return align_encrypted(stolen, own, mine.transform(own), np.random.default_rng(0))


def _assign_pairs(pairs: Pairs, hidden: Vectors, own: Vectors) -> Map:
    """Columns by known pairs, around the means of both clouds, at one length."""
    there, here = hidden.mean(axis=0), own.mean(axis=0)
    rows = unit_length(pairs[0] - there), unit_length(pairs[1] - here)
    matrix = assign_columns(compare_columns(*rows)).astype(np.float32)
    lengths = [float(np.linalg.norm(cloud - mean, axis=1).mean()) for cloud, mean in ((hidden, there), (own, here))]
    return lambda vectors: np.asarray((vectors - there) @ matrix * (lengths[1] / lengths[0]) + here, np.float32)


def _fit_ridge(pairs: Pairs) -> Map:
    rows = np.arange(len(pairs[0]))
    held = rows[: max(len(rows) // 5, 1)]
    return ridge_map(*pairs, np.setdiff1d(rows, held), held)


def _by_cell(fit: Callable[[Pairs], Map], pairs: Pairs, hidden: Vectors, cells: int) -> Map:
    """The attack within every cluster of hidden vectors that has pairs; there the thief sees the cells."""
    if cells == 1:
        return fit(pairs)
    centres = cluster_centres(np.asarray(hidden, np.float32), cells, np.random.default_rng(0))
    places = find_nearest(pairs[0], centres)
    whole = fit(pairs)
    fitted = {cell: fit(_take(pairs, places == cell)) for cell in range(cells) if (places == cell).sum() >= 2}

    def apply(vectors: Vectors) -> Vectors:
        nearest, found = find_nearest(vectors, centres), whole(vectors)
        for cell, own in fitted.items():
            found[nearest == cell] = own(vectors[nearest == cell])
        return found

    return apply


def _take(pairs: Pairs, rows: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Pairs:
    return pairs[0][rows], pairs[1][rows]


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

    def encode(rows: Sequence[int], count: int) -> Side:
        part: Corpus = sentences.take(rng.permutation(list(rows))[:count].tolist())
        return Side(part.texts, part.documents, encoder.encode(part.texts))

    return Sides(encode(mine, size), encode(others, min(size, STORE)))


def _format(spec: str, what: str, scores: Sequence[Score], cosines: Sequence[float]) -> str:
    """The mean over keys, from the lowest to the highest end of their intervals."""
    value, low, high = np.mean([each.value for each in scores]), min(x.low for x in scores), max(x.high for x in scores)
    by_key = f" by key {', '.join(f'{each.value:.3f}' for each in scores)}" if len(scores) > 1 else ""
    return (
        f"{spec:20} {what:28} {value:6.3f} ({low:.3f} to {high:.3f}) n={scores[0].n} cosine {np.mean(cosines):.3f}"
        f"{by_key}"
    )
