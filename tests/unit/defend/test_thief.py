"""A thief without pairs sees no pair: neither texts nor documents of the stolen half."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.defend.test_run import SETTINGS, labelled
from tests.unit.probes.cases import case_of
from vestige.defend.thief import Thief, is_thief, name_probe, name_thief, open_thief
from vestige.defenses.rotation import RandomRotation
from vestige.probes.probe import Run
from vestige.types import silent

PROBES = ("words", "attributes")


@pytest.fixture(scope="module")
def case():
    return case_of(labelled(), SETTINGS, WordSum())


def open_all(case):
    return {setup.name: setup for setup in open_thief(case, PROBES, Run(SETTINGS), "screen")}


def test_the_public_and_the_stolen_half_share_no_document_and_texts_of_the_stolen_half_are_not_used(case):
    setup, thief, pairs = open_all(case)["words-thief"], Thief(case, SETTINGS), case.auxiliary["same-domain"]
    stolen = {pairs.documents[row] for row in thief.stolen}
    assert stolen
    assert not stolen & set(thief.own.documents)
    known = case.knowledge("same-domain")
    blank = replace(known, auxiliary=replace(known.auxiliary, texts=[""] * len(pairs.texts)))
    guesses = [setup.fit(each, 1, silent)(case.targets).sets for each in (known, blank)]
    assert guesses[0] == guesses[1]
    assert setup.score(setup.fit(known, 1, silent)(case.targets)).leakage.low > 0.1, "raw vectors need no key"
    mismatched = replace(known, targets=np.roll(known.targets, 7, axis=0))
    assert setup.score(setup.fit(mismatched, 1, silent)(mismatched.targets)).leakage.high < 0.1


def test_a_thief_runs_every_probe_that_learns_from_pairs(case):
    setups, known = open_all(case), case.knowledge("same-domain")
    assert set(setups) == {"words-thief", "attributes-thief:side"}
    label = setups["attributes-thief:side"]
    raw = label.score(label.fit(known, 1, silent)(known.targets)).leakage
    assert raw.low > 0, "positive control: raw vectors need no key"
    key = RandomRotation().fit(known.targets, rng=np.random.default_rng(0))
    turned = replace(known, targets=key.transform(known.targets))
    naive = label.fit_naive()(turned.targets)
    assert label.score(naive).leakage.value < raw.value, "without an alignment, a rotation hides the label"


def test_one_alignment_serves_all_probes_of_a_defense(case):
    thief, known = Thief(case, SETTINGS), case.knowledge("same-domain")
    found = thief.align(known)
    assert thief.align(known) is found
    assert thief.align(replace(known, targets=known.targets.copy())) is not found


@pytest.mark.parametrize("probe", ["words", "attributes:topic"])
def test_the_probe_of_a_thief_has_a_name_of_its_own(probe):
    assert is_thief(name_thief(probe))
    assert not is_thief(probe)
    assert name_probe(name_thief(probe)) == name_probe(probe) == probe
