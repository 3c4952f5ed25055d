"""Figure 3: who wrote a sentence, by labels per author and by authors (Song and Raghunathan 2020, Section 6.3)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.attributes.text_baselines import TextCNN, TextTfidf
from vestige.case.randomness import stream
from vestige.metrics.attribute_curve import CurvePoint, LabelAttack, Labelled, accuracy_by_classes, accuracy_by_labels
from vestige.papers.notes import explain_missing_corpus
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, PRIOR, Curve, Line, Plot, Point
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, plan_rows, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.song2020.notes import encoder_notes
from vestige.papers.song2020.posts import CORPORA, LABELS, TARGETS, Posts, read_posts
from vestige.papers.song2020.setup import AUTHOR_MODELS, SongSizes
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import AttackSeries
from vestige.papers.victims import Victim, Victims, load_victims
from vestige.text.corpora import is_available
from vestige.types import Score, Vectors

COUNTS = (10, 20, 30, 40, LABELS)
COLUMNS = (
    *(f"top-5, {count} labels" for count in COUNTS),
    f"top-5, {LABELS} labels and half of the authors",
    f"top-5, {LABELS} labels and a quarter of the authors",
    f"top-1, {LABELS} labels",
)
FEWEST = 6


def list_attacks(run: PaperRun[SongSizes]) -> dict[str, Callable[[], LabelAttack]]:
    """The attacks on vectors: as published, and our default."""
    trained = _training(run)
    return {PAPER: partial(AttributeInference, recipe="song", **trained), OURS: AttributeInference}


def _list_baselines(run: PaperRun[SongSizes]) -> dict[str, Callable[[], LabelAttack]]:
    """What classifies the raw text; a support vector machine is solved."""
    return {"TextCNN": partial(TextCNN, **_training(run)), "tf-idf": TextTfidf}


def _training(run: PaperRun[SongSizes]) -> dict[str, Any]:
    return {"epochs": run.sizes.author_epochs, "device": run.device}


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """Top-5 accuracy from vectors, by the paper's classifier and ours, and from the raw text."""
    available: dict[str, Posts] = {}
    rows: list[PlannedRow] = []
    skipped: list[PlannedRow] = []
    notes: list[str] = []
    for section, models in printed.items():
        if not is_available(CORPORA[section]):
            reason = explain_missing_corpus(CORPORA[section])
            skipped += [
                skip_row(Place(section, model, models[model]), here, reason) for model, here in AUTHOR_MODELS.items()
            ]
            continue
        posts = read_posts(run, section)
        targets = load_victims(run, AUTHOR_MODELS, [posts.corpus], posts.study)
        rows += plan_rows(
            {section: {model: models[model] for model in AUTHOR_MODELS}}, targets, posts, partial(_lines, run, posts)
        )
        rows.append(_plan_raw_text(run, section, posts))
        available[section] = posts
        notes += author_notes(run, posts, targets)
    return Plan([*rows, *skipped], list(dict.fromkeys(notes)), plots=partial(_plots, available))


def _plan_raw_text(run: PaperRun[SongSizes], section: str, posts: Posts) -> PlannedRow:
    def lines() -> Iterator[Line]:
        for by, make in _list_baselines(run).items():
            yield _line(run, posts, by, make, posts.corpus.texts)

    return PlannedRow(Place(section, "Raw text", (None,) * len(COLUMNS)), "no encoder", lines, (posts,))


def _lines(run: PaperRun[SongSizes], posts: Posts, target: Victim) -> Iterator[Line]:
    vectors = target.vectors(posts.corpus)
    for by, make in list_attacks(run).items():
        yield _line(run, posts, by, make, vectors)
    yield Line(PRIOR, (*(_chance(5, authors) for authors in _count_authors(posts.classes)), _chance(1, posts.classes)))


