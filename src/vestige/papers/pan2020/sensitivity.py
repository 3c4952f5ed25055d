"""Table IV: how far a vector moves when one word of its text is another, in L1."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.defenses.sensitivity import estimated_sensitivity
from vestige.metrics.bootstrap import document_mean
from vestige.papers.pan2020.differs import differs
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import read_sides
from vestige.papers.published import published
from vestige.papers.record import Findings, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.changed import substituted
from vestige.text.corpus import Corpus
from vestige.types import Floats, Vectors

COLUMNS = ("largest move", "mean move")
PAIRS = 10_000
BY = "words substituted"
PRINTED = {
    "Bert": 81.82,
    "Transformer-XL": 17.09,
    "XLNet": 601.5,
    "GPT": 73.19,
    "GPT-2": 110.2,
    "RoBERTa": 4.15,
    "XLM": 219.4,
    "Ernie 2.0": 28.20,
}
"""Distances, and no percentages, which depend on how long the vectors of a model are."""


@dataclass(frozen=True)
class Changed:
    """Sentences, and row by row the same with a word changed."""

    original: Corpus
    changed: Corpus

    def vectors(self, target: Victim) -> tuple[Vectors, Vectors]:
        """Of both."""
        return target.vectors(self.original), target.vectors(self.changed)


def table4(run: Run[Sizes]) -> Findings:
    """Pairs of sentences that differ in one word."""
    changed = read_changed(run)
    rows = []
    for section, printed in published("pan2020", "table4").items():
        targets = models(run, printed, [changed.original, changed.changed])
        advance = run.progress("table4, rows", len(targets))
        for target in targets:
            place = Place("table4", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, changed, lambda target: _lines(run, changed, target)))
            advance(1)
    return Findings(tuple(rows), differs(run, targets) + _differ(changed))


def read_changed(run: Run[Sizes]) -> Changed:
    """Sentences of the medical texts, or of what stands for them, each with one word that is another."""
    sentences = read_sides(run, "Medical").targets
    made = substituted(sentences.texts, pairs=run.sizes.strengths.changed, rng=stream(run.seed, "substituted"))
    return Changed(Corpus(sentences.name, made.original), Corpus(sentences.name, made.changed))


def _lines(run: Run[Sizes], changed: Changed, target: Victim) -> Iterator[Line | str]:
    original, other = (vectors.astype(np.float64) for vectors in changed.vectors(target))
    moves = relative_moves(original, other)
    mean = document_mean(moves, changed.original.texts, stream(run.seed, "bootstrap"))
    yield Line(BY, (exactly(float(moves.max()), len(moves)), mean))
    printed = f"{PRINTED[target.model]:g} in the paper" if target.model in PRINTED else "not in the paper"
    yield f"estimated sensitivity (largest L1 distance): {estimated_sensitivity(original, other):.4g} here, {printed}"


def relative_moves(original: Floats, other: Floats) -> Floats:
    """The L1 distance of each pair, as a share of the most that vectors of their lengths can have."""
    moves: Floats = np.abs(original - other).sum(axis=1) / (np.abs(original) + np.abs(other)).sum(axis=1)
    return moves


def _differ(changed: Changed) -> tuple[str, ...]:
    return (
        "The paper prints distances, in the units of each model's vectors; they stand in words below the table. The "
        "columns are ours and do not depend on how long vectors are: the L1 distance in percent of the sum of the two "
        "vectors' L1 lengths, which it cannot exceed.",
        f"Pairs: {len(changed.original):,} sentences of '{changed.original.name}' ({PAIRS:,} of texts that the paper "
        "does not name), one word of each replaced by another word of the corpus. The largest has no interval: more "
        "pairs can only raise it, so that it is no bound, and what rests on it no guarantee.",
        "The paper's times for querying a batch are not measured, since the same seed is to give the same page.",
    )
