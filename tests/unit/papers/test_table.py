"""Papers, their tables, and the loop over rows."""

from importlib.util import find_spec

import pytest

from tests.unit.papers.sample import GOOD
from vestige.errors import InputError
from vestige.papers.catalogue import PAPERS
from vestige.papers.published import list_tables
from vestige.papers.record import PAPER, Line
from vestige.papers.rows import Place, PlannedRow
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.types import silent


def planned(section, calls, model="BERT"):
    def lines():
        calls.append(section)
        return [Line(PAPER, (GOOD,))]

    return PlannedRow(Place(section, model, (None,)), "bert", lines)


def measure(plan, progress=silent, **selected):
    run = PaperRun(None, progress=progress, **selected)
    return Table("a table", ("F1",), lambda _run, _printed: plan).measure("table1", run, plan)


def test_rows_are_measured_in_the_order_of_the_plan_and_shown_in_that_of_the_sections():
    calls = []
    rows = [planned(section, calls) for section in ("b", "a", "b")]
    assert [one.row.section for one in measure(Plan(rows, ()))] == ["b", "a", "b"]
    assert [one.row.section for one in measure(Plan(rows, (), sections=("a", "b")))] == ["a", "b", "b"]
    assert calls == ["b", "a", "b"] * 2


def test_rows_that_are_planned_one_by_one_are_measured_before_the_next_is_planned():
    calls = []

    def rows():
        for section in ("a", "b"):
            calls.append(f"plan {section}")
            yield planned(section, calls)

    measure(Plan(rows(), (), total=2))
    assert calls == ["plan a", "a", "plan b", "b"]


def test_progress_counts_the_rows():
    seen = []

    def progress(task, total):
        seen.append((task, total))
        return seen.append

    measure(Plan([planned("a", []), planned("b", [])], ()), progress)
    measure(Plan(iter([planned("a", [])]), (), total=1), progress)
    assert seen == [("table1, rows", 2), 1, 1, ("table1, rows", 1), 1]


@pytest.mark.parametrize("name", [name for name, _ in PAPERS])
def test_every_table_with_published_figures_has_a_module(name):
    paper = PAPERS[name].load()
    assert set(paper.tables) == set(list_tables(name))
    for table, module in paper.tables.items():
        assert find_spec(f"vestige.papers.{name}.{module}"), table
        assert paper.table(table).title


def test_an_unknown_table_is_refused():
    with pytest.raises(InputError, match="unknown table 'tabel1' of song2020; did you mean 'table1'"):
        PAPERS["song2020"].load().table("tabel1")


def test_models_are_known_whatever_their_case():
    song = PAPERS["song2020"].load()
    assert song.named_encoders("table1", [("bert", "minilm")]) == {"BERT": "minilm"}
    with pytest.raises(InputError, match="did you mean 'albert'"):
        song.named_encoders("table1", [("ALBRT", "minilm")])


def test_only_models_of_the_table_may_be_named_and_each_once():
    song = PAPERS["song2020"].load()
    with pytest.raises(InputError, match="figure2 of song2020 does not attack LSTM; it attacks BERT, ALBERT"):
        song.named_encoders("figure2", [("LSTM", "dual:lstm")])
    with pytest.raises(InputError, match="BERT was named twice, 'minilm' and 'wordllama'"):
        song.named_encoders("table2", [("BERT", "minilm"), ("bert", "wordllama")])


def test_a_table_attacks_the_models_that_it_prints():
    coro = PAPERS["coro2022"].load()
    assert coro.attacked("figure5.1") == ["Hashing", "Sentence-BERT"]
    assert coro.attacked("table5.4") == list(coro.models)


SEVERAL = [("a", "LSTM"), ("a", "BERT, layer 2"), ("b", "BERT*"), ("b", "ALBERT")]


@pytest.mark.parametrize(
    ("selected", "places"),
    [
        ({"models": ("bert",)}, [("a", "BERT, layer 2"), ("b", "BERT*")]),
        ({"sections": ("B",)}, [("b", "BERT*"), ("b", "ALBERT")]),
        ({"models": ("BERT", "LSTM"), "sections": ("a",)}, [("a", "LSTM"), ("a", "BERT, layer 2")]),
    ],
)
def test_only_the_rows_that_were_asked_for_are_measured(selected, places):
    calls = []
    plan = Plan([planned(section, calls, model) for section, model in SEVERAL], ())
    assert [(one.row.section, one.row.model) for one in measure(plan, **selected)] == places
    assert calls == [section for section, _ in places]


@pytest.mark.parametrize(
    ("selected", "message"),
    [
        ({"models": ("BRT",)}, "table1 has no model 'BRT'; did you mean 'bert'"),
        ({"sections": ("c",)}, "table1 has no section 'c'; known: a, b"),
    ],
)
def test_a_row_that_the_table_does_not_have_raises_before_any_is_measured(selected, message):
    calls = []
    with pytest.raises(InputError, match=message):
        measure(Plan([planned(section, calls, model) for section, model in SEVERAL], ()), **selected)
    assert not calls


def test_sizes_are_those_of_the_scale_with_the_changes():
    paper = PAPERS["song2020"].load()
    assert paper.sizes("small", ["epochs=77"]).epochs == 77
    assert paper.sizes("small") == paper.scales["small"]
    with pytest.raises(InputError, match="unknown scale 'smal'; did you mean 'small'"):
        paper.sizes("smal")
