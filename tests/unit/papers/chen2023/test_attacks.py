"""The budget of queries, and repetitions."""

from dataclasses import replace

import pytest

from vestige.papers.chen2023.attacks import (
    OpenWorldAdversary,
    SadeVariant,
    average_repeats,
    measure_line,
    scores_at_five,
)
from vestige.papers.chen2023.setup import MODELS, SURROGATE, load_surrogate
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.victims import load_victim
from vestige.types import Score

PLAYED = {"SBERT", "granite"}


@pytest.fixture(scope="module")
def documents_and_encoders(cached_run):
    documents = read_documents(cached_run, "20 News")
    own = load_surrogate(cached_run, SURROGATE, documents.external)
    return documents, load_victim(cached_run, "granite", MODELS["granite"]), own


def test_baselines_hold_as_many_pairs_as_the_budget(cached_run, documents_and_encoders):
    documents, target, _ = documents_and_encoders
    adversary = OpenWorldAdversary(cached_run, *documents_and_encoders)
    vectors, importance = adversary.pairs
    assert len(vectors) == len(importance) == cached_run.sizes.budget
    attack = adversary.sade(selection="random")
    queried = [documents.pool.texts[row] for row in attack.queried_]
    assert (vectors == target.encoder.encode(queried)).all()


def test_repetitions_are_averaged_and_widen_the_interval():
    scores = [Score(0.4, 0.3, 0.5, 10), Score(0.6, 0.5, 0.7, 10)]
    found = average_repeats(scores)
    # Half of the width is 0.1 over documents, and 1.96 times the standard error of 0.1 over repetitions.
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5 - 0.22, 0.5 + 0.22), abs=0.001)
    assert average_repeats(scores[:1]) is scores[0]


def test_what_is_trained_is_repeated(cached_run, documents_and_encoders):
    run = replace(cached_run, sizes=replace(cached_run.sizes, repeats=2))
    adversary = OpenWorldAdversary(run, *documents_and_encoders)
    once, again = adversary.sade(selection="random"), adversary.repeat(1).sade(selection="random")
    assert list(once.queried_) != list(again.queried_)
    line = measure_line(adversary, "MLP", OpenWorldAdversary.mlp, scores_at_five)
    assert len(line.logs) == 2
    closed = measure_line(adversary, "ours", SadeVariant.build(recipe="vestige"), scores_at_five)
    assert closed.logs == ()
