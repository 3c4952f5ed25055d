"""What a probe will cost, before it starts."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.audit.estimate import FASTEST, USUAL, ProbeEstimate, estimate, format_estimate, measure_speed
from vestige.case.case import Missing
from vestige.case.findings import NotApplicable
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.case.vectors_only import NO_TEXTS, VectorsOnlyPlan
from vestige.probes.plan import list_probes
from vestige.probes.probe import Cost, Run
from vestige.text.corpus import Corpus
from vestige.types import silent


@dataclass(frozen=True)
class Declared:
    needs_texts: ClassVar[bool] = False
    cost: ClassVar[Cost] = Cost(2, per_thousand_pairs=10, per_thousand_targets=5)

    def estimate_queries(self, _plan):
        return [f"{number:0100}" for number in range(30)]

    def can_apply(self, _plan):
        return True


def build_plan(**settings):
    return plan_case(
        Inputs(None, toy_corpus(), WordSum(), None), Settings(targets=60, pairs=400, shortest=4, **settings)
    )


def test_queries_and_computing_add_up():
    found = estimate(Declared(), build_plan(), 1000.0)
    assert (found.queries, found.seconds) == (30, pytest.approx(2 + 4 + 0.3 + 3))


def test_queries_that_are_cached_cost_nothing(tmp_path):
    plan = build_plan()
    cached = replace(plan, inputs=plan.inputs.cache_vectors(tmp_path))
    cached.inputs.encoder.encode([*Declared().estimate_queries(plan)][:20])
    found = estimate(Declared(), cached, 1000.0)
    assert (found.queries, found.cached, found.seconds) == (10, 20, pytest.approx(2 + 4 + 0.3 + 1))


def test_without_an_encoder_to_query_there_are_no_queries():
    assert estimate(Declared(), build_plan(access="pairs"), 1000.0).queries == 0


@pytest.mark.parametrize("probe", list_probes(), ids=lambda probe: probe.name)
def test_every_probe_that_can_run_has_an_estimate(probe):
    plan = build_plan()
    found = estimate(probe, plan, USUAL)
    assert found.seconds > 0 if probe.can_apply(plan) else found is None


def test_vectors_without_texts_have_no_queries():
    inputs = Inputs(np.zeros((2000, 3), dtype=np.float32), None, None, None)
    plan = VectorsOnlyPlan(inputs, Settings(targets=500, pairs=4000), no_queries=None)
    assert estimate(Declared(), plan, 1000.0) == ProbeEstimate(2 + 20 + 2.5, 0)


@pytest.mark.parametrize("probe", list_probes(), ids=lambda probe: probe.name)
def test_a_probe_needs_texts_or_runs_without(probe):
    """What a probe declares is what it does on vectors whose texts are not available."""
    rng = np.random.default_rng(0)
    labels = Corpus("toy", [""] * 600, attributes={"product": [str(row % 3) for row in range(600)]})
    inputs = Inputs(rng.normal(size=(600, 16)).astype(np.float32), None, None, None, metadata=labels)
    settings = Settings(targets=100, pairs=400)
    case = VectorsOnlyPlan(inputs, settings, no_queries=Missing("no encoder", "name it")).build(silent)
    outcome = probe.run(case, Run(settings))
    if probe.needs_texts:
        assert isinstance(outcome, NotApplicable)
    else:
        assert not isinstance(outcome, NotApplicable) or NO_TEXTS.reason not in outcome.reason


def test_the_speed_is_measured_unless_nothing_was_encoded():
    assert measure_speed(5000, 2.0) == 2500
    assert measure_speed(0, 2.0) == USUAL
    assert measure_speed(10**9, 0.1) == FASTEST


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.2, "1 s"), (4.4, "4 s"), (12.4, "10 s"), (98, "100 s"), (140, "2 min")]
)
def test_an_estimate_is_rounded(seconds, shown):
    assert format_estimate(seconds) == shown


def test_an_estimate_reads_well():
    assert str(ProbeEstimate(31, 8120)) == "about 30 s, at most 8,120 queries"
    assert str(ProbeEstimate(2, 0)) == "about 2 s, no queries"
    assert str(ProbeEstimate(2, 0, 90)) == "about 2 s, no queries (90 more are cached)"
