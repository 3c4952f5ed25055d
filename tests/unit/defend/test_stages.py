"""The sizes at which defenses are judged, and what is scored at each."""

from collections.abc import Container
from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.defend.trials import leakage
from tests.unit.probes.cases import case_of
from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend import stages
from vestige.defend.limits import parse_limit
from vestige.defend.request import SweepRequest
from vestige.defend.stages import Stage, build_stages, is_obscurity
from vestige.probes.probe import Run

SETTINGS = Settings(targets=100, pairs=400, shortest=4, longest=60, unit="text")
FEW, ALL, FULL = (150, 40), (150, 100), (400, 100)
OFTEN, SELDOM = range(0, 400, 5), {1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 18, 19, 21}
"""Rows of which a small size has its share, and none."""


@pytest.fixture(autouse=True)
def _small_and_unfitted(monkeypatch):
    monkeypatch.setattr(stages, "SMALL_PAIRS", FEW[0])
    monkeypatch.setattr(stages, "SMALL_TARGETS", FEW[1])
    monkeypatch.setattr(Stage, "fit", lambda number, case, setups, _: Stage(number, case, setups, {}, 0))


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
    ids=["few targets contain it", "only all targets contain it", "few pairs do not contain it"],
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
def test_both_sizes_score_the_same_keywords_and_classes(case, targets, pairs, sizes, probes, keywords, limit):
    settings = replace(SETTINGS, probes=tuple(probes.split()), keywords=keywords)
    request = SweepRequest((parse_limit(limit),), None, None, 1, halving=True, chosen=settings.probes)
    stages = build_stages(holding(case, targets, pairs), request, Run(settings)).stages
    assert [(len(stage.case.auxiliary["same-domain"].texts), len(stage.case.targets)) for stage in stages] == sizes
    assert [stage.number for stage in stages] == list(range(1, len(stages) + 1))
    tested = [{setup.name: setup.tested for setup in stage.setups} for stage in stages]
    assert all(each == tested[-1] for each in tested)


def test_without_halving_there_is_one_size(case):
    request = SweepRequest((), None, None, 1, halving=False)
    assert len(build_stages(case, request, Run(replace(SETTINGS, keywords=("balox",)))).stages) == 1


@pytest.mark.parametrize(
    ("naive", "adaptive", "expected"),
    [(0.02, 0.45, True), (0.45, 0.45, False), (0.02, 0.05, False), (None, 0.45, False)],
)
def test_obscurity_stops_only_the_naive_adversary(naive, adaptive, expected):
    assert is_obscurity(leakage(adaptive, naive=naive), leakage(0.5)) is expected
    assert not is_obscurity(leakage(adaptive, naive=naive), leakage(0.0))
