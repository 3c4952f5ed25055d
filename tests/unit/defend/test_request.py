"""What an owner wants from a sweep: probes, the cost, and the probe of the frontier."""

import pytest

from vestige.defend.limits import parse_limit
from vestige.defend.request import DEFAULT_PROBES, SweepRequest


def request(*limits, task=None, chosen=()):
    return SweepRequest(tuple(map(parse_limit, limits)), None, task, 2, True, chosen)


def test_the_probes_are_those_chosen_or_the_fast_ones_and_those_with_a_limit():
    assert request().probes == DEFAULT_PROBES
    assert request("words<0.1", "recall@10>0.9").probes == DEFAULT_PROBES
    assert request("names<0.1").probes == (*DEFAULT_PROBES, "names")
    assert request("names<0.1", chosen=("words",)).probes == ("words",)


@pytest.mark.parametrize(
    ("limits", "task", "cost"),
    [((), None, "recall@10"), ((), "topic", "task"), (("words<0.1", "correlation>0.8"), "topic", "correlation")],
)
def test_the_cost_is_the_first_utility_with_a_limit_or_the_task_or_search(limits, task, cost):
    assert request(*limits, task=task).cost == cost


def test_the_frontier_shows_the_first_probe_with_a_limit():
    names = ["words", "keywords", "attributes:author"]
    assert request().choose_probe(names) == "words"
    assert request("recall@10>0.9", "attributes<0.1").choose_probe(names) == "attributes:author"
