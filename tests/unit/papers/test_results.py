"""Records of reproductions: rows of several runs in one file."""

import json
from dataclasses import dataclass, replace

import pytest

from tests.unit.papers.sample import GOOD, POOR, sample
from vestige.errors import InputError
from vestige.papers.record import OURS, PAPER, Line, Row
from vestige.papers.results import MOST_POINTS, locate_results, read_results, write_results
from vestige.types import TrainingLog


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 30


def row(section, model, score=GOOD):
    return Row(section, model, "here", (50.0,), (Line(PAPER, (score,)),))


def record(*rows, **changes):
    return sample(rows=rows, columns=("F1",), **changes)


def test_a_record_holds_rows_and_where_they_come_from(tmp_path):
    path = write_results(sample(), SomeSizes(), tmp_path)
    assert path == tmp_path / "song2020" / "table1.json"
    found = read_results(path)
    assert [(one.row.section, one.row.model) for one in found.rows] == [("Equation 5", "LSTM"), ("Equation 7", "LSTM")]
    run = found.run_of(found.rows[0])
    assert run.sizes == {"epochs": 30}
    assert (run.scale, run.changes, run.seed, run.encoders) == ("small", ("epochs=30",), 3, ("BERT=hf:mine@mean",))
    assert run.environment.packages["numpy"]
    assert found.rows[0].row == sample().rows[0]


def test_rows_of_a_later_run_replace_their_own_and_keep_the_others(tmp_path):
    write_results(record(row("a", "LSTM"), row("a", "BERT"), row("b", "LSTM")), SomeSizes(), tmp_path)
    later = record(row("a", "BERT", POOR), row("a", "ALBERT"), seed=9)
    found = read_results(write_results(later, SomeSizes(), tmp_path))
    seeds = {(one.row.section, one.row.model): found.run_of(one).seed for one in found.rows}
    assert seeds == {("a", "LSTM"): 3, ("a", "BERT"): 9, ("a", "ALBERT"): 9, ("b", "LSTM"): 3}
    assert list(seeds) == [("a", "LSTM"), ("a", "BERT"), ("a", "ALBERT"), ("b", "LSTM")]
    assert found.rows[1].row.lines[0].scores == (POOR,)


def test_a_run_without_rows_left_is_dropped(tmp_path):
    for seed in (1, 2):
        path = write_results(record(row("a", "LSTM"), seed=seed), SomeSizes(), tmp_path)
    assert [run.seed for run in read_results(path).runs] == [2]


def test_skipped_rows_are_not_recorded(tmp_path):
    skipped = Row("a", "ALBERT", "hf:none", (50.0,), (), "skipped: it is not available")
    assert len(read_results(write_results(record(row("a", "LSTM"), skipped), SomeSizes(), tmp_path)).rows) == 1


def test_a_variant_has_a_file_of_its_own(tmp_path):
    write_results(record(row("a", "LSTM")), SomeSizes(), tmp_path)
    path = write_results(record(row("a", "LSTM", POOR)), SomeSizes(), tmp_path, variant="content")
    assert path == locate_results(tmp_path, "song2020", "table1", "content") == path.with_name("table1-content.json")
    assert read_results(path.with_name("table1.json")).rows[0].row.lines[0].scores == (GOOD,)


def test_the_same_record_gives_the_same_bytes_with_sorted_keys(tmp_path):
    first, again = (write_results(sample(), SomeSizes(), tmp_path / name).read_bytes() for name in "ab")
    assert first == again
    keys = list(json.loads(first))
    assert keys == sorted(keys)


def test_a_long_learning_curve_keeps_its_ends(tmp_path):
    log = TrainingLog("until it ends", True, 999, tuple((step, 1 / (1 + step)) for step in range(1000)))
    line = replace(row("a", "LSTM").lines[0], by=OURS, logs=(log,))
    found = read_results(write_results(record(replace(row("a", "LSTM"), lines=(line,))), SomeSizes(), tmp_path))
    curve = found.rows[0].row.lines[0].logs[0].curve
    assert len(curve) == MOST_POINTS
    assert curve[0] == (0, 1.0)
    assert curve[-1] == (999, 0.001)


def test_another_schema_is_an_error(tmp_path):
    path = write_results(sample(), SomeSizes(), tmp_path)
    plain = json.loads(path.read_text()) | {"schema": 0}
    path.write_text(json.dumps(plain))
    with pytest.raises(InputError, match="has schema 0, expected 1"):
        read_results(path)
