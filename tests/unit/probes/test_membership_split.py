"""Who is in the store, who is not, and what the answers of the store show."""

import numpy as np
import pytest

from tests.conftest import toy_corpus
from vestige.case.case import Auxiliary, Truth
from vestige.probes.membership_split import EXACT, MembershipSplit, StoreAnswers, draw_own_texts
from vestige.text.words import content_words


def test_near_copies_are_excluded_from_members_and_others():
    texts = toy_corpus(200, seed=5).sentences(4, 40).texts[:200]
    twice = Truth([*texts, *texts[:80]], [str(row) for row in range(280)])
    split = MembershipSplit.draw(twice, 0)
    inside = set(split.stored)
    sets = [content_words(text) for text in twice.texts]

    def shared(row, others):
        return max(len(sets[row] & sets[other]) / len(sets[row] | sets[other]) for other in others) > 0.7

    outside = [row for row in range(280) if row not in inside]
    assert split.near
    assert split.copied
    assert all(shared(row, split.stored) for row in split.near)
    assert all(shared(row, outside) for row in split.copied)
    assert not any(shared(row, split.stored) for row in split.others)
    assert not any(shared(row, outside) for row in split.members)
    assert inside.isdisjoint(split.others)
    assert inside.issuperset(split.members)


def test_the_bound_uses_one_text_per_document():
    truth = Truth(["x"] * 80, [str(row // 2) for row in range(80)])
    split = MembershipSplit([*range(40)], [*range(40)], [*range(40, 80)], [], [])
    scores = {row: float(row < 40) for row in range(80)}
    bound = StoreAnswers(truth, scores, 0.5, 0).bound_epsilon(split)
    assert (bound.members, bound.others) == (20, 20)
    # All 20 are found: the true rate is at least 0.025 ** (1 / 20). There is no false positive: at most 1 minus that.
    least = 0.025 ** (1 / 20)
    assert bound.at_least == pytest.approx(np.log(least / (1 - least)), abs=1e-6)


def test_the_claimed_share_by_hand():
    truth = Truth(["x"] * 20, [str(row) for row in range(20)])
    answers = StoreAnswers(truth, {row: float(row) for row in range(20)}, 15.0, 0)
    assert answers.claimed_share(range(20)).value == 0.25


def test_near_copies_are_queried_word_for_word_only():
    split = MembershipSplit([0, 1, 2], [0], [3], [1], [4])
    assert split.select(EXACT) == [0, 3, 1, 4]
    assert split.select("a word changed") == split.plain == [0, 3]


def test_the_adversarys_own_texts_and_those_of_the_control_do_not_overlap():
    pairs = Auxiliary(np.zeros((500, 1)), [str(row) for row in range(500)], ["d"] * 500, "letters", 0)
    own, others = draw_own_texts(pairs, 0, 120)
    assert (len(own.texts), len(others.texts)) == (200, 120)
    assert not set(own.texts) & set(others.texts)
