"""Figure 3: nucleotides recovered from the vectors of genome sequences, by position (Pan et al. 2020, Section V)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean, proportion
from vestige.metrics.pattern_recovery import pattern_recovery
from vestige.papers.notes import explain_missing_corpus
from vestige.papers.pan2020.notes import describe_examples, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.table2 import RECIPES, FittedReconstructor, fit_reconstructor
from vestige.papers.published import Sections, list_models
from vestige.papers.record import PRIOR, Curve, Line, Plot, Point
from vestige.papers.rows import Lines, MeasuredRow, Place, PlannedRow, plan_row, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, Victims
from vestige.text.corpora import is_available, load_corpus
from vestige.text.corpus import Corpus
from vestige.text.patterns import Records, load_pattern
from vestige.types import FieldGuesses, Score

PATTERN, LENGTH = "genome", 20
HUMAN, GENERATED = "Human sequences", "Generated sequences"
COLUMNS = ("mean", *(f"position {place}" for place in range(1, LENGTH + 1)))


@dataclass(frozen=True)
class GenomeSequences:
    """Sequences under attack, with the nucleotide at each position."""

    corpus: Corpus
    secrets: Mapping[str, Sequence[str]]

    @classmethod
    def from_records(cls, name: str, records: Records) -> "GenomeSequences":
        """From records of the pattern."""
        return cls(Corpus(name, records.texts), records.secrets)

    @property
    def table(self) -> npt.NDArray[np.str_]:
        """The nucleotides, one row per sequence and one column per position."""
        return np.array(list(self.secrets.values())).T


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Sequences of twenty nucleotides: generated ones, and human ones if available."""
    pattern, sites = load_pattern(PATTERN), None
    made = GenomeSequences.from_records("made", pattern.generate(run.sizes.records, stream(run.seed, "made")))
    fit = memoize_fits(run)
    texts, attacks = [made.corpus], {GENERATED: _Attack(made, partial(_recover, run, fit, made))}
    if is_available("splice"):
        sites = read_sites(run, 2 * run.sizes.records)
        human = GenomeSequences.from_records("splice", pattern.read(sites.texts))
        texts.append(human.corpus)
        attacks[HUMAN] = _Attack(human, partial(_recover, run, fit, human))
    targets = load_models(run, list_models(printed), texts)
    rows = list(_plan_rows(printed, targets, attacks))
    notes = model_notes(run, targets) + sequence_notes(run.sizes, None if sites is None else len(sites))
    return Plan(rows, notes, plots=_plots)


@dataclass(frozen=True)
class _Attack:
    """What is measured in a section, and the texts that it depends on."""

    texts: object
    lines: Lines


def _plan_rows(printed: Sections, targets: Victims, attacks: Mapping[str, _Attack]) -> Iterator[PlannedRow]:
    for section, models in printed.items():
        for model, figures in models.items():
            place, attack = Place(section, model, figures), attacks.get(section)
            if attack is None:
                yield skip_row(place, targets[model].here, explain_missing_corpus("splice"))
            else:
                yield plan_row(place, targets[model], attack.texts, attack.lines)


def read_sites(run: PaperRun[PanSizes], most: int) -> Corpus:
    """The twenty nucleotides around the middle of at most so many sequences; the border of a splice site is there.

    Sequences with a letter for an unknown nucleotide are dropped, and so are copies.
    """
    corpus = load_corpus("splice")
    start = (len(corpus.texts[0]) - LENGTH) // 2
    middles = [text[start : start + LENGTH] for text in corpus.texts]
    rows = [row for row, text in enumerate(middles) if set(text) <= set("ACGT") and middles.index(text) == row]
    # The file lists one class after the other; either half of the rows needs both.
    rows = stream(run.seed, "sites").permutation(rows)[:most].tolist()
    labels = ["none" if label == "N" else "site" for label in corpus.attributes["label"]]
    return Corpus("splice", [middles[row] for row in rows], attributes={"site": [labels[row] for row in rows]})


Fit = Callable[[str, Victim], FittedReconstructor]
"""The attack by a recipe on the vectors of an encoder."""


