"""What undoes a secret map: words recovered by number of known pairs, and without any pair by number of stolen vectors.

The thief has the encoder (MiniLM) and 8,000 sentences of other documents of the same kind, and knows which scheme is in
use, but no key; 4,000 sentences are stored. An attack on words, fitted on these, is run on what the thief makes of the
stolen vectors. One line per map and amount: leakage (F1 over guessing), the mean of several keys with the widest
interval, and the mean cosine of the recovered to the true vectors around their mean. A map has lost half of its
protection where half of what raw vectors leak is recovered. Attacks by map:

- pairs: Procrustes; ridge; for an order of columns, an assignment of columns; for cells, each within its cluster; for
  a rotation also the pairs of another key, as of another tenant;
- stolen vectors without pairs: `align`, which tries an assignment of columns first; for cells, `align_cells`; for
  `asymmetric`, the thief encrypts its own vectors under a key of its own, aligns the stolen ones with these, and
  decrypts with its own key. `judge` and `defend --thief` run the same attacks, and have to recognise the scheme.

The alignment was developed on another corpus (newsgroups), with two exceptions, both after runs on complaints: several
starts were added when a single one failed at 3,000 stolen vectors, and ten starts below 1,000 stolen vectors when four
failed at 300. So the figures for complaints are those of an attack that was adapted to them.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
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
from vestige.types import Floats, Score, Singles, Vectors
from vestige.utility.neighbours import neighbourhood

CACHE = Path("vestige-audit/bench")
SIDE, STORE, TARGETS, DOCUMENTS = 8000, 4000, 500, 4000
MAPS = ("rotation", "permutation", "dcpe:2", "cells:16", "asymmetric:384")
PAIRS, KEYS = (3, 10, 100, 384, 768, 1000), 3
STOLEN = {
    "dcpe:2": {100: 3, 300: 3},
    "permutation": {300: 3, 1000: 1},
    "rotation": {300: 3, 1000: 3},
    "cells:16": {STORE: 1},
    "asymmetric:384": {1000: 1},
}
"""By map the amounts of stolen vectors that it is attacked with, and with how many keys: of many columns, or in many
cells, an alignment takes long."""

REVIEWED = {"rotation": {300: 1, 1000: 1, 3000: 1}}
ENCRYPTED = {"asymmetric:384": {STORE: 1}}
FEWEST_RIDGE = 10

Map = Callable[[Vectors], Vectors]


@dataclass(frozen=True)
class Attack:
    """What the adversary has, how much of it, and how it is fitted; `counts` if it can show that a map is broken."""

    what: str
    amount: int
    fit: Callable[[], Map]
    counts: bool = True


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
    """Complaints: rotation and permutation without any pair, by number of stolen vectors."""
    yield from _run_stolen("complaints", dict.fromkeys(("rotation", "permutation"), REVIEWED["rotation"]))


def run_adapted() -> Iterator[str]:
    """Complaints: every map without any pair, by attacks that were adapted to it."""
    yield from _run_stolen("complaints", STOLEN)


def run_encrypted() -> Iterator[str]:
    """Complaints: encryption that preserves products, without any pair, with all stored vectors stolen."""
    yield from _run_stolen("complaints", ENCRYPTED)


def run_pairs() -> Iterator[str]:
    """Complaints: search behind every map, and known pairs."""
    sides, scores, raw = yield from _open("complaints")
    for spec in MAPS:
        keys = _fit_keys(spec, sides, KEYS)
        hidden = [key.transform(sides.stolen.vectors) for key in keys]
        recall = np.mean([_measure_recall(*each, sides.stolen) for each in zip(keys, hidden, strict=True)])
        yield f"{spec}: recall@10 {recall:.3f}"
        attacks = zip(*(_list_pair_attacks(spec, sides, each) for each in hidden), strict=True)
        yield from _judge(spec, "half is lost with known pairs", attacks, hidden, scores, raw)


def run_reviews() -> Iterator[str]:
    """Movie reviews, from VESTIGE_DATA: the rotation without any pair."""
    yield from _run_stolen("imdb", REVIEWED)


def _run_stolen(corpus: str, maps: Mapping[str, Mapping[int, int]]) -> Iterator[str]:
    sides, scores, raw = yield from _open(corpus)
    for spec, amounts in maps.items():
        attacks = []
        hidden = [key.transform(sides.stolen.vectors) for key in _fit_keys(spec, sides, max(amounts.values()))]
        for amount, keys in amounts.items():
            own = sides.own.vectors
            attacks.append(
                [
                    Attack("stolen, no pairs", amount, partial(_align_stolen, spec, each[:amount], own))
                    for each in hidden[:keys]
                ]
            )
        yield from _judge(spec, "half of the protection is lost at stolen, no pairs", attacks, hidden, scores, raw)


def _open(corpus: str) -> Generator[str, None, tuple[Sides, WordScore, float]]:
    """Both sides, the attack on words, and what it recovers from raw vectors."""
    sides = read_sides(corpus)
    scores = WordScore(sides)
    raw = scores.score(sides.stolen.vectors[:TARGETS])
    sizes = f"{len(sides.own.texts):,} own and {len(sides.stolen.texts):,} stolen sentences"
    yield f"{corpus}: {sizes}, {TARGETS} scored"
    yield _format("none", "raw vectors", [raw], [1.0])
    return sides, scores, raw.value


def _fit_keys(spec: str, sides: Sides, count: int) -> list[Defense]:
    return [make_defense(spec).fit(sides.stolen.vectors, rng=np.random.default_rng(key)) for key in range(1, count + 1)]


def _judge(
    spec: str,
    broken_by: str,
    attacks: Iterable[Sequence[Attack]],
    hidden: Sequence[Vectors],
    scores: WordScore,
    raw: float,
) -> Iterator[str]:
    """Every attack, under every key; then the smallest amount with which half of the protection is lost."""
    by_amount: dict[int, float] = {}
    for same in attacks:
        found = [attack.fit()(each[:TARGETS]) for attack, each in zip(same, hidden, strict=False)]
        by_key = [scores.score(vectors) for vectors in found]
        first, mean = same[0], float(np.mean([score.value for score in by_key]))
        if first.counts:
            by_amount[first.amount] = max(by_amount.get(first.amount, 0.0), mean)
        yield _format(spec, f"{first.what} {first.amount:,}", by_key, [scores.cosine(vectors) for vectors in found])
    broken = next((amount for amount, leak in sorted(by_amount.items()) if leak >= raw / 2), None)
    tried = max(by_amount)
    answer = f"{broken:,}" if broken else f"more than {tried:,} ({by_amount[tried]:.3f} leaks there)"
    yield f"{spec}: {broken_by}: {answer}"


def _measure_recall(key: Defense, hidden: Vectors, side: Side) -> float:
    found = neighbourhood(
        side.vectors,
        hidden,
        rng=np.random.default_rng(0),
        queries=300,
        documents=side.documents,
        defended_queries=key.transform_queries(side.vectors),
    )
    return found.recall.value


def _list_pair_attacks(spec: str, sides: Sides, hidden: Vectors) -> Iterator[Attack]:
    """What an adversary can do with known pairs."""
    known, raw = np.random.default_rng(2).permutation(sides.known), sides.stolen.vectors
    cells = _count_cells(spec)
    single = np.asarray(hidden, np.float32)
    centres = None if cells == 1 else cluster_centres(single, cells, np.random.default_rng(0))
    for amount in PAIRS:
        rows = known[:amount]
        pairs = hidden[rows], raw[rows]
        if spec == "permutation":
            yield Attack("pairs, columns", amount, partial(_assign_pairs, pairs, hidden, sides.own.vectors))
        yield Attack("pairs, Procrustes", amount, partial(_by_cell, align_pairs, pairs, centres))
        if amount >= FEWEST_RIDGE:
            yield Attack("pairs, ridge", amount, partial(_by_cell, _fit_ridge, pairs, centres))
    if spec == "rotation":
        other = make_defense(spec).fit(raw, rng=np.random.default_rng(99)).transform(raw[rows])
        yield Attack("pairs of another key", amount, partial(align_pairs, (other, raw[rows])), counts=False)


def _count_cells(spec: str) -> int:
    return int(spec.partition(":")[2]) if spec.startswith("cells") else 1


def _align_stolen(spec: str, stolen: Vectors, own: Vectors) -> Map:
    """Without pairs, by the attack that fits the scheme."""
    rng = np.random.default_rng(0)
    if _count_cells(spec) > 1:
        return align_cells(stolen, own, _count_cells(spec), rng=rng)
    if not spec.startswith("asymmetric"):
        return align(stolen, own, rng=rng)
    mine = make_defense(spec).fit(own, rng=np.random.default_rng(9))
    return align_encrypted(stolen, own, mine.transform(own), rng)


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


def _by_cell(fit: Callable[[Pairs], Map], pairs: Pairs, centres: Singles | None) -> Map:
    """The attack within every cluster of hidden vectors that has pairs; there the thief sees the cells."""
    if centres is None:
        return fit(pairs)
    places = find_nearest(pairs[0], centres)
    whole = fit(pairs)
    fitted = {cell: fit(_take(pairs, places == cell)) for cell in range(len(centres)) if (places == cell).sum() >= 2}

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
