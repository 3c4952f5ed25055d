"""Probes run once, in order, here and as on a cluster; what they depend on runs them again."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.sample_result import finding
from tests.unit.probes.cases import case_of
from vestige.audit.run_probes import ProbeWork, plan_probes, run_probes
from vestige.case.case import Missing
from vestige.case.codec import dumps
from vestige.case.settings import Settings
from vestige.engine.job import Outcome
from vestige.errors import InputError
from vestige.probes.probe import Probe, Run, Standards
from vestige.types import WordGuesses

SMALL = Settings(targets=60, pairs=300, shortest=4)
RUNS: list[str] = []


@dataclass(frozen=True)
class Counting(Probe):
    """Counts its runs; its setting is part of the key."""

    measures: ClassVar[dict[str, str]] = {"f1": "Words recovered (F1)"}
    standards: ClassVar[Standards] = Standards((), ())
    rank: ClassVar[int] = 1

    name: str = "words"
    question: str = "?"
    setting: int = 0
    applicable: bool = True

    @classmethod
    def build_all(cls):
        return (cls(),)

    def estimate_queries(self, plan):  # noqa: ARG002
        return ()

    def open(self, case, run, effort="full"):  # noqa: ARG002
        return []

    def find(self, case, run):  # noqa: ARG002
        RUNS.append(self.name)
        return finding() if self.applicable else Missing("no", "none")


@pytest.fixture
def case():
    RUNS.clear()
    return case_of(toy_corpus(), SMALL, WordSum())


def test_a_finding_is_read_the_second_time_whatever_other_probes_were_chosen(case, tmp_path):
    first = run_one(Counting(), case, Run(SMALL), tmp_path)
    again = run_one(Counting(), case, Run(replace(SMALL, probes=("words",))), tmp_path)
    assert dumps(again) == dumps(first)
    assert RUNS == ["words"]


def test_another_setting_of_the_probe_the_run_or_the_case_runs_again(case, tmp_path):
    run_one(Counting(), case, Run(SMALL), tmp_path)
    run_one(Counting(setting=1), case, Run(SMALL), tmp_path)
    run_one(Counting(), case, Run(replace(SMALL, seed=1)), tmp_path)
    run_one(Counting(), replace(case, targets=2 * case.targets), Run(SMALL), tmp_path)
    assert len(RUNS) == 4


def test_findings_that_show_text_and_probes_that_did_not_run_are_not_stored(case, tmp_path):
    run_one(Counting(), case, Run(replace(SMALL, show_text=True)), tmp_path)
    run_one(Counting(applicable=False), case, Run(SMALL), tmp_path)
    assert not list(tmp_path.rglob("*.json"))


def test_finished_steps_are_deleted_with_the_finding_and_stay_when_a_probe_is_stopped(case, tmp_path):
    class Stepping(Counting):
        def find(self, case, run):
            run.checkpoints.run("first", lambda: RUNS.append("step") or WordGuesses([], []))
            if len(RUNS) == 1:
                raise KeyboardInterrupt
            return super().find(case, run)

    with pytest.raises(KeyboardInterrupt):
        run_one(Stepping(), case, Run(SMALL), tmp_path)
    assert len(list(tmp_path.glob("steps/*.json"))) == 1
    RUNS.append("stopped")
    run_one(Stepping(), case, Run(SMALL), tmp_path)
    assert RUNS == ["step", "stopped", "words"]
    assert not list(tmp_path.glob("steps/*.json"))


@pytest.mark.parametrize("edit", [lambda _: "{", lambda text: text.replace('"level": "', '"level": "un')])
def test_a_finding_that_was_edited_or_damaged_is_computed_again(case, tmp_path, edit):
    probe = Counting()
    expected = run_one(probe, case, Run(SMALL), tmp_path)
    (path,) = tmp_path.glob("words-*.json")
    whole = path.read_text()
    path.write_text(edit(whole))
    assert run_one(probe, case, Run(SMALL), tmp_path) == expected
    assert path.read_text() == whole


def run_one(probe, case, run, folder):
    (outcome,) = run_probes([probe], case, run, folder)
    return outcome


class Backwards:
    """A cluster that finishes its items last to first, and sends everything by pickle."""

    is_cluster = True

    def run(self, job, items, total, advance):
        cloudpickle = pytest.importorskip("ray.cloudpickle")
        work, drawn = cloudpickle.loads(cloudpickle.dumps(job.work)), cloudpickle.dumps(list(items))
        function, received = work.prepare(advance), cloudpickle.loads(drawn)
        for index in reversed(range(total)):
            yield Outcome(index, function(received[index]))


def test_outcomes_come_in_the_order_of_the_probes_whatever_the_order_of_their_ends(case, tmp_path):
    probes = [Counting(name=name) for name in ("words", "names", "sentences")]
    announced = []
    here = list(run_probes(probes, case, Run(SMALL)))
    there = list(
        run_probes(
            probes, case, Run(SMALL), tmp_path, engine=Backwards(), announce=lambda probe: announced.append(probe.name)
        )
    )
    assert dumps(there) == dumps(here)
    assert RUNS[3:] == ["sentences", "names", "words"]
    assert announced == ["words", "names", "sentences"]
    assert len(list(tmp_path.glob("*.json"))) == 3


def test_only_missing_findings_are_run(case, tmp_path):
    run_one(Counting(name="names"), case, Run(SMALL), tmp_path)
    list(run_probes([Counting(name=name) for name in ("words", "names")], case, Run(SMALL), tmp_path))
    assert RUNS == ["names", "words"]


def test_a_machine_that_would_find_something_else_is_refused(case):
    planned = replace(plan_probes([Counting()], case, Run(SMALL))[0], digest="other")
    with pytest.raises(InputError, match="'words' would find something else on a machine of the cluster"):
        ProbeWork(case, Run(SMALL), sent=True).prepare(lambda _steps: None)(planned)
    assert not RUNS
