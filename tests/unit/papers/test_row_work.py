"""Rows as items of an engine: the same rows in the same order, wherever they are measured."""

from dataclasses import dataclass, field, replace

import pytest

from tests.unit.papers.sample import GOOD
from vestige.engine.job import Outcome
from vestige.errors import InputError
from vestige.papers import row_work
from vestige.papers.record import PAPER, Line
from vestige.papers.row_work import RowItem, RowWork
from vestige.papers.rows import Place, PlannedRow, digest_row, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table

MEASURED: list[str] = []
SECTIONS = ["a", "b", "c", "d"]


def plan(run, _printed):
    """Four rows that are planned one by one; one is skipped. They depend on the texts of this machine."""

    def rows():
        for section in SECTIONS:
            place = Place(section, "BERT", (None,))
            if section == "c":
                yield skip_row(place, "bert", "not here")
                continue

            def measure(section=section):
                MEASURED.append(section)
                return [Line(PAPER, (GOOD,)), f"{section} with seed {run.seed}"]

            yield PlannedRow(place, "bert", measure, ("texts of this machine",))

    return Plan(rows(), ("a note",), total=len(SECTIONS))


TABLE = Table("a table", ("F1",), plan)


class Listed:
    """The list of papers has one, which has one table."""

    def load(self):
        return self

    def table(self, _name):
        return TABLE


@dataclass
class Cluster:
    """Sends everything by pickle, and finishes the last item first."""

    is_cluster = True
    sent: list[RowItem] = field(default_factory=list)

    def run(self, job, items, total, advance):
        cloudpickle = pytest.importorskip("ray.cloudpickle")
        work = cloudpickle.loads(cloudpickle.dumps(job.work))
        assert work.rows == {}, "the plan stays here"
        measure, self.sent = work.prepare(advance), list(items)
        assert len(self.sent) == total
        for index in reversed(range(total)):
            yield Outcome(index, measure(self.sent[index]))


@pytest.fixture(autouse=True)
def paper(monkeypatch):
    MEASURED.clear()
    monkeypatch.setattr(row_work, "PAPERS", {"paper": Listed()})
    monkeypatch.setattr(row_work, "published", lambda _paper, _table: {})


def measure(run):
    found = TABLE.measure("table1", run, TABLE.plan(run, {}), "paper")
    return [each.row for each in found]


def test_a_cluster_gives_the_same_rows_in_the_same_order():
    cluster = Cluster()
    here, there = measure(PaperRun(None, seed=3)), measure(PaperRun(None, seed=3, engine=cluster))
    assert here == there
    assert [row.section for row in there] == SECTIONS
    assert there[3].samples == ("d with seed 3",)
    assert MEASURED == ["a", "b", "d", "d", "b", "a"], "planned again for every row before the last one"
    assert [item.position for item in cluster.sent] == [0, 1, 3], "a skipped row is not sent"


def test_rows_that_are_finished_are_not_sent_again(tmp_path):
    measure(replace(PaperRun(None, cache=tmp_path), sections=("b",)))
    cluster, again = Cluster(), Cluster()
    rows = measure(PaperRun(None, cache=tmp_path, engine=cluster))
    assert [item.position for item in cluster.sent] == [0, 3]
    assert measure(PaperRun(None, cache=tmp_path, engine=again)) == rows
    assert again.sent == []


def test_a_machine_with_other_texts_is_refused():
    run = PaperRun(None)
    (first, *_) = plan(run, {}).rows
    work = RowWork("paper", "table1", run).prepare(lambda _steps: None)
    assert work(RowItem(0, first.place.name, digest_row(run, "table1", first))).section == "a"
    with pytest.raises(InputError, match="the row 'BERT' of 'a' is another one on a machine of the cluster"):
        work(RowItem(0, first.place.name, "another digest"))
    with pytest.raises(InputError, match="is another one"):
        work(RowItem(9, "'X' of 'e'", ""))
