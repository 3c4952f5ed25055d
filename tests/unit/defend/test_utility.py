"""The utility of defended vectors, with expectations by construction."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.case import Auxiliary, Truth
from vestige.case.settings import Settings
from vestige.defend import utility
from vestige.defend.utility import UtilityTask
from vestige.defenses.catalogue import make_defense

SETTINGS = Settings(targets=30, pairs=100, shortest=4)


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(), SETTINGS, WordSum())


def test_undefended_vectors_have_full_utility_however_few_the_documents(case):
    recall, correlation = (each.score for each in UtilityTask.build(case, None, 0).score(None))
    assert {(score.value, score.low, score.high) for score in (recall, correlation)} == {(1.0, 1.0, 1.0)}
    assert recall.baseline == pytest.approx(10 / 129, abs=1e-3)
    rotation = make_defense("rotation").fit(case.targets, rng=np.random.default_rng(0))
    measured = UtilityTask.build(case, None, 0).score(rotation)[0].score
    assert measured.value == 1.0 > measured.low


def clustered(case, targets: int, pairs: int):
    """Vectors whose label is the sign of their first column."""
    sides = [np.random.default_rng(seed).normal(size=(n, 4)) for seed, n in enumerate((targets, pairs))]
    tables = [side.astype(np.float32) for side in sides]
    for table in tables:
        table[:, 0] += np.sign(table[:, 0])
    labels = [{"side": ["left" if row[0] < 0 else "right" for row in table]} for table in tables]
    texts = [[f"{name} {row}" for row in range(len(table))] for name, table in zip("tp", tables, strict=True)]
    truth = Truth(texts[0], texts[0], labels[0])
    known = Auxiliary(tables[1], texts[1], texts[1], "toy", 0, labels[1])
    return replace(case, targets=tables[0], truth=truth, auxiliary={"same-domain": known})


@pytest.mark.parametrize("targets", [40, 98, 120])
def test_a_task_is_learned_from_enough_pairs_however_many_the_targets(case, monkeypatch, targets):
    monkeypatch.setattr(utility, "TABLE", 100)
    monkeypatch.setattr(utility, "LEARNED", 60)
    utility_task = UtilityTask.build(clustered(case, targets, 200), "side", 0)
    recall, _, task = (each.score for each in utility_task.score(None))
    assert recall.n == 100
    assert task.n == targets
    assert task.value > 0.9