def _line(
    run: PaperRun[SongSizes], posts: Posts, by: str, make: Callable[[], LabelAttack], given: Vectors | Sequence[str]
) -> Line:
    series = AttackSeries(make, closed_form=make in (AttributeInference, TextTfidf))
    points = _curve(run, posts, series, posts.labelled(given))
    return series.build_line(by, (*(point.top5 for point in points), points[len(COUNTS) - 1].top1))


def _curve(run: PaperRun[SongSizes], posts: Posts, make: Callable[[], LabelAttack], data: Labelled) -> list[CurvePoint]:
    """First with more and more labels, then with fewer and fewer authors."""
    draws = run.sizes.draws
    by_labels = accuracy_by_labels(
        make, data, rng=stream(run.seed, "labels"), counts=COUNTS, classes=posts.classes, draws=draws
    )
    half, quarter = _count_authors(posts.classes)[len(COUNTS) :]
    by_classes = accuracy_by_classes(
        make, data, rng=stream(run.seed, "classes"), classes=(half, quarter), labels_per_class=LABELS, draws=draws
    )
    return [*by_labels, *by_classes]


def _count_authors(classes: int) -> tuple[int, ...]:
    """The number of authors of each top-5 column; with five or fewer, five guesses would cover all."""
    return (*[classes] * len(COUNTS), max(classes // 2, FEWEST), max(classes // 4, FEWEST))


def _chance(guesses: int, authors: int) -> Score:
    """The accuracy of any fixed guess, since every author has the same number of targets."""
    chance = min(guesses / authors, 1.0)
    return Score(chance, chance, chance, authors)


def _plots(available: Mapping[str, Posts], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for section, posts in available.items():
        rows = [one.row for one in measured if one.row.section == section]
        lines = {f"{row.model}, {line.by}": line.scores for row in rows for line in row.lines if line.by != PRIOR}
        all_labels = len(COUNTS) - 1
        authors = _count_authors(posts.classes)[all_labels:]
        by_labels = tuple(Curve(name, _points(COUNTS, scores[: len(COUNTS)])) for name, scores in lines.items())
        by_authors = tuple(Curve(name, _points(authors, scores[all_labels:-1])) for name, scores in lines.items())
        yield Plot(f"Top-5 accuracy by labels, {section.lower()}", "labels an author", "top-5", by_labels)
        yield Plot(f"Top-5 accuracy by authors, {section.lower()}", "authors", "top-5", by_authors)


def _points(places: Sequence[int], scores: Sequence[Score | None]) -> tuple[Point, ...]:
    return tuple(Point(at, score) for at, score in zip(places, scores, strict=True) if score is not None)


def author_notes(run: PaperRun[SongSizes], posts: Posts, targets: Victims) -> tuple[str, ...]:
    """How Figure 3 differs from the paper, for one corpus."""
    name = posts.corpus.name
    documents = {"newsgroups": "thread", "chat": "conversation"}.get(name, "speech")
    return (
        f"Authors: {posts.classes} of '{name}', drawn {run.sizes.draws} times from {len(set(posts.authors))} (100 to "
        f"800 of BookCorpus, five times), with {TARGETS} sentences under attack each (250). Labels and targets of "
        f"an author never share a {documents}; the paper splits by sentence.",
        *encoder_notes(run, posts.study, targets),
        "Models: BERT and ALBERT are not in the paper's figure; its Skip-thought and InferSent have a row where their "
        "weights are available. It prints no values: the two dual encoders are best everywhere, and TextCNN is worst; "
        "the introduction says 1.5 to 3 times better.",
        "Raw text is classified by TextCNN, as in the paper, and by a support vector machine on tf-idf, which the "
        "paper does not use. Posts of newsgroups are without quotes, signatures, and lines that an author writes "
        "twice.",
        f"The classifiers as published train {run.sizes.author_epochs} epochs (30); an epoch of fewer authors has "
        "fewer updates, so that convergence takes more epochs.",
        "Intervals cover documents and draws, whichever is wider.",
    )


TABLES = {"figure3": Table("Figure 3: who wrote a sentence", COLUMNS, plan)}
