"""The record of a sweep: leakage under the stronger adversary."""

from dataclasses import replace

import pytest

from tests.sample_frontier import hostile, swept
from tests.sample_result import HOSTILE
from tests.unit.defend.trials import leakage, trial
from vestige.defend.build_result import find_cheapest
from vestige.defend.limits import parse_limit
from vestige.types import Score

LIMITS = [parse_limit("words<0.10"), parse_limit("recall@10>0.9")]


def test_limits_apply_to_the_stronger_adversary():
    found = trial("a", 0, 0.95, privacy=(leakage(0.05, naive=0.2), leakage(0.3, naive=0.1, probe="keywords")))
    assert {name: leak.value for name, leak in found.leakage.items()} == {"words": 0.2, "keywords": 0.3}
    assert find_cheapest([found], LIMITS, "recall@10") is None


@pytest.mark.parametrize(("adaptive", "naive"), [((0.07, 0.09), (0.04, 0.12)), ((0.04, 0.12), (0.07, 0.09))])
def test_a_limit_must_hold_against_both_adversaries(adaptive, naive):
    both = (Score(0.08, *adaptive, 100, 0.0), Score(0.075, *naive, 100, 0.0))
    for one, other in (both, both[::-1]):
        found = trial("a", 0, 0.95, privacy=(replace(leakage(0), adaptive=one, naive=other),))
        assert found.leakage["words"] == Score(0.08, 0.07, 0.12, 100, 0.0)
        assert find_cheapest([found], LIMITS, "recall@10") is None
        assert find_cheapest([found], [parse_limit("words<0.13")], "recall@10") is found


def test_scores_have_the_leakage_of_every_probe_and_every_utility():
    found = trial("a", 0.2, 0.9)
    assert {name: score.value for name, score in found.scores.items()} == {"words": 0.2, "recall@10": 0.9}


def test_trials_are_found_by_name():
    result = swept()
    assert result["rotation"].obscure
    assert "rotation" in result
    assert "pca:8" not in result
    assert [trial.defense for trial in result] == ["none", "rotation", "gaussian:3000", "pca:16"]
    with pytest.raises(KeyError, match="'leace' was not tried: 'concept-erasure' is not installed"):
        result["leace"]
    with pytest.raises(KeyError, match="'pca:8' is no defense of this sweep; there are: 'none', 'rotation'"):
        result["pca:8"]


def test_the_repr_is_short():
    assert repr(swept()).splitlines() == [
        "DefendResult: The cheapest defense with words under 0.10 and recall@10 over 0.90 is gaussian:3000.",
        "  none: reference, words 0.610, recall@10 1.000",
        "  rotation: misses, words 0.600, recall@10 1.000",
        "  gaussian:3000: chosen, words 0.080, recall@10 0.920",
    ]


def test_the_html_is_escaped():
    assert HOSTILE not in hostile()._repr_html_()
    assert "<td" in swept()._repr_html_()


def test_a_frame_has_a_row_per_score():
    frame = swept().to_frame()
    assert len(frame) == 8
    assert set(frame["kind"]) == {"leakage", "utility"}
