"""The budget of queries, and repetitions."""

from dataclasses import replace

import pytest

from vestige.papers.chen2023.adversary import OpenWorldAdversary


def test_baselines_hold_as_many_pairs_as_the_budget(cached_run, documents_and_encoders):
    documents, target, _ = documents_and_encoders
    adversary = OpenWorldAdversary(cached_run, *documents_and_encoders)
    vectors, importance = adversary.pairs
    assert len(vectors) == len(importance) == cached_run.sizes.budget
    attack = adversary.sade(selection="random")
    queried = [documents.pool.texts[row] for row in attack.queried_]
    assert (vectors == target.encoder.encode(queried)).all()


def test_tf_idf_is_scaled_unless_it_is_not_wanted(cached_run, documents_and_encoders):
    whole = replace(cached_run, sizes=replace(cached_run.sizes, unit=False))
    scaled, plain = (OpenWorldAdversary(run, *documents_and_encoders).truth.weights for run in (cached_run, whole))
    assert scaled.max() <= 1 < plain.max()
    ratios = plain.toarray()[0][scaled.toarray()[0] > 0] / scaled.data[: scaled.indptr[1]]
    assert ratios == pytest.approx(ratios[0])


def test_a_repetition_draws_other_queries(cached_run, documents_and_encoders):
    adversary = OpenWorldAdversary(cached_run, *documents_and_encoders)
    once, again = adversary.sade(selection="random"), adversary.repeat(1).sade(selection="random")
    assert list(once.queried_) != list(again.queried_)
