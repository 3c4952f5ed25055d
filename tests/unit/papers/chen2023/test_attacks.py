"""The budget of queries."""

from vestige.papers.chen2023.attacks import OpenWorldAdversary
from vestige.papers.chen2023.setup import MODELS, SURROGATE, load_surrogate
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.victims import load_victim

PLAYED = {"SBERT", "granite"}


def test_baselines_hold_as_many_pairs_as_the_budget(cached_run):
    documents = read_documents(cached_run, "20 News")
    own = load_surrogate(cached_run, SURROGATE, documents.external)
    target = load_victim(cached_run, "granite", MODELS["granite"])
    adversary = OpenWorldAdversary(cached_run, documents, target, own)
    vectors, importance = adversary.pairs
    assert len(vectors) == len(importance) == cached_run.sizes.budget
    attack = adversary.sade(selection="random")
    queried = [documents.pool.texts[row] for row in attack.queried_]
    assert (vectors == target.encoder.encode(queried)).all()
