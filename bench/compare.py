"""The paired interval of a comparison: its coverage, its power, and its false alarms if nothing changed.

Both measure `subtract_targets`, as `vestige compare` calls it. `compare` simulates gains of sentences in documents.
`compare_null` attacks real vectors: two sets of vectors that leak the same by construction are attacked, and 200 draws
of target documents are compared. Each kind of null has six fits, so that the 200 draws reuse 15 pairs of fits: they
show how often documents raise a false alarm, and hardly how often fits do. `FIT_SPREAD` covers the largest SD of the
fits that a record shows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.audit.difference import FIT_SPREAD, PRIMARY, share_error, subtract_targets
from vestige.case.findings import TargetScores
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import split_documents
from vestige.text.words import content_words
from vestige.types import Floats, Integers, Score, Vectors

SIMULATIONS, NULL_COMPARISONS = 2000, 200
SPREAD, CORRELATION, WITHIN = 0.2, 0.7, 0.3
"""The SD of a target's gain, its correlation between two runs, and its correlation within a document."""

PLANTED, TARGETS, PROBES = 0.02, 1000, 9
PAIRS, POOL, REFITS, NOISE = 3000, 4000, 6, 0.02
CASES = (("minilm", 5000), ("wordllama", 6000))
"""Encoders, and the seed of everything that is drawn for each; the record that set `FIT_SPREAD` used 3000 and 4000."""

Shape = Callable[[Floats], Floats]
SHAPES: dict[str, Shape] = {
    "normal gains": lambda normal: SPREAD * normal,
    "skewed gains (log-normal)": lambda normal: SPREAD * (np.exp(normal) - np.exp(0.5)) / np.sqrt(np.e * (np.e - 1)),
    "hits or misses": lambda normal: (normal > 0.5).astype(np.float64),
}


@dataclass(frozen=True)
class Gains:
    """The gains of two runs on the same sentences, and the number of the document of each."""

    base: Floats
    new: Floats
    documents: Sequence[int]

    def compare(self, among: int = 1) -> Score:
        """The difference as `vestige compare` reports it."""
        sides = (TargetScores("", tuple(self.documents), tuple(gains.tolist())) for gains in (self.base, self.new))
        return subtract_targets(*sides, among=among)

    def change(self, difference: float) -> "Gains":
        """NEW with so much more for every sentence."""
        return Gains(self.base, self.new + difference, self.documents)


def simulate(
    documents: int, shape: Shape, rng: np.random.Generator, *, correlation: float = CORRELATION, longest: int = 7
) -> Gains:
    """Documents of up to `longest` sentences; the runs share a part of every sentence and of every document."""
    owner = np.repeat(np.arange(documents), rng.integers(1, longest + 1, documents))

    def draw() -> Floats:
        shared, own = rng.normal(size=documents)[owner], rng.normal(size=len(owner))
        drawn: Floats = np.sqrt(WITHIN) * shared + np.sqrt(1 - WITHIN) * own
        return drawn

    shared = draw()
    base, new = (shape(np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * draw()) for _ in range(2))
    return Gains(base, new, owner.tolist())


def run() -> Iterator[str]:
    yield f"coverage of the 95% interval in {SIMULATIONS} simulations each; the fits differ with an SD of {FIT_SPREAD}"
    for name, shape in SHAPES.items():
        yield from _describe_coverage(name, shape, FIT_SPREAD)
    yield from _describe_coverage("equal fits", SHAPES["normal gains"], 0.0)
    yield from _describe_power()
    yield from _describe_false_alarms()


def _describe_coverage(name: str, shape: Shape, spread: float) -> Iterator[str]:
    for documents in (20, 50, 300):
        yield f"  {name}, {documents} documents: {_count_covered(documents, shape, spread):.3f}"


def _count_covered(documents: int, shape: Shape, spread: float) -> float:
    """How often the interval holds the true difference, 0, if two fits differ by chance with this SD."""
    covered = 0
    for simulation in range(SIMULATIONS):
        rng = np.random.default_rng([simulation, documents])
        score = simulate(documents, shape, rng).change(rng.normal(0, spread)).compare()
        covered += score.low <= 0 <= score.high
    return covered / SIMULATIONS


def _describe_power() -> Iterator[str]:
    """How often a planted change of words is called worse; documents are as long as in the default audit, or longer."""
    for correlation, longest in ((0.7, 2), (0.9, 2), (0.7, 7)):
        documents = 2 * TARGETS // (longest + 1)
        for probes in (1, PROBES):
            among = share_error(name_probes(probes))[PRIMARY]
            worse = 0
            for simulation in range(400):
                rng = np.random.default_rng([simulation, TARGETS])
                gains = simulate(documents, SHAPES["normal gains"], rng, correlation=correlation, longest=longest)
                worse += gains.change(PLANTED + rng.normal(0, FIT_SPREAD)).compare(among).low > 0
            yield (
                f"{PLANTED:+} planted in about {TARGETS} targets of {documents} documents, correlation {correlation}, "
                f"{probes} probe(s) compared: called worse in {worse / 400:.3f} of 400"
            )


def name_probes(count: int) -> list[str]:
    """So many probes, words first."""
    return [PRIMARY, *(f"probe {number}" for number in range(1, count))]


