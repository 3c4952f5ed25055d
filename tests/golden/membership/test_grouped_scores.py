"""Shares of grouped scores, by hand and from tables."""

import numpy as np
import pytest
from scipy.special import betaincinv

from tests.golden.membership.scores import grouped, names
from vestige.errors import InputError
from vestige.metrics.membership.grouped_scores import group_scores, rate


def test_a_rate_over_documents():
    # Two documents of four wholly called. Between documents 4/3 x 25/400 = 1/12, within 0.25/19; Student's t is
    # 2.093024 at 19 and 3.182446 at 3 degrees of freedom.
    n = 20 * (0.25 / 19) / (1 / 12) * (2.093024 / 3.182446) ** 2
    share, low, high = rate(np.repeat([True, True, False, False], 5), grouped(np.zeros(20), 5))
    assert share == 0.5
    assert low == pytest.approx(betaincinv(n / 2, n / 2 + 1, 0.025), abs=1e-6)
    assert high == pytest.approx(1 - low)


def test_independent_rows_have_the_exact_interval():
    assert rate(np.arange(20) < 15, grouped(np.zeros(20))) == pytest.approx((0.75, 0.508954, 0.913429), abs=1e-6)


def test_documents_that_vary_less_than_chance_count_no_more_than_their_rows():
    # Every document has one row of four called: less spread than chance gives, and still 40 effective rows, no more.
    spread = rate(np.arange(40) % 4 == 0, grouped(np.zeros(40), 4))
    assert spread == pytest.approx(rate(np.arange(40) % 4 == 0, grouped(np.zeros(40))))


def test_with_no_row_called_each_document_counts_once():
    assert rate(np.zeros(40, dtype=bool), grouped(np.zeros(40), 4))[2] == pytest.approx(1 - 0.025**0.1)


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(InputError, match="1 groups, such as 'm3', contain members and non-members"):
        group_scores(np.ones(20), np.ones(20), member_groups=names("m", 20), other_groups=["m3", *names("o", 19)])
    with pytest.raises(InputError, match=r"members of shape \(20,\) but 19 groups"):
        group_scores(np.ones(20), np.ones(20), member_groups=names("m", 19), other_groups=names("o", 20))
    with pytest.raises(InputError, match="non-members are not all finite"):
        group_scores(np.ones(20), np.full(20, np.nan), member_groups=names("m", 20), other_groups=names("o", 20))
    with pytest.raises(InputError, match="9 documents of members are too few"):
        group_scores(np.ones(9), np.ones(20), member_groups=names("m", 9), other_groups=names("o", 20))
