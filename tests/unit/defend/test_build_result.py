"""From trials to the record: the choice, the status of every defense, and the answer in words."""

from tests.unit.defend.trials import trial
from vestige.defend.build_result import assign_status, find_cheapest, find_closest, write_headline, write_sentences
from vestige.defend.limits import parse_limit

LIMITS = [parse_limit("words<0.10"), parse_limit("recall@10>0.9")]


def test_the_cheapest_meets_every_limit_with_its_interval_and_has_the_most_utility():
    trials = [
        trial("none", 0.5, 1.0),
        trial("touches the limit", 0.095, 0.99),
        trial("costly", 0.02, 0.92),
        trial("cheap", 0.08, 0.95),
        trial("dropped", 0.01, 0.99, reason="in round 1: it was"),
    ]
    chosen = find_cheapest(trials, LIMITS, "recall@10")
    assert chosen is not None
    assert chosen.defense == "cheap"
    assert (
        write_headline(chosen, LIMITS) == "The cheapest defense with words under 0.10 and recall@10 over 0.90 is cheap."
    )
    statuses = {each.defense: each.status for each in assign_status(trials, LIMITS, chosen, "words", "recall@10")}
    assert statuses["cheap"] == "chosen"
    assert statuses["costly"] == "holds"
    assert statuses["touches the limit"] == "misses"
    assert statuses["none"] == "reference"


def test_if_none_meets_the_limits_the_closest_is_named():
    trials = [trial("none", 0.5, 1.0), trial("near", 0.12, 0.95), trial("far", 0.3, 0.95)]
    assert find_cheapest(trials, LIMITS, "recall@10") is None
    assert write_headline(None, LIMITS).startswith("No defense that was tried has words under 0.10")
    assert any(
        line.startswith("near comes closest; under the stronger attacker it has words 0.120")
        for line in write_sentences(trials, None, LIMITS)
    )


def test_vectors_that_meet_the_limits_need_no_defense():
    trials = [trial("none", 0.05, 1.0), trial("a", 0.01, 0.99)]
    chosen = find_cheapest(trials, LIMITS, "recall@10")
    assert chosen is trials[0]
    assert write_headline(chosen, LIMITS).startswith("No defense is needed")


def test_the_closest_misses_the_limits_by_the_smallest_margin():
    trials = [trial("leaks", 0.2, 0.95), trial("slightly useless", 0.05, 0.88)]
    assert find_closest(trials, LIMITS) is trials[1]


def test_undefended_vectors_come_first_and_dropped_defenses_last():
    trials = [
        trial("dropped", 0.01, 0.99, reason="in round 1: it leaks", status="dropped"),
        trial("useless", 0.01, 0.2),
        trial("useful", 0.05, 0.95),
        trial("none", 0.5, 1.0),
    ]
    found = assign_status(trials, LIMITS, trials[2], "words", "recall@10")
    assert [each.defense for each in found] == ["none", "useful", "useless", "dropped"]
    assert [each.frontier for each in found] == [True, True, True, False]


def test_without_limits_nothing_is_chosen():
    assert write_headline(None, []) == "No limit was set, so none of the defenses is chosen."


def test_defenses_that_stop_only_the_naive_adversary_are_named():
    trials = [trial("none", 0.5, 1.0), trial("rotation", 0.5, 1.0, obscure=True), trial("cheap", 0.08, 0.95)]
    undefended, chosen, obscure = write_sentences(trials, trials[2], LIMITS)
    assert undefended == "Undefended: words 0.500 (0.490 to 0.510), recall@10 1.000 (0.990 to 1.010)."
    assert chosen.startswith("With cheap, under the stronger attacker: words 0.080 (0.070 to 0.090)")
    assert obscure.startswith("Only obscurity: rotation. This stops an attacker who does not know the defense")
