"""Properties of the membership metrics that hold whatever the scores."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import auc as under
from sklearn.metrics import roc_auc_score

from vestige.case.codec import dumps, from_plain
from vestige.metrics.membership.advantage import advantage, epsilon_bound
from vestige.metrics.membership.grouped_scores import GroupedScores
from vestige.metrics.membership.roc import auc, roc_curve, tpr_at_fpr
from vestige.metrics.membership.summary import Membership, membership

few_values = st.lists(st.integers(-5, 5), min_size=20, max_size=60).map(lambda values: np.array(values, dtype=float))


def grouped(scores):
    return GroupedScores(np.asarray(scores, dtype=np.float64), np.arange(len(scores)), len(scores))


def measured(members, others, rows=1):
    groups = (
        [f"{name}{row // rows}" for row in range(len(scores))] for name, scores in (("m", members), ("o", others))
    )
    member_groups, other_groups = groups
    return membership(
        members, others, member_groups=member_groups, other_groups=other_groups, rng=np.random.default_rng(0)
    )


@settings(max_examples=30, deadline=None)
@given(few_values, few_values, st.sampled_from([np.exp, np.arctan, lambda x: x**3 - 7, lambda x: 2 * x]))
def test_only_the_order_of_scores_counts(members, others, increasing):
    assert measured(increasing(members), increasing(others)) == measured(members, others)


@settings(max_examples=40, deadline=None)
@given(few_values, few_values)
def test_the_areas_of_swapped_sides_add_up_to_one(members, others):
    there, back = auc(grouped(members), grouped(others)), auc(grouped(others), grouped(members))
    assert there.value + back.value == pytest.approx(1, abs=2e-6)
    assert there.low + back.high == pytest.approx(1, abs=2e-6)


@settings(max_examples=40, deadline=None)
@given(few_values, few_values)
def test_the_area_is_that_of_scikit_learn(members, others):
    truth = np.repeat([1, 0], [len(members), len(others)])
    expected = roc_auc_score(truth, np.concatenate([members, others]))
    assert auc(grouped(members), grouped(others)).value == pytest.approx(expected, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(few_values, few_values)
def test_the_curve_rises_from_corner_to_corner(members, others):
    points = np.array([(point.fpr, point.tpr) for point in roc_curve(members, others)])
    assert (np.diff(points, axis=0) >= 0).all()
    assert points[0].tolist() == [0, 0]
    assert points[-1].tolist() == [1, 1]
    assert auc(grouped(members), grouped(others)).value == pytest.approx(under(*points.T), abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(few_values, few_values, st.sampled_from([1, 2]))
def test_every_value_lies_in_its_interval_and_the_record_survives_json(members, others, rows):
    figures = measured(members, others, rows)
    scores = [figures.advantage, figures.auc, *(part for at in figures.at for part in (at.realised, at.tpr) if part)]
    assert all(score.low <= score.value <= score.high for score in scores)
    assert all((at.tpr is None) == (at.reason is not None) for at in figures.at)
    assert (figures.epsilon.at_least is None) == (figures.epsilon.reason is not None)
    written = dumps(figures)
    assert dumps(from_plain(Membership, json.loads(written))) == written


@pytest.mark.parametrize("documents", [20, 200])
def test_an_attack_that_knows_nothing_has_no_advantage(documents):
    draw, held = np.random.default_rng(4), 0
    for _ in range(200):
        score = advantage(grouped(draw.normal(size=documents)), grouped(draw.normal(size=documents)), draw)
        held += score.low <= 0 <= score.high
    assert 0.93 <= held / 200 <= 0.995


@pytest.mark.parametrize("area", [0.5, 0.95])
def test_the_interval_of_the_area_holds_the_truth(area):
    from scipy.stats import norm

    draw, held = np.random.default_rng(5), 0
    for _ in range(300):
        members = grouped(draw.normal(norm.ppf(area) * 2**0.5, 1, 40))
        score = auc(members, grouped(draw.normal(size=40)))
        held += score.low <= area <= score.high
    assert 0.92 <= held / 300 <= 0.99


def test_the_realised_rate_holds_the_true_one_though_the_threshold_was_set_on_the_same_others():
    draw, held = np.random.default_rng(7), 0
    for _ in range(300):
        others = draw.random(1000)
        realised = tpr_at_fpr(grouped(np.ones(20)), grouped(others), 0.01).realised
        held += realised.low <= 1 - np.sort(others)[989] <= realised.high
    assert 0.93 <= held / 300 <= 0.995


@pytest.mark.parametrize("threshold", [1.0, None])
def test_randomised_response_is_never_worse_than_it_promises(threshold):
    # Says the truth with a chance of e^epsilon / (1 + e^epsilon), which is epsilon exactly.
    promised, draw = 1.5, np.random.default_rng(6)
    truthful = 1 / (1 + np.exp(-promised))
    bounds = []
    for _ in range(200):
        members, others = grouped(draw.random(400) < truthful), grouped(draw.random(400) >= truthful)
        bounds.append(epsilon_bound(members, others, draw, threshold=threshold).at_least)
    assert np.mean(np.array(bounds) <= promised) >= 0.95
    assert np.mean(bounds) > promised / 2
