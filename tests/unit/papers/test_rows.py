"""A row is measured once; what it depends on measures it again."""

from dataclasses import replace

import pytest

from tests.unit.papers.sample import GOOD
from vestige.errors import MissingExtra
from vestige.papers.record import PAPER, Line, Row
from vestige.papers.rows import MeasuredRow, Place, draw_curves, measure_row, plan_row, plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim
from vestige.text.corpus import Corpus

PLACE = Place("Equation 7", "BERT", (49.72,))
TEXTS = Corpus("two", ["one text", "another"])
MISSING = MissingModel("BERT", "hf:gone", "it is not available")


class Named:
    """An encoder that has nothing but an identity."""

    name = "named"

    def __init__(self, identity):
        self.identity = identity


def victim(identity="weights"):
    return Victim("BERT", Named(identity), "hf:bert")


@pytest.fixture
def calls():
    """Whoever was attacked."""
    return []


@pytest.fixture
def lines(calls):
    def attack(target):
        calls.append(target)
        yield Line(PAPER, (GOOD, None))

    return attack


def measure(run, lines, *, place=PLACE, texts=TEXTS, identity="weights"):
    return measure_row(run, "table1", plan_row(place, victim(identity), texts, lines))


def test_the_same_row_is_measured_once(tmp_path, calls, lines):
    first, again = (measure(PaperRun({"epochs": 1}, cache=tmp_path), lines) for _ in range(2))
    assert first == again == Row("Equation 7", "BERT", "hf:bert", (49.72,), (Line(PAPER, (GOOD, None)),))
    assert len(calls) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"run": PaperRun({"epochs": 2})},
        {"run": PaperRun({"epochs": 1}, seed=1)},
        {"place": replace(PLACE, section="Equation 5")},
        {"texts": replace(TEXTS, texts=["one text", "another one"])},
        {"identity": "other weights"},
    ],
)
def test_whatever_it_depends_on_measures_it_again(tmp_path, calls, lines, changes):
    measure(PaperRun({"epochs": 1}, cache=tmp_path), lines)
    changes = dict(changes)
    run = changes.pop("run", PaperRun({"epochs": 1}))
    measure(replace(run, cache=tmp_path), lines, **changes)
    assert len(calls) == 2


def test_another_table_measures_it_again(tmp_path, calls, lines):
    run = PaperRun(None, cache=tmp_path)
    for table in ("table1", "table2"):
        measure_row(run, table, plan_row(PLACE, victim(), TEXTS, lines))
    assert len(calls) == 2


def test_where_plots_show_a_row_does_not_matter(tmp_path, calls, lines):
    run = PaperRun(None, cache=tmp_path)
    for at in (1.0, 2.0):
        measure(run, lines, place=replace(PLACE, at=at, curve=str(at)))
    assert len(calls) == 1


def test_without_a_cache_nothing_is_stored(calls, lines):
    for _ in range(2):
        measure(PaperRun(None), lines)
    assert len(calls) == 2


def test_a_damaged_row_is_measured_again(tmp_path, calls, lines):
    run = PaperRun(None, cache=tmp_path)
    first = measure(run, lines)
    (stored,) = (tmp_path / "rows").iterdir()
    stored.write_text(stored.read_text().replace("49.72", "99.72"))
    assert measure(run, lines) == first
    assert len(calls) == 2


def test_a_missing_model_is_skipped_and_not_stored(tmp_path, calls, lines):
    row = measure_row(PaperRun(None, cache=tmp_path), "table1", plan_row(PLACE, MISSING, TEXTS, lines))
    assert row == Row("Equation 7", "BERT", "hf:gone", (49.72,), (), "skipped: it is not available")
    assert not calls
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_noted_and_not_stored(tmp_path):
    def attack(_target):
        raise MissingExtra("KeyBERT", "keywords")
        yield

    row = measure(PaperRun(None, cache=tmp_path), attack)
    assert not row.lines
    assert row.note.startswith("skipped: KeyBERT")
    assert not list(tmp_path.iterdir())


def test_samples_are_stored_with_the_lines(tmp_path):
    def attack(_target):
        yield "a text - its words"
        yield Line(PAPER, (GOOD, None))

    first, again = (measure(PaperRun({"epochs": 1}, cache=tmp_path), attack) for _ in range(2))
    assert first == again
    assert first.samples == ("a text - its words",)
    assert first.lines == (Line(PAPER, (GOOD, None)),)


def test_every_printed_section_and_model_has_a_row(lines):
    printed = {"one": {"BERT": (1.0,), "ALBERT": (2.0,)}, "two": {"BERT": (3.0,)}}
    targets = {"BERT": victim(), "ALBERT": MissingModel("ALBERT", "hf:gone", "it is not available")}
    rows = plan_rows(printed, targets, TEXTS, lines)
    assert [(row.place.section, row.place.model, row.place.published, row.note) for row in rows] == [
        ("one", "BERT", (1.0,), ""),
        ("one", "ALBERT", (2.0,), "skipped: it is not available"),
        ("two", "BERT", (3.0,), ""),
    ]


def test_curves_go_through_the_scores_of_a_column():
    def measured(at, curve, score):
        place = Place("all", "BERT", (None, None), at, curve)
        return MeasuredRow(place, Row("all", "BERT", "bert", (None, None), (Line(PAPER, (score, None)),)))

    rows = [measured(1, "one", GOOD), measured(2, "one", None), measured(3, "one", GOOD), measured(1, "", GOOD)]
    curves = draw_curves(rows, 0)
    assert [curve.label for curve in curves] == [f"one, {PAPER}", PAPER]
    assert [point.at for point in curves[0].points] == [1, 3]
    assert draw_curves(rows, 1) == ()
