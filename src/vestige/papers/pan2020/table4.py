"""Table IV: the L1 distance by which a vector moves when one word of its text changes (Pan et al. 2020)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from vestige.case.randomness import stream
from vestige.defenses.laplace import estimate_sensitivity
from vestige.metrics.intervals import document_mean
from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.notes import model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import read_split
from vestige.papers.published import Sections, list_models
from vestige.papers.record import Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.perturbed import substitute_words
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
"""L1 distances as printed. They are no percentages, and they grow with the length of a model's vectors."""


@dataclass(frozen=True)
class ChangedSentences:
    """Sentences, and row by row the same sentences with one word changed."""

    original: Corpus
    changed: Corpus

    def vectors(self, target: Victim) -> tuple[Vectors, Vectors]:
        """The vectors of both."""
        return target.vectors(self.original), target.vectors(self.changed)


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Pairs of sentences that differ in one word."""
    changed = read_changed(run)
    targets = load_models(run, list_models(printed), [changed.original, changed.changed])
    rows = plan_rows(printed, targets, changed, partial(_lines, run, changed))
    return Plan(rows, model_notes(run, targets) + _change_notes(changed))


def read_changed(run: PaperRun[PanSizes]) -> ChangedSentences:
    """Sentences of the medical texts or their stand-in, each with one word substituted."""
    sentences = read_split(run, "Medical").targets
    made = substitute_words(sentences.texts, pairs=run.sizes.strengths.changed, rng=stream(run.seed, "substituted"))
    return ChangedSentences(Corpus(sentences.name, made.original), Corpus(sentences.name, made.perturbed))


def _lines(run: PaperRun[PanSizes], changed: ChangedSentences, target: Victim) -> Iterator[Line | str]:
    original, other = (vectors.astype(np.float64) for vectors in changed.vectors(target))
    moves = relative_moves(original, other)
    mean = document_mean(moves, changed.original.texts, stream(run.seed, "bootstrap"))
    yield Line(BY, (exact_score(float(moves.max()), len(moves)), mean))
    printed = f"{PRINTED[target.model]:g} in the paper" if target.model in PRINTED else "not in the paper"
    yield f"estimated sensitivity (largest L1 distance): {estimate_sensitivity(original, other):.4g} here, {printed}"


def relative_moves(original: Floats, other: Floats) -> Floats:
    """The L1 distance of each pair as a share of its upper bound, the sum of the two L1 lengths."""
    moves: Floats = np.abs(original - other).sum(axis=1) / (np.abs(original) + np.abs(other)).sum(axis=1)
    return moves


def _change_notes(changed: ChangedSentences) -> tuple[str, ...]:
    """How Table IV differs from the paper."""
    return (
        "The paper prints distances, in the units of each model's vectors; the samples below the table state them. "
        "The columns are ours and do not depend on the length of vectors: the L1 distance in percent of the sum of the "
        "two vectors' L1 lengths, which it cannot exceed.",
        f"Pairs: {len(changed.original):,} sentences of '{changed.original.name}' ({PAIRS:,} of texts that the paper "
        "does not name), one word of each replaced by another word of the corpus. The largest has no interval: more "
        "pairs can only raise it, so that it is no bound, and noise scaled by it gives no guarantee.",
        "The paper's times for querying a batch are not measured, since the same seed must give the same page.",
    )


TABLES = {"table4": Table("Table IV: how far one word moves a vector", COLUMNS, plan)}
