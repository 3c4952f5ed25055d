"""What defenses that hide labels cost in neighbours, what an attacker who looks at neighbours recovers, and a bound.

Encoder: MiniLM. Defenses are fitted on half of the other documents, never on the targets. One line per defense:
recall@10; leakage to the attack of the probe, fitted again on defended vectors; leakage to a vote of the ten nearest
defended rows whose labels the attacker knows. Every class, and every keyword, has equal weight.

Then what any map leaks that preserves a share of the neighbours, to an attacker who sees nothing but the lists of the
ten nearest known rows: if those that are lost are random, and at least, if they are the ones that mislead most. For
words see `word_bound`. Settings of `adapter` were chosen on documents of complaints that are not scored here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.case.case import Case, Missing
from vestige.case.inputs import read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.defend.candidates import OF_KEYWORDS, Candidate, is_redaction
from vestige.defend.request import SweepRequest
from vestige.defend.run import PreparedSweep, memoize_encoder, prepare_sweep
from vestige.probes.probe import Run
from vestige.text.corpora import load_corpus
from vestige.text.keywords import keyword_table
from vestige.types import Floats, Integers, Score, Vectors, silent
from vestige.utility.neighbour_bound import (
    count_votes,
    find_neighbours,
    find_price,
    least_left,
    vote_curve,
    vote_hits,
)

CACHE = Path("vestige-audit/bench")
SPECS = ("leace", "subspace", "ppm:1", "adapter:1", "adapter:16")
KERNEL_SPECS = ("adapter:16", "adapter:1,kernel=2", "adapter:4,kernel=8")
LOST = (0.0, 0.02, 0.05, 0.1, 0.3)
NEAREST = 10


@dataclass(frozen=True)
class Concept:
    """Classes of the known rows and of those targets that have one, numbered from 0."""

    known: Integers
    rows: Integers
    truth: Integers

    @property
    def weights(self) -> Floats:
        """Of a vote: one over the frequency of its class."""
        return np.asarray(1 / np.bincount(self.known))

    @property
    def shares(self) -> Floats:
        """Of a target: one over the targets of its class."""
        return np.asarray(1 / np.bincount(self.truth)[self.truth])


def run() -> Iterator[str]:
    """Complaints: the product, and sensitive keywords."""
    yield from _run("complaints", "product")


def run_reviews() -> Iterator[str]:
    """Movie reviews, from VESTIGE_DATA: the sentiment, and sensitive keywords if any occur."""
    yield from _run("imdb", "label")


def run_masked() -> Iterator[str]:
    """Complaints: sensitive keywords that are masked in the texts before these are encoded."""
    case, prepared = _prepare("complaints", "product")
    concepts = _read_keywords(case, prepared)
    yield f"complaints: {len(case.targets)} targets, {len(concepts)} keywords"
    yield from _judge(case, prepared, "keywords", concepts, (OF_KEYWORDS,))


def run_kernel() -> Iterator[str]:
    """Complaints: the adapter that is trained against a kernel as well, for the product and for keywords."""
    case, prepared = _prepare("complaints", "product")
    concepts = {"product": [_read_attribute(case, "product")], "keywords": _read_keywords(case, prepared)}
    for hides, own in concepts.items():
        yield f"{hides}: {len(own)} concepts, {len(case.targets)} targets"
        yield from _judge(case, prepared, hides, own, KERNEL_SPECS)


def _run(corpus: str, attribute: str) -> Iterator[str]:
    case, prepared = _prepare(corpus, attribute)
    yield f"{corpus}: {len(case.targets)} targets, {len(case.auxiliary['same-domain'].texts)} known rows"
    concepts = {attribute: [_read_attribute(case, attribute)], "keywords": _read_keywords(case, prepared)}
    for hides, own in ((hides, own) for hides, own in concepts.items() if own):
        yield f"{hides}: {len(own)} concepts, {int(own[0].known.max()) + 1} classes"
        yield from _judge(case, prepared, hides, own)
        yield from _bound_votes(case, hides, own)


def _prepare(corpus: str, attribute: str) -> tuple[Case, PreparedSweep]:
    settings = Settings(attributes=(attribute,))
    inputs = read_inputs(None, load_corpus(corpus), "minilm", None, settings, trained_on=None)
    inputs = inputs.cache_vectors(CACHE / "vectors")
    plan = plan_case(inputs, settings)
    assert isinstance(plan, CasePlan)
    case = memoize_encoder(plan.build(silent), inputs)
    request = SweepRequest((), None, None, 1, False, ("keywords", "attributes"))
    return case, prepare_sweep(case, request, Run(settings, silent, None))


def _read_attribute(case: Case, name: str) -> Concept:
    """Known rows without a label are a class of their own, which no target has."""
    assert case.truth is not None
    names = sorted({label for label in case.truth.attributes[name] if label is not None})
    place = {label: number for number, label in enumerate(names)}
    rows = np.array([row for row, label in enumerate(case.truth.attributes[name]) if label is not None])
    known = [place.get(str(label), len(names)) for label in case.auxiliary["same-domain"].attributes[name]]
    return Concept(np.array(known), rows, np.array([place[str(case.truth.attributes[name][row])] for row in rows]))


def _read_keywords(case: Case, prepared: PreparedSweep) -> list[Concept]:
    assert case.truth is not None
    words = prepared.sweep.fitter.keywords
    known, truth = (keyword_table(texts, words) for texts in (case.auxiliary["same-domain"].texts, case.truth.texts))
    rows = np.arange(len(truth))
    both = known.any(axis=0) & truth.any(axis=0)
    return [Concept(known[:, word].astype(int), rows, truth[:, word].astype(int)) for word in np.flatnonzero(both)]


def _judge(
    case: Case, prepared: PreparedSweep, hides: str, concepts: list[Concept], specs: Sequence[str] = SPECS
) -> Iterator[str]:
    """Each defense, against the probe and against neighbours."""
    stage, name = prepared.stages.stages[-1], hides if hides == "keywords" else f"attributes:{hides}"
    known = case.auxiliary["same-domain"].vectors
    for spec in (None, *specs):
        rng = stream(0, f"adapter {spec} {hides}")
        hidden = None if spec is None or is_redaction(spec) else hides
        defense = None if spec is None else prepared.sweep.fitter.fit(Candidate(spec, hidden), rng)
        assert not isinstance(defense, Missing)
        judged = stage.undefended if defense is None else stage.judge(defense, 1)
        recall = prepared.sweep.utility.score(defense)[0].score
        probed = next(each.adaptive for each in judged.privacy if each.probe == name)
        targets, table = (rows if defense is None else defense.transform(rows) for rows in (case.targets, known))
        voted = _vote(case, concepts, find_neighbours(targets, table, NEAREST))
        label = "none" if spec is None else Candidate(spec, hidden).name
        yield f"{label:20} recall@10 {_cell(recall)}  probe {_cell(probed)}  neighbours {_cell(voted)} n={probed.n}"


def _vote(case: Case, concepts: list[Concept], near: Integers) -> Score:
    """The leakage to a vote of neighbours: balanced accuracy above chance, averaged over concepts."""
    assert case.truth is not None
    hits = [vote_hits(count_votes(each.known, near[each.rows]), each.weights, each.truth) for each in concepts]
    chances = [np.full(len(each.truth), 1 / len(set(each.truth.tolist()))) for each in concepts]
    documents = [case.truth.documents[row] for each in concepts for row in each.rows]
    weights = np.concatenate([each.shares / each.shares.sum() for each in concepts])
    gains = np.concatenate(hits) - np.concatenate(chances)
    return Scorer(documents, 0).score(gains, weights=weights, baseline=0.0)


def _bound_votes(case: Case, hides: str, concepts: list[Concept]) -> Iterator[str]:
    known: Vectors = case.auxiliary["same-domain"].vectors
    near = find_neighbours(case.targets, known, NEAREST)
    for lost in LOST:
        drawn = _vote(case, concepts, _lose(near, len(known), lost))
        least = np.mean([_bound_one(each, near, lost) for each in concepts])
        yield f"{hides}, lists alone, recall {1 - lost:.2f}: lost at random {_cell(drawn)}, at least {least:.3f}"


def _bound_one(concept: Concept, near: Integers, lost: float) -> float:
    """Accuracy above the most frequent class that an unweighted vote has at least; never below zero."""
    votes = count_votes(concept.known, near[concept.rows])
    curve = vote_curve(votes, np.ones(votes.shape[1]), concept.truth)
    left = float(least_left(curve, lost, find_price(curve, lost)).mean())
    return max(left - float(np.bincount(concept.truth).max() / len(concept.truth)), 0.0)


def _lose(near: Integers, rows: int, lost: float) -> Integers:
    """The lists with a share of the neighbours replaced by random rows."""
    rng = np.random.default_rng(0)
    return np.where(rng.random(near.shape) < lost, rng.integers(rows, size=near.shape), near)


def _cell(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