def _describe_false_alarms() -> Iterator[str]:
    """Comparisons of nine probes without any change; an alarm is any probe that is called worse or better."""
    worse = other = 0
    for comparison in range(NULL_COMPARISONS):
        scores = []
        for probe, among in enumerate(share_error(name_probes(PROBES)).values()):
            rng = np.random.default_rng([comparison, probe])
            gains = simulate(100, SHAPES["normal gains"], rng)
            scores.append(gains.change(rng.normal(0, FIT_SPREAD)).compare(among))
        worse += any(score.low > 0 for score in scores)
        other += any(score.high < 0 for score in scores)
    yield f"{NULL_COMPARISONS} null comparisons of {PROBES} probes: {worse} with any worse, {other} with any better"


Attack = MultiLabelInverter | MultiSetInverter
ATTACKS: dict[str, Callable[[], Attack]] = {
    "multi-label": lambda: MultiLabelInverter(vocabulary_size=3000),
    "multi-set": lambda: MultiSetInverter(vocabulary_size=3000),
}


@dataclass(frozen=True)
class Attacked:
    """Sentences that the adversary knows, those under attack, and the vectors of both."""

    known: Corpus
    targets: Corpus
    known_vectors: Vectors
    target_vectors: Vectors


@cache
def prepare(encoder: str, seed: int, pairs: int = PAIRS, pool: int = POOL) -> Attacked:
    """Sentences of the complaints, split by documents and encoded."""
    sentences = load_corpus("complaints").sentences(shortest=8, longest=40)
    sentences = sentences.take([row for row, text in enumerate(sentences.texts) if content_words(text)])
    split = split_documents(sentences.documents, 0.5, stream(seed, "split"))
    known, targets = sentences.take(split.auxiliary[:pairs]), sentences.take(split.target[:pool])
    loaded = load_encoder(encoder)
    return Attacked(known, targets, loaded.encode(known.texts), loaded.encode(targets.texts))


def score_fit(attack: Attack, case: Attacked, change: Callable[[Vectors], Vectors], seed: int) -> Floats:
    """The F1 of each target, after the vectors of both sides were changed."""
    attack.fit(change(case.known_vectors), case.known.texts, rng=stream(seed, "attack"), documents=case.known.documents)
    guesses = attack.infer(change(case.target_vectors))
    return word_recovery(guesses.sets, [content_words(text) for text in case.targets.texts]).f1


def _rotate(seed: int, dimension: int) -> Callable[[Vectors], Vectors]:
    rotation = np.linalg.qr(np.random.default_rng([seed, 1]).normal(size=(dimension, dimension)))[0]
    return lambda vectors: (vectors @ rotation).astype(np.float32)


def disturb(seed: int, noise: float = NOISE) -> Callable[[Vectors], Vectors]:
    """Noise of so much of the length of a vector, drawn with this seed."""
    rng = np.random.default_rng([seed, 2])
    return lambda vectors: (vectors + noise / np.sqrt(vectors.shape[1]) * rng.normal(size=vectors.shape)).astype(
        np.float32
    )


def run_null() -> Iterator[str]:
    for encoder, first in CASES:
        case = prepare(encoder, first)
        for name, make in ATTACKS.items():
            for change, scores in _fit_all(case, make, first):
                yield f"{encoder}, {name}, {change}: {_describe_null(scores, case.targets.documents)}"


def _fit_all(case: Attacked, make: Callable[[], Attack], first: int) -> Iterator[tuple[str, list[Floats]]]:
    """The scores of several fits that should be equal; in the first two kinds, the attack has the same seed."""
    seeds, dimension = range(first, first + REFITS), case.known_vectors.shape[1]
    rotations = [_rotate(seed, dimension) for seed in seeds]
    yield "rotated", [score_fit(make(), case, rotation, first) for rotation in rotations]
    yield f"noise of {NOISE} of the length", [score_fit(make(), case, disturb(seed), first) for seed in seeds]
    both = zip(rotations, seeds, strict=True)
    yield "rotated, another seed of the attack", [score_fit(make(), case, rotation, seed) for rotation, seed in both]


def draw_targets(documents: Sequence[str], rng: np.random.Generator) -> tuple[Integers, list[int]]:
    """The rows of about `TARGETS` sentences, which are all of the drawn documents, and the document of each."""
    names = np.array(documents)
    drawn = rng.permutation(np.unique(names))
    rows = np.flatnonzero(np.isin(names, drawn[: len(drawn) * TARGETS // len(names)]))
    return rows, np.unique(names[rows], return_inverse=True)[1].tolist()


def _describe_null(scores: list[Floats], documents: list[str]) -> str:
    """False alarms over draws of documents and pairs of fits, and how much the fits vary."""
    rng = np.random.default_rng(0)
    pairs = list(combinations(range(len(scores)), 2))
    worse, better, reach = 0, 0, []
    for comparison in range(NULL_COMPARISONS):
        base, new = pairs[comparison % len(pairs)]
        rows, numbers = draw_targets(documents, rng)
        score = Gains(scores[base][rows], scores[new][rows], numbers).compare()
        worse, better = worse + (score.low > 0), better + (score.high < 0)
        reach.append((score.high - score.low) / 2)
    means = [each.mean() for each in scores]
    return (
        f"{worse} worse and {better} better in {NULL_COMPARISONS}; "
        f"the interval reaches {np.median(reach):.4f} on either side with about {TARGETS} targets; "
        f"the mean F1 is {np.mean(means):.4f} with an SD of {np.std(means, ddof=1):.5f} over fits"
    )
