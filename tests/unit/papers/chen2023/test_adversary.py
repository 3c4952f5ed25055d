"""The budget of queries, and repetitions."""

from vestige.papers.chen2023.adversary import OpenWorldAdversary


def test_baselines_hold_as_many_pairs_as_the_budget(cached_run, documents_and_encoders):
    documents, target, _ = documents_and_encoders
    adversary = OpenWorldAdversary(cached_run, *documents_and_encoders)
    vectors, importance = adversary.pairs
    assert len(vectors) == len(importance) == cached_run.sizes.budget
    attack = adversary.sade(selection="random")
    queried = [documents.pool.texts[row] for row in attack.queried_]
    assert (vectors == target.encoder.encode(queried)).all()


def test_a_repetition_draws_other_queries(cached_run, documents_and_encoders):
    adversary = OpenWorldAdversary(cached_run, *documents_and_encoders)
    once, again = adversary.sade(selection="random"), adversary.repeat(1).sade(selection="random")
    assert list(once.queried_) != list(again.queried_)
