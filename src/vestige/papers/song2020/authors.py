"""Song's Figure 3: who wrote a sentence, against how many labels an author has and how many authors there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from vestige.attacks.attributes import AttributeInference
from vestige.attacks.attributes.text_cnn import TextCNN
from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.case.randomness import stream
from vestige.metrics.attribute_curve import CurvePoint, Labelled, LabelReader, accuracy_by_classes, accuracy_by_labels
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Curve, Findings, Line, Plot, Point, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020.differs import authors_differ
from vestige.papers.song2020.posts import CORPORA, LABELS, Posts, read_posts
from vestige.papers.song2020.texts import MODELS, Sizes
from vestige.papers.victims import Victim, victims
from vestige.text.named import is_present
from vestige.types import Score, Vectors

COUNTS = (10, 20, 30, 40, LABELS)
COLUMNS = (
    *(f"top-5, {count} labels" for count in COUNTS),
    f"top-5, {LABELS} labels and half of the authors",
    f"top-5, {LABELS} labels and a quarter of the authors",
    f"top-1, {LABELS} labels",
)
RECIPES: dict[str, Callable[[], LabelReader]] = {
    PAPER: partial(AttributeInference, recipe="song"),
    OURS: AttributeInference,
}
RAW: dict[str, Callable[[], LabelReader]] = {"TextCNN": TextCNN, "tf-idf": TextTfidf}
FEWEST = 6
NOT_HERE = "left out: corpus '{}' is not here; name its folder in the environment variable VESTIGE_DATA"


@dataclass(frozen=True)
class _Section:
    """The rows of one corpus, and how many authors each column of five guesses has."""

    rows: list[Row]
    authors: tuple[int, ...]


def figure3(run: Run[Sizes]) -> Findings:
    """Top-5 accuracy from vectors, by the paper's classifier and ours, and from the raw text."""
    sections: dict[str, _Section] = {}
    left_out: list[Row] = []
    told: tuple[str, ...] = ()
    for section, printed in published("song2020", "figure3").items():
        if not is_present(CORPORA[section]):
            note = NOT_HERE.format(CORPORA[section])
            left_out += [Row(section, model, here, printed[model], (), note) for model, here in MODELS.items()]
            continue
        posts = read_posts(run, section)
        targets = victims(run, MODELS, [posts.corpus], posts.study)
        advance = run.progress(f"figure3, {section}", len(targets) + 1)
        rows = []
        for target in targets:
            place = Place("figure3", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, posts, partial(_lines, run, posts)))
            advance(1)
        raw = tuple(_line(run, posts, by, make, posts.corpus.texts) for by, make in RAW.items())
        rows.append(Row(section, "Raw text", "no encoder", (None,) * len(COLUMNS), raw))
        advance(1)
        sections[section] = _Section(rows, _sizes(posts.classes))
        told += authors_differ(run, posts, targets)
    rows = [row for section in sections.values() for row in section.rows]
    return Findings((*rows, *left_out), tuple(dict.fromkeys(told)), tuple(_plots(sections)))


def _lines(run: Run[Sizes], posts: Posts, target: Victim) -> Iterator[Line]:
    vectors = target.vectors(posts.corpus)
    for by, make in RECIPES.items():
        yield _line(run, posts, by, make, vectors)
    yield Line(PRIOR, (*(_chance(5, authors) for authors in _sizes(posts.classes)), _chance(1, posts.classes)))


def _line(
    run: Run[Sizes], posts: Posts, by: str, make: Callable[[], LabelReader], given: Vectors | Sequence[str]
) -> Line:
    points = _curve(run, posts, make, posts.labelled(given))
    return Line(by, (*(point.top5 for point in points), points[len(COUNTS) - 1].top1))


def _curve(run: Run[Sizes], posts: Posts, make: Callable[[], LabelReader], data: Labelled) -> list[CurvePoint]:
    """Labels are added, then authors are taken away."""
    draws = run.sizes.draws
    by_labels = accuracy_by_labels(
        make, data, rng=stream(run.seed, "labels"), counts=COUNTS, classes=posts.classes, draws=draws
    )
    half, quarter = _sizes(posts.classes)[len(COUNTS) :]
    by_classes = accuracy_by_classes(
        make, data, rng=stream(run.seed, "classes"), classes=(half, quarter), labels_a_class=LABELS, draws=draws
    )
    return [*by_labels, *by_classes]


def _sizes(classes: int) -> tuple[int, ...]:
    """How many authors each column of five guesses has; of five or fewer, five guesses would be all."""
    return (*[classes] * len(COUNTS), max(classes // 2, FEWEST), max(classes // 4, FEWEST))


def _chance(guesses: int, authors: int) -> Score:
    """Whichever authors are named, since each has as many targets."""
    chance = min(guesses / authors, 1.0)
    return Score(chance, chance, chance, authors)


def _plots(sections: dict[str, _Section]) -> Iterator[Plot]:
    for section, found in sections.items():
        by_labels, by_authors = [], []
        for row in found.rows:
            for line in row.lines:
                if line.by != PRIOR:
                    name = f"{row.model}, {line.by}"
                    all_labels = len(COUNTS) - 1
                    by_labels.append(Curve(name, _points(COUNTS, line.scores[: len(COUNTS)])))
                    by_authors.append(Curve(name, _points(found.authors[all_labels:], line.scores[all_labels:-1])))
        yield Plot(f"Top-5 accuracy by labels, {section.lower()}", "labels an author", "top-5", tuple(by_labels))
        yield Plot(f"Top-5 accuracy by authors, {section.lower()}", "authors", "top-5", tuple(by_authors))


def _points(places: Sequence[int], scores: Sequence[Score | None]) -> tuple[Point, ...]:
    return tuple(Point(at, score) for at, score in zip(places, scores, strict=True) if score is not None)
