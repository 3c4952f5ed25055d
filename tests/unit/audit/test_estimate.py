"""What a probe will cost, before it starts."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.audit.estimate import FASTEST, USUAL, ProbeEstimate, estimate, format_seconds, measure_speed
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes.plan import list_probes
from vestige.probes.probe import Cost


@dataclass(frozen=True)
class Declared:
    cost: ClassVar[Cost] = Cost(2, per_thousand_pairs=10, per_thousand_targets=5)

    def estimate_queries(self, _plan):
        return ["a" * 100] * 30


def build_plan(**settings):
    return plan_case(
        Inputs(None, toy_corpus(), WordSum(), None), Settings(targets=60, pairs=400, shortest=4, **settings)
    )


def test_queries_and_computing_add_up():
    found = estimate(Declared(), build_plan(), 1000.0)
    assert (found.queries, found.seconds) == (30, pytest.approx(2 + 4 + 0.3 + 3))


def test_without_an_encoder_to_query_there_are_no_queries():
    assert estimate(Declared(), build_plan(access="pairs"), 1000.0).queries == 0


@pytest.mark.parametrize("probe", list_probes(), ids=lambda probe: probe.name)
def test_every_probe_has_an_estimate(probe):
    assert estimate(probe, build_plan(), USUAL).seconds > 0


def test_the_speed_is_measured_unless_nothing_was_encoded():
    assert measure_speed(5000, 2.0) == 2500
    assert measure_speed(0, 2.0) == USUAL
    assert measure_speed(10**9, 0.1) == FASTEST


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.2, "1 s"), (4.4, "4 s"), (12.4, "10 s"), (98, "100 s"), (140, "2 min")]
)
def test_an_estimate_is_rounded(seconds, shown):
    assert format_seconds(seconds) == shown


def test_an_estimate_reads_well():
    assert str(ProbeEstimate(31, 8120)) == "about 30 s, at most 8,120 queries"
    assert str(ProbeEstimate(2, 0)) == "about 2 s, no queries"
