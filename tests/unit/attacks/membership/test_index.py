"""Is a text in the store? Members are distinguished from others and near copies in every stored form."""

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.attacks.membership.index import IndexMembership
from vestige.encoders.metered import Metered
from vestige.errors import BudgetExceeded, InputError, NotFitted
from vestige.metrics.membership.summary import membership
from vestige.stores.memory_index import FORMS, MemoryIndex, as_binary

SENTENCES = list(dict.fromkeys(toy_corpus(210, seed=3).sentences(6, 40).texts))
STORED, OWN, OTHERS = SENTENCES[:200], SENTENCES[200:260], SENTENCES[260:360]


BY_HAND = 0.5 * np.log(0.4001) - np.log(0.1001)


class Fixed:
    """A store whose answers are known, and an encoder that is not looked at."""

    name = identity = "fixed"
    dimension = 2

    def __init__(self, answers):
        self.answers = np.array(answers, float)

    def search(self, vectors, k):
        return np.resize(self.answers, (len(vectors), self.answers.shape[1]))[:, :k]

    def encode(self, texts, **_):
        return np.tile(np.array([[0.6, 0.8]], np.float32), (len(texts), 1))


def fitted(form="float32", vectors=None, **settings):
    encoder = WordSum()
    index = MemoryIndex(encoder.encode(STORED) if vectors is None else vectors, form=form)
    return IndexMembership(**settings).fit(OWN, index=index, encoder=encoder, stored_form=FORMS[form])


def auc(attack, members, others):
    names = [f"in {row}" for row in range(len(members))], [f"out {row}" for row in range(len(others))]
    scores = attack.infer(members).scores, attack.infer(others).scores
    rng = np.random.default_rng(0)
    return membership(*scores, member_groups=names[0], other_groups=names[1], rng=rng).auc.value


def a_word_changed(texts):
    return [" ".join(["Poxpo", *text.split()[1:]]) for text in texts]


def test_the_score_sets_one_distance_against_another_by_hand():
    # Best at 0.1, the two after it at 0.3 and 0.5: half the log of 0.4001 less the log of 0.1001.
    world = Fixed([[0.9, 0.7, 0.5]])
    attack = IndexMembership(neighbours=3).fit(OWN, index=world, encoder=world)
    assert attack.infer(["a"]).scores == pytest.approx([BY_HAND])
    assert attack.threshold_ == pytest.approx(BY_HAND)
    top = IndexMembership(recipe="top", neighbours=3).fit(OWN, index=world, encoder=world)
    assert top.infer(["a"]).scores == pytest.approx([0.9])


def test_scores_are_shares_of_what_a_copy_would_score_by_hand():
    # (0.6, 0.8) stored as (1, 1) has cosine 1.4 / sqrt(2) with itself.
    copy = 1.4 / np.sqrt(2)
    world = Fixed([[0.9 * copy, 0.7 * copy, 0.5 * copy]])
    attack = IndexMembership(neighbours=3).fit(OWN, index=world, encoder=world, stored_form=as_binary)
    assert attack.infer(["a"]).scores == pytest.approx([BY_HAND])


def test_a_record_that_is_there_many_times_is_a_member_still():
    encoder = WordSum()
    attack = fitted(vectors=np.repeat(encoder.encode(STORED), 4, axis=0))
    assert auc(attack, STORED[:100], OTHERS) == 1


@pytest.mark.parametrize("form", FORMS)
def test_members_are_distinguished_from_others_in_every_form(form):
    attack = fitted(form)
    assert auc(attack, STORED[:100], OTHERS) > 0.99
    assert (attack.infer(STORED[:100]).scores > attack.threshold_).mean() > 0.95
    assert (attack.infer(OTHERS).scores > attack.threshold_).mean() < 0.1


def test_near_copies_are_distinguished_from_members_where_the_best_score_is_not_enough():
    near = a_word_changed(STORED[100:200])
    assert auc(fitted("binary"), STORED[:100], near) > 0.99
    assert auc(fitted("binary", recipe="top"), STORED[:100], near) < 0.97


def test_another_store_tells_nothing():
    attack = fitted(vectors=WordSum().encode(SENTENCES[400:600]))
    assert auc(attack, STORED[:100], OTHERS) == pytest.approx(0.5, abs=0.12)


def test_each_candidate_costs_one_query_and_no_more():
    encoder = Metered(WordSum(), budget=len(OWN) + 10)
    index = MemoryIndex(WordSum().encode(STORED))
    attack = IndexMembership().fit(OWN, index=index, encoder=encoder)
    together = attack.infer(STORED[:10]).scores
    assert (encoder.spent, index.searches) == (len(OWN) + 10,) * 2
    with pytest.raises(BudgetExceeded):
        attack.infer(STORED[:1])
    free = IndexMembership().fit(OWN, index=index, encoder=WordSum())
    assert free.infer(STORED[:10][::-1]).scores[::-1] == pytest.approx(together, rel=1e-3)


def test_what_it_cannot_use_is_refused():
    index = MemoryIndex(WordSum().encode(STORED))
    with pytest.raises(InputError, match="19 texts that are not in the store are too few"):
        IndexMembership().fit(OWN[:19], index=index, encoder=WordSum())
    with pytest.raises(InputError, match="'neighbours' parameter must be at least 2"):
        IndexMembership(neighbours=1).fit(OWN, index=index, encoder=WordSum())
    with pytest.raises(InputError, match="'recipe' parameter must be 'default' or 'top'"):
        IndexMembership(recipe="best").fit(OWN, index=index, encoder=WordSum())
    with pytest.raises(NotFitted, match="fit"):
        IndexMembership().infer(["a"])


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([[1.7, 0.5, 0.4]], "beyond -1 and 1"),
        ([[0.2, 0.5, 0.9]], "rise along a row"),
        ([[0.9, 0.5]], "expected .* one column per neighbour"),
        ([[0.9, np.nan, 0.1]], "beyond -1 and 1"),
    ],
)
def test_an_index_that_gives_no_cosines_is_refused(answers, message):
    world = Fixed(answers)
    with pytest.raises(InputError, match=message):
        IndexMembership(neighbours=3).fit(OWN, index=world, encoder=world)
