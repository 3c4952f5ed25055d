"""Figure 5.1, at a size for tests."""

import re
from dataclasses import replace

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.codec import dumps
from vestige.papers.catalogue import PAPERS
from vestige.papers.coro2022.figure5_1 import double_epochs
from vestige.papers.victims import load_victims


def test_only_the_attacked_models_are_loaded(coro_run, monkeypatch):
    built = []

    def watched(run, specs, texts, study):
        built.extend(specs)
        return load_victims(run, specs, texts, study)

    monkeypatch.setattr("vestige.papers.coro2022.setup.load_victims", watched)
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()))
    reproduce("coro2022", "figure5.1", short)
    assert built == ["Hashing", "Sentence-BERT"]


def test_a_second_run_measures_no_row_again(coro_run, tmp_path, monkeypatch):
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()), cache=tmp_path)
    first = reproduce("coro2022", "figure5.1", short)
    monkeypatch.setattr(MultiSetInverter, "fit", lambda *_, **__: pytest.fail("an inverter was trained"))
    assert dumps(reproduce("coro2022", "figure5.1", short).rows) == dumps(first.rows)


def test_the_epochs_are_doubled_at_every_scale(coro_run):
    assert double_epochs(replace(coro_run.sizes, epochs=5)).epochs == 10
    assert double_epochs(replace(coro_run.sizes, epochs=None)).epochs == 200


def test_a_row_per_training_size(coro_run):
    record = reproduce("coro2022", "figure5.1", coro_run)
    assert [row.model.split(",")[0] for row in record.rows] == 2 * ["Hashing"] + 2 * ["Sentence-BERT"]
    assert record.rows[0].published == (None, None, None)
    assert record.rows[1].published == (94.72, 87.27, 89.33)
    assert [plot.up for plot in record.plots] == ["F1", "F1"]
    assert record.plots[0].curves[0].points[0].at == 60


def test_the_same_seed_gives_the_same_record(coro_run):
    paper = PAPERS["coro2022"].load()
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()))
    one, again = (paper.reproduce("figure5.1", "test", short) for _ in range(2))
    assert _without_times(one) == _without_times(again)


def _without_times(record):
    return re.sub(r'"(minutes|seconds)": [\d.]+', "", dumps(record))