def memoize_fits(run: PaperRun[PanSizes]) -> Fit:
    """The attack learns from generated sequences alone, so that one training serves every section."""
    fitted: dict[tuple[str, str], FittedReconstructor] = {}

    def fit(recipe: str, target: Victim) -> FittedReconstructor:
        if (recipe, target.model) not in fitted:
            fitted[recipe, target.model] = fit_reconstructor(run, PATTERN, recipe, target)
        return fitted[recipe, target.model]

    return fit


def _recover(run: PaperRun[PanSizes], fit: Fit, attacked: GenomeSequences, target: Victim) -> Iterator[Line]:
    for by, recipe in RECIPES.items():
        fitted = fit(recipe, target)
        guesses = fitted.attack.infer(target.vectors(attacked.corpus))
        recovered = pattern_recovery(guesses, attacked.secrets)
        mean = mean_over_sequences(correct_guesses(guesses, attacked.secrets), run.seed)
        scores = (mean, *(field.top1 for field in recovered.fields.values()))
        yield Line(by, scores, fitted.logs, fitted.seconds)
    yield Line(PRIOR, score_most_frequent(attacked.secrets, run.seed))


def correct_guesses(guesses: FieldGuesses, secrets: Mapping[str, Sequence[str]]) -> list[list[bool]]:
    """Whether each guess is correct: one list per position."""
    return [
        [guesses.values[name][place] == true for place, true in zip(table.argmax(axis=1), secrets[name], strict=True)]
        for name, table in guesses.probabilities.items()
    ]


def score_most_frequent(secrets: Mapping[str, Sequence[str]], seed: int) -> tuple[Score, ...]:
    """The baseline of the paper: at each position the nucleotide that is most frequent there."""
    common = {name: Counter(values).most_common(1)[0][0] for name, values in secrets.items()}
    correct = [[value == common[name] for value in values] for name, values in secrets.items()]
    return (mean_over_sequences(correct, seed), *(proportion(sum(hits), len(hits)) for hits in correct))


def mean_over_sequences(correct: Sequence[Sequence[bool]], seed: int) -> Score:
    """The share of correct positions, averaged over sequences."""
    shares = np.mean(correct, axis=0)
    return document_mean(shares, [str(row) for row in range(len(shares))], stream(seed, "bootstrap"))


def _plots(measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for section in (HUMAN, GENERATED):
        curves = [
            Curve(f"{one.row.model}, {line.by}", tuple(_points(line)))
            for one in measured
            for line in one.row.lines
            if one.row.section == section
        ]
        if curves:
            yield Plot(f"Accuracy by position, {section.lower()}", "position", "accuracy", tuple(_merge_prior(curves)))


def _points(line: Line) -> Iterator[Point]:
    for place, score in enumerate(line.scores[1:], start=1):
        assert score is not None
        yield Point(place, score)


def _merge_prior(curves: Sequence[Curve]) -> Iterator[Curve]:
    """One curve for guessing, which is the same for every model."""
    guessing = [curve for curve in curves if curve.label.endswith(PRIOR)]
    yield from (curve for curve in curves if curve not in guessing)
    if guessing:
        yield Curve(PRIOR, guessing[0].points)


def sequence_notes(sizes: PanSizes, sites: int | None) -> tuple[str, ...]:
    """How Figure 3 differs from the paper."""
    human = (
        "Human sequences are skipped: the corpus 'splice' is not available."
        if sites is None
        else f"Human sequences: {sites:,} of 'splice' (UCI), the twenty nucleotides around the middle, where the "
        "border of a site is, in place of HS3D (2,000)."
    )
    return (
        f"{human} Generated sequences: {sizes.records:,}, all nucleotides equally likely. Sequences are written "
        "without spaces; the attack learns from generated ones.",
        describe_examples(sizes),
        "Guessing is the most frequent nucleotide of each position. The paper prints the mean only for GPT-2.",
    )


TABLES = {"figure3": Table("Figure 3: nucleotides recovered from sequences, by position", COLUMNS, plan)}
