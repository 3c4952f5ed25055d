from dataclasses import replace

import pytest

from tests.unit.defend.trials import reading, score, trial
from vestige.defend.choice import cheapest, headline, sentences, with_fates
from vestige.defend.halving import NEAREST, dominates, dropped, frontier
from vestige.defend.limits import parse_limit
from vestige.defend.record import Kept
from vestige.types import Score

LIMITS = [parse_limit("words<0.10"), parse_limit("recall@10>0.9")]


def test_one_dominates_another_only_beyond_both_intervals():
    better, worse = trial("a", 0.10, 0.90), trial("b", 0.20, 0.80)
    assert dominates(better, worse, ["recall@10"])
    assert not dominates(worse, better, ["recall@10"])
    assert not dominates(trial("a", 0.10, 0.90, half=0.06), trial("b", 0.20, 0.80, half=0.06), ["recall@10"])
    assert not dominates(trial("a", 0.10, 0.80), worse, ["recall@10"])


def test_to_dominate_it_must_leak_less_in_every_question():
    both = [(reading(0.1), reading(0.3, question="keywords")), (reading(0.2), reading(0.2, question="keywords"))]
    one, other = (trial(name, 0, kept, privacy=each) for name, kept, each in zip("ab", (0.9, 0.8), both, strict=True))
    assert not dominates(one, other, ["recall@10"])


def kept(recall: float, task: float) -> tuple[Kept, ...]:
    return Kept("recall@10", score(recall)), Kept("task", score(task))


def test_to_dominate_it_must_keep_more_of_every_utility():
    one, other = trial("a", 0.05, 0, utility=kept(0.95, 0.50)), trial("b", 0.20, 0, utility=kept(0.90, 0.74))
    assert dominates(one, other, ["recall@10"])
    assert not dominates(one, other, ["recall@10", "task"])


@pytest.mark.parametrize("task", [0.50, 0.72])
def test_what_holds_the_limits_is_not_dropped_for_what_keeps_less_of_one(task):
    limits = [parse_limit(each) for each in ("recall@10>0.5", "task>0.7", "words<0.30")]
    dear = [trial(f"dear {n}", 0.10, 0, utility=kept(0.60, 0.80)) for n in range(NEAREST)]
    winner = trial("winner", 0.20, 0, utility=kept(0.90, 0.74))
    rival = trial("rival", 0.05, 0, utility=kept(0.95, task))
    trials = [trial("none", 0.5, 0, utility=kept(1.0, 0.9)), *dear, winner, rival]
    assert "winner" not in dropped(trials, limits, "words", "recall@10")


def test_the_frontier_by_hand():
    trials = [
        trial("none", 0.5, 1.0),
        trial("a", 0.3, 0.9),
        trial("under a", 0.35, 0.85),
        trial("b", 0.1, 0.4),
        trial("beside b", 0.1, 0.3),
    ]
    assert frontier(trials, "words", "recall@10") == {"none", "a", "b"}


def test_hopeless_and_beaten_trials_are_dropped_with_the_reason():
    good = [trial(f"good {n}", 0.09 + n / 100, 0.92, half=0.03) for n in range(NEAREST)]
    trials = [trial("none", 0.5, 1.0), *good, trial("leaks", 0.4, 0.91), trial("lame", 0.1, 0.5)]
    reasons = dropped(trials, LIMITS, "words", "recall@10")
    assert set(reasons) == {"leaks", "lame"}
    assert "words 0.400" in reasons["leaks"]
    assert "misses words<0.10" in reasons["leaks"]
    assert "recall@10>0.9" in reasons["lame"]
    beaten = [*good, trial("beaten", 0.3, 0.5), trial("none", 0.5, 1.0)]
    assert dropped(beaten, [], "words", "recall@10") == {"beaten": "good 0 leaks less and keeps more"}


def test_where_all_are_hopeless_the_nearest_go_on():
    trials = [trial("none", 0.5, 1.0), *(trial(f"d{n}", 0.4 + n / 100, 0.95) for n in range(6))]
    assert frontier(trials, "words", "recall@10") == {"none", "d0"}
    assert set(dropped(trials, LIMITS, "words", "recall@10")) == {f"d{n}" for n in range(NEAREST, 6)}


def test_the_cheapest_holds_every_limit_with_its_interval_and_keeps_most():
    trials = [
        trial("none", 0.5, 1.0),
        trial("touches the limit", 0.095, 0.99),
        trial("dear", 0.02, 0.92),
        trial("cheap", 0.08, 0.95),
        trial("dropped", 0.01, 0.99, reason="at rung 1: it was"),
    ]
    chosen = cheapest(trials, LIMITS, "recall@10")
    assert chosen is not None
    assert chosen.defense == "cheap"
    assert headline(chosen, LIMITS) == "The cheapest defense with words under 0.10 and recall@10 over 0.90 is cheap."
    fates = {each.defense: each.fate for each in with_fates(trials, LIMITS, chosen, "words", "recall@10")}
    assert fates["cheap"] == "chosen"
    assert fates["dear"] == "holds"
    assert fates["touches the limit"] == "misses"
    assert fates["none"] == "reference"


def test_where_none_holds_the_nearest_is_told():
    trials = [trial("none", 0.5, 1.0), trial("near", 0.12, 0.95), trial("far", 0.3, 0.95)]
    assert cheapest(trials, LIMITS, "recall@10") is None
    assert headline(None, LIMITS).startswith("No defense that was tried has words under 0.10")
    assert any(
        line.startswith("Nearest comes near, to whichever stranger reads more: words 0.120")
        for line in sentences(trials, None, LIMITS)
    )


def test_vectors_that_hold_the_limits_need_no_defense():
    trials = [trial("none", 0.05, 1.0), trial("a", 0.01, 0.99)]
    chosen = cheapest(trials, LIMITS, "recall@10")
    assert chosen is trials[0]
    assert headline(chosen, LIMITS).startswith("No defense is needed")


def test_some_of_the_frontier_goes_on_from_one_end_to_the_other():
    trials = [trial("none", 0.5, 1.0), *(trial(f"d{n}", 0.3 + n / 100, 0.7 + n / 100) for n in range(9))]
    kept = {f"d{n}" for n in range(9)} - set(dropped(trials, LIMITS, "words", "recall@10"))
    assert kept == {"d0", "d1", "d2", "d4", "d6", "d8"}


def test_limits_are_held_against_the_stranger_who_reads_more():
    found = trial("a", 0, 0.95, privacy=(reading(0.05, naive=0.2), reading(0.3, naive=0.1, question="keywords")))
    assert {name: leak.value for name, leak in found.leakage.items()} == {"words": 0.2, "keywords": 0.3}
    assert cheapest([found], LIMITS, "recall@10") is None


@pytest.mark.parametrize(("adaptive", "naive"), [((0.07, 0.09), (0.04, 0.12)), ((0.04, 0.12), (0.07, 0.09))])
def test_a_limit_must_hold_against_either_stranger(adaptive, naive):
    both = (Score(0.08, *adaptive, 100, 0.0), Score(0.075, *naive, 100, 0.0))
    for one, other in (both, both[::-1]):
        found = trial("a", 0, 0.95, privacy=(replace(reading(0), adaptive=one, naive=other),))
        assert found.leakage["words"] == Score(0.08, 0.07, 0.12, 100, 0.0)
        assert cheapest([found], LIMITS, "recall@10") is None
        assert cheapest([found], [parse_limit("words<0.13")], "recall@10") is found
