from collections.abc import Container
from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend import stages
from vestige.defend.asking import Asking
from vestige.defend.limits import parse_limit
from vestige.defend.stage import Stage
from vestige.defend.stages import stages_of
from vestige.types import silent

SETTINGS = Settings(targets=100, pairs=400, shortest=4, longest=60, unit="text")
FEW, ALL, FULL = (150, 40), (150, 100), (400, 100)
OFTEN, SELDOM = range(0, 400, 5), {1, 3, 4, 6, 8, 9}
"""Rows of which a small size has its share, and none."""


@pytest.fixture(autouse=True)
def _small_and_unfitted(monkeypatch):
    monkeypatch.setattr(stages, "SMALL_PAIRS", FEW[0])
    monkeypatch.setattr(stages, "SMALL_TARGETS", FEW[1])
    monkeypatch.setattr(Stage, "opened", lambda number, case, questions, _: Stage(number, case, questions, {}, 0))


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(600), SETTINGS, WordSum())


def holding(case: Case, targets: Container[int], pairs: Container[int]) -> Case:
    """The case with a rare word, and the label "rare", in some texts of either side."""
    known = case.auxiliary["same-domain"]
    truth, own = (
        replace(
            side,
            texts=[f"{text} Qerux." if row in rows else text for row, text in enumerate(side.texts)],
            attributes={"kind": ["rare" if row in rows else "usual" for row in range(len(side.texts))]},
        )
        for side, rows in ((case.truth, targets), (known, pairs))
    )
    return replace(case, truth=truth, auxiliary={"same-domain": own})


@pytest.mark.parametrize(
    ("targets", "pairs", "sizes"),
    [(OFTEN, OFTEN, [FEW, FULL]), (SELDOM, OFTEN, [ALL, FULL]), (OFTEN, {1}, [FULL])],
    ids=["few targets hold it", "only all targets hold it", "few pairs do not hold it"],
)
@pytest.mark.parametrize(
    ("probes", "keywords", "limit"),
    [
        ("keywords", ("qerux",), "keywords<0.3"),
        ("keywords", ("balox", "qerux"), "keywords<0.3"),
        ("words keywords", ("qerux",), "keywords<0.3"),
        ("attributes", (), "attributes<0.3"),
    ],
)
def test_both_sizes_ask_of_the_same_keywords_and_classes(case, targets, pairs, sizes, probes, keywords, limit):
    asking = Asking((parse_limit(limit),), None, None, 1, halving=True)
    settings = replace(SETTINGS, probes=tuple(probes.split()))
    found, asked = stages_of(holding(case, targets, pairs), keywords, ("kind",), asking, settings, silent)
    assert [(len(stage.case.auxiliary["same-domain"].texts), len(stage.case.targets)) for stage in found] == sizes
    assert [stage.number for stage in found] == list(range(1, len(found) + 1))
    for stage in found:
        assert {each.name: each.tested for each in stage.questions} == asked.tested


def test_without_halving_there_is_one_size(case):
    asking = Asking((), None, None, 1, halving=False)
    found, _ = stages_of(case, ("balox",), (), asking, SETTINGS, silent)
    assert len(found) == 1
