"""Figure 3: nucleotides read out of the vectors of sequences, position by position."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.bootstrap import document_mean
from vestige.metrics.pattern_recovery import pattern_recovery
from vestige.metrics.proportion import proportion
from vestige.papers.pan2020.citizen import RECIPES, reconstructor
from vestige.papers.pan2020.differs import differs, sequences_differ
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.published import published
from vestige.papers.record import PRIOR, Curve, Findings, Line, Plot, Point, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus
from vestige.text.named import is_present, load_corpus
from vestige.text.patterns import Records, load_pattern
from vestige.types import FieldGuesses, Score
from vestige.utility.mlp_probe import MlpProbe

PATTERN, LENGTH = "genome", 20
HUMAN, MADE, SITES = "Human sequences", "Generated sequences", "Splice sites told apart (Figure 8a)"
COLUMNS = ("mean", *(f"position {place}" for place in range(1, LENGTH + 1)))
NO_SITES = "left out: corpus 'splice' is not here; name its folder in the environment variable VESTIGE_DATA"


@dataclass(frozen=True)
class Sequences:
    """Sequences under attack, with the nucleotide at each position."""

    corpus: Corpus
    secrets: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, name: str, records: Records) -> "Sequences":
        """From records of the pattern."""
        return cls(Corpus(name, records.texts), records.secrets)


def figure3(run: Run[Sizes]) -> Findings:
    """Sequences of twenty nucleotides: real ones where they are here, and generated ones."""
    attacked = {MADE: Sequences.of("made", load_pattern(PATTERN).generate(run.sizes.records, stream(run.seed, "made")))}
    sites = read_sites(run, 2 * run.sizes.records) if is_present("splice") else None
    if sites is not None:
        attacked[HUMAN] = Sequences.of("splice", load_pattern(PATTERN).read(sites.texts))
    texts = [one.corpus for one in attacked.values()]
    rows: list[Row] = []
    for section, printed in published("pan2020", "figure3").items():
        targets = models(run, printed, texts)
        advance = run.progress(f"figure3, {section}", len(targets))
        for target in targets:
            place = Place("figure3", section, target.model, printed[target.model])
            rows.append(_row(run, place, target, attacked.get(section), sites))
            advance(1)
    told = differs(run, targets) + sequences_differ(run.sizes, None if sites is None else len(sites))
    return Findings(tuple(rows), told, tuple(_plots(rows)))


def read_sites(run: Run[Sizes], most: int) -> Corpus:
    """The twenty nucleotides around the middle of each of so many sequences; a splice site has its border there.

    Sequences with a letter for an unknown nucleotide are left out, and copies too.
    """
    corpus = load_corpus("splice")
    start = (len(corpus.texts[0]) - LENGTH) // 2
    middles = [text[start : start + LENGTH] for text in corpus.texts]
    rows = [row for row, text in enumerate(middles) if set(text) <= set("ACGT") and middles.index(text) == row]
    # The file has one kind after another, and one half of the rows is to be told by the other.
    rows = stream(run.seed, "sites").permutation(rows)[:most].tolist()
    labels = ["none" if label == "N" else "site" for label in corpus.attributes["label"]]
    return Corpus("splice", [middles[row] for row in rows], attributes={"site": [labels[row] for row in rows]})


def _row(
    run: Run[Sizes], place: Place, target: Victim | Absent, attacked: Sequences | None, sites: Corpus | None
) -> Row:
    if place.section == SITES and sites is not None:
        return row_of(run, place, target, sites, lambda target: _told_apart(run, sites, target))
    if attacked is None:
        return Row(place.section, place.model, target.here, place.known, (), NO_SITES)
    return row_of(run, place, target, attacked, lambda target: _lines(run, attacked, target))


def _lines(run: Run[Sizes], attacked: Sequences, target: Victim) -> Iterator[Line]:
    for by, recipe in RECIPES.items():
        fitted = reconstructor(run, PATTERN, recipe).fit(
            target.encoder, rng=stream(run.seed, "attack"), progress=run.progress
        )
        guesses = fitted.infer(target.vectors(attacked.corpus))
        recovered = pattern_recovery(guesses, attacked.secrets)
        found = mean(right(guesses, attacked.secrets), run.seed)
        yield Line(by, (found, *(field.top1 for field in recovered.fields.values())))
    yield Line(PRIOR, most_frequent(attacked.secrets, run.seed))


def right(guesses: FieldGuesses, secrets: Mapping[str, Sequence[str]]) -> list[list[bool]]:
    """Which guess is right: a list a position."""
    return [
        [guesses.values[name][place] == true for place, true in zip(table.argmax(axis=1), secrets[name], strict=True)]
        for name, table in guesses.probabilities.items()
    ]


def most_frequent(secrets: Mapping[str, Sequence[str]], seed: int) -> tuple[Score, ...]:
    """At each position the nucleotide that stands there most often, as the paper has its baseline."""
    common = {name: Counter(values).most_common(1)[0][0] for name, values in secrets.items()}
    told = [[value == common[name] for value in values] for name, values in secrets.items()]
    return (mean(told, seed), *(proportion(sum(hits), len(hits)) for hits in told))


def mean(told: Sequence[Sequence[bool]], seed: int) -> Score:
    """The share of positions, averaged over sequences."""
    shares = np.mean(told, axis=0)
    return document_mean(shares, [str(row) for row in range(len(shares))], stream(seed, "bootstrap"))


def _told_apart(run: Run[Sizes], sites: Corpus, target: Victim) -> Iterator[Line]:
    """What the vectors are good for: does the sequence hold a splice site? One half to learn from, one to test."""
    vectors, labels = target.vectors(sites), sites.attributes["site"]
    half = len(sites) // 2
    probe = MlpProbe().fit(vectors[:half], labels[:half], rng=stream(run.seed, "probe"))
    score = probe.score(vectors[half:], labels[half:], rng=stream(run.seed, "bootstrap"))
    common = Counter(labels[:half]).most_common(1)[0][0]
    nothing = (None,) * LENGTH
    yield Line("a network with 200 sigmoid units", (score, *nothing))
    yield Line(PRIOR, (proportion(labels[half:].count(common), len(labels) - half), *nothing))


def _plots(rows: Sequence[Row]) -> Iterator[Plot]:
    for section in (HUMAN, MADE):
        curves = [
            Curve(f"{row.model}, {line.by}", tuple(_points(line)))
            for row in rows
            for line in row.lines
            if row.section == section
        ]
        if curves:
            yield Plot(f"Accuracy by position, {section.lower()}", "position", "accuracy", tuple(_once(curves)))


def _points(line: Line) -> Iterator[Point]:
    for place, score in enumerate(line.scores[1:], start=1):
        assert score is not None
        yield Point(place, score)


def _once(curves: Sequence[Curve]) -> Iterator[Curve]:
    """Guessing is the same whatever the model: one curve of it."""
    guessing = [curve for curve in curves if curve.label.endswith(PRIOR)]
    yield from (curve for curve in curves if curve not in guessing)
    if guessing:
        yield Curve(PRIOR, guessing[0].points)
