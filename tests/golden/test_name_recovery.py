"""Shares of recovered names, counted by hand."""

import numpy as np
import pytest
from scipy.stats import beta

from vestige.errors import InputError
from vestige.metrics.name_recovery import name_recovery

GUESSED = [{"ann"}, {"ann", "x"}, {"ann"}, {"y"}, {"bob"}, {"ann"}, {"bob"}, set()]
PUT_IN = ["ann"] * 4 + ["bob"] * 4
STOOD = ["ann", "ann", "bob", "bob", "ann", "ann", "bob", "bob"]


def test_shares_and_false_alarms_by_hand():
    found = name_recovery(GUESSED, PUT_IN, STOOD)
    assert found.names == found.contexts == ("ann", "bob")
    values = {pair: (score.value, score.baseline, score.n) for pair, score in found.shares.items()}
    assert values == {
        ("ann", "ann"): (1.0, 0.5, 2),
        ("ann", "bob"): (0.5, 0.0, 2),
        ("bob", "ann"): (0.5, 0.0, 2),
        ("bob", "bob"): (0.5, 0.0, 2),
    }
    share = found.shares["ann", "bob"]
    assert (share.low, share.high) == pytest.approx((beta.ppf(0.025, 1, 2), beta.ppf(0.975, 2, 1)), abs=1e-4)


def test_a_pair_without_texts_has_no_share_and_a_lone_name_no_false_alarm():
    found = name_recovery([{"ann"}, set()], ["ann", "bob"], ["ann", "bob"])
    assert set(found.shares) == {("ann", "ann"), ("bob", "bob")}
    assert found.shares["ann", "ann"].baseline is None


def test_texts_of_one_document_count_together():
    guessed = [{"ann"} if row < 60 else set() for row in range(120)]
    names = ["ann"] * 120
    apart = name_recovery(guessed, names, names).shares["ann", "ann"]
    documents = [str(row // 10) for row in range(120)]
    together = name_recovery(guessed, names, names, documents=documents, rng=np.random.default_rng(0))
    share = together.shares["ann", "ann"]
    assert share.value == apart.value == 0.5
    assert share.high - share.low > 2 * (apart.high - apart.low)


def test_lists_of_other_lengths_are_refused():
    with pytest.raises(InputError, match="2 guesses but 1 inserted names"):
        name_recovery([set(), set()], ["ann"], ["ann", "ann"])
    with pytest.raises(InputError, match="rng"):
        name_recovery([set()], ["ann"], ["ann"], documents=["a"])
