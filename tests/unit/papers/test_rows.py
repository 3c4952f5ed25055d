"""A finished row is made once."""

from dataclasses import replace

import pytest

from tests.unit.papers.sample import GOOD
from vestige.errors import InputError
from vestige.papers.record import PAPER, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus

PLACE = Place("table1", "Equation 7", "BERT", (49.72,))
TEXTS = Corpus("two", ["one text", "another"])


class Named:
    """An encoder of which nothing but its identity is asked."""

    name = "named"

    def __init__(self, identity):
        self.identity = identity


@pytest.fixture
def asked():
    """How many times lines were made, and what makes them."""
    calls = []

    def lines(target):
        calls.append(target)
        yield Line(PAPER, (GOOD, None))

    return calls, lines


def made(run, lines, *, place=PLACE, texts=TEXTS, identity="weights"):
    return row_of(run, place, Victim("BERT", Named(identity), "hf:bert"), texts, lines)


def test_the_same_row_is_made_once(tmp_path, asked):
    calls, lines = asked
    first, again = (made(Run({"epochs": 1}, cache=tmp_path), lines) for _ in range(2))
    assert first == again
    assert len(calls) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"run": Run({"epochs": 2})},
        {"run": Run({"epochs": 1}, seed=1)},
        {"place": replace(PLACE, section="Equation 5")},
        {"texts": replace(TEXTS, texts=["one text", "another one"])},
        {"identity": "other weights"},
    ],
)
def test_whatever_it_depends_on_makes_it_anew(tmp_path, asked, changes):
    calls, lines = asked
    made(Run({"epochs": 1}, cache=tmp_path), lines)
    changes = dict(changes)
    run = changes.pop("run", Run({"epochs": 1}))
    made(replace(run, cache=tmp_path), lines, **changes)
    assert len(calls) == 2


def test_without_a_folder_nothing_is_kept(asked):
    calls, lines = asked
    for _ in range(2):
        made(Run(None), lines)
    assert len(calls) == 2


def test_a_damaged_row_is_told(tmp_path, asked):
    _, lines = asked
    run = Run(None, cache=tmp_path)
    made(run, lines)
    (kept,) = (tmp_path / "rows").iterdir()
    kept.write_text("{}")
    with pytest.raises(InputError, match="is damaged"):
        made(run, lines)


def test_what_is_left_out_is_not_made_and_not_kept(tmp_path, asked):
    calls, lines = asked
    row = row_of(Run(None, cache=tmp_path), PLACE, Absent("BERT", "hf:gone", "it is not here"), TEXTS, lines)
    assert row.note == "left out: it is not here"
    assert not calls
    assert not list(tmp_path.iterdir())


def test_samples_are_kept_beside_the_lines(tmp_path):
    def lines(_target):
        yield "a text - its words"
        yield Line(PAPER, (GOOD, None))

    first, again = (made(Run({"epochs": 1}, cache=tmp_path), lines) for _ in range(2))
    assert first == again
    assert first.samples == ("a text - its words",)
    assert first.lines == (Line(PAPER, (GOOD, None)),)
