"""Successive halving: which defenses are dropped after a round, and why."""

import json

import pytest

from tests.unit.defend.trials import leakage, score, trial
from vestige.case.codec import dumps
from vestige.defend.limits import parse_limit
from vestige.defend.record import UtilityScore
from vestige.defend.stages import Judgement
from vestige.defend.sweep import NEAREST, TrialCache, beats, dominates, find_dropped, find_frontier

LIMITS = [parse_limit("words<0.10"), parse_limit("recall@10>0.9")]


def test_one_dominates_another_only_beyond_both_intervals():
    better, worse = trial("a", 0.10, 0.90), trial("b", 0.20, 0.80)
    assert dominates(better, worse, ["recall@10"])
    assert not dominates(worse, better, ["recall@10"])
    assert not dominates(trial("a", 0.10, 0.90, half=0.06), trial("b", 0.20, 0.80, half=0.06), ["recall@10"])
    assert not dominates(trial("a", 0.10, 0.80), worse, ["recall@10"])


def test_what_leaks_as_much_and_is_less_useful_is_beaten():
    better, worse = trial("a", 0.2, 0.9), trial("b", 0.2, 0.5)
    assert beats(better, worse, "words", "recall@10")
    assert not beats(worse, better, "words", "recall@10")
    assert not beats(better, better, "words", "recall@10")


def test_to_dominate_it_must_leak_less_for_every_probe():
    both = [(leakage(0.1), leakage(0.3, probe="keywords")), (leakage(0.2), leakage(0.2, probe="keywords"))]
    one, other = trial("a", 0, 0.9, privacy=both[0]), trial("b", 0, 0.8, privacy=both[1])
    assert not dominates(one, other, ["recall@10"])


def utility(recall: float, task: float) -> tuple[UtilityScore, ...]:
    return UtilityScore("recall@10", score(recall)), UtilityScore("task", score(task))


def test_to_dominate_it_must_have_more_of_every_utility():
    one, other = trial("a", 0.05, 0, utility=utility(0.95, 0.50)), trial("b", 0.20, 0, utility=utility(0.90, 0.74))
    assert dominates(one, other, ["recall@10"])
    assert not dominates(one, other, ["recall@10", "task"])


@pytest.mark.parametrize("task", [0.50, 0.72])
def test_a_trial_that_meets_the_limits_is_not_dropped_for_one_with_less_of_a_utility(task):
    limits = [parse_limit(each) for each in ("recall@10>0.5", "task>0.7", "words<0.30")]
    costly = [trial(f"costly {n}", 0.10, 0, utility=utility(0.60, 0.80)) for n in range(NEAREST)]
    winner = trial("winner", 0.20, 0, utility=utility(0.90, 0.74))
    other = trial("other", 0.05, 0, utility=utility(0.95, task))
    trials = [trial("none", 0.5, 0, utility=utility(1.0, 0.9)), *costly, winner, other]
    assert "winner" not in find_dropped(trials, limits, "words", "recall@10")


def test_the_frontier_by_hand():
    trials = [
        trial("none", 0.5, 1.0),
        trial("a", 0.3, 0.9),
        trial("under a", 0.35, 0.85),
        trial("b", 0.1, 0.4),
        trial("left of b", 0.1, 0.3),
    ]
    assert find_frontier(trials, "words", "recall@10") == {"none", "a", "b"}


def test_hopeless_and_beaten_trials_are_dropped_with_the_reason():
    good = [trial(f"good {n}", 0.09 + n / 100, 0.92, half=0.03) for n in range(NEAREST)]
    trials = [trial("none", 0.5, 1.0), *good, trial("leaks", 0.4, 0.91), trial("lame", 0.1, 0.5)]
    reasons = find_dropped(trials, LIMITS, "words", "recall@10")
    assert set(reasons) == {"leaks", "lame"}
    assert "words 0.400" in reasons["leaks"]
    assert "misses words<0.10" in reasons["leaks"]
    assert "recall@10>0.9" in reasons["lame"]
    beaten = [*good, trial("beaten", 0.3, 0.5), trial("none", 0.5, 1.0)]
    assert find_dropped(beaten, [], "words", "recall@10") == {"beaten": "good 0 leaks less and is more useful"}


def test_if_all_are_hopeless_the_closest_continue():
    trials = [trial("none", 0.5, 1.0), *(trial(f"d{n}", 0.4 + n / 100, 0.95) for n in range(6))]
    assert find_frontier(trials, "words", "recall@10") == {"none", "d0"}
    assert set(find_dropped(trials, LIMITS, "words", "recall@10")) == {f"d{n}" for n in range(NEAREST, 6)}


def test_some_of_the_frontier_continues_from_one_end_to_the_other():
    trials = [trial("none", 0.5, 1.0), *(trial(f"d{n}", 0.3 + n / 100, 0.7 + n / 100) for n in range(9))]
    continuing = {f"d{n}" for n in range(9)} - set(find_dropped(trials, LIMITS, "words", "recall@10"))
    assert continuing == {"d0", "d1", "d2", "d4", "d6", "d8"}


def test_a_judgement_is_made_once_per_stage_defense_and_number_of_draws(tmp_path):
    judgements, cache = [], TrialCache(tmp_path / "trials")

    def judge():
        judgements.append(1)
        return Judgement((leakage(0.2, naive=0.1),), 2, 100)

    first = cache.judge(1, "gaussian:20", 2, judge)
    assert dumps(cache.judge(1, "gaussian:20", 2, judge)) == dumps(first)
    for other in ((2, "gaussian:20", 2), (1, "gaussian:10", 2), (1, "gaussian:20", 1)):
        cache.judge(*other, judge)
    assert len(judgements) == 4
    _, _, written = next((tmp_path / "trials").iterdir()).read_text().partition("\n")
    plain = json.loads(written)
    assert plain["privacy"][0]["question"] == "words"
