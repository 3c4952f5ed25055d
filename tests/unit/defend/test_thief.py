"""A thief without pairs sees no pair: neither texts nor documents of the stolen half."""

from dataclasses import replace

import numpy as np

from tests.conftest import WordSum
from tests.unit.defend.test_run import SETTINGS, labelled
from tests.unit.probes.cases import case_of
from vestige.defend.thief import ThiefSetup
from vestige.types import silent


def test_the_public_and_the_stolen_half_share_no_document_and_texts_of_the_stolen_half_are_not_used():
    case = case_of(labelled(), SETTINGS, WordSum())
    setup, pairs = ThiefSetup(case, SETTINGS, "screen"), case.auxiliary["same-domain"]
    stolen = {pairs.documents[row] for row in setup._stolen}
    assert stolen
    assert not stolen & set(setup._own.documents)
    known = case.knowledge("same-domain")
    blank = replace(known, auxiliary=replace(known.auxiliary, texts=[""] * len(pairs.texts)))
    guesses = [setup.fit(each, 1, silent)(case.targets).sets for each in (known, blank)]
    assert guesses[0] == guesses[1]
    assert setup.score(setup.fit(known, 1, silent)(case.targets)).leakage.low > 0.1, "raw vectors need no key"
    mismatched = replace(known, targets=np.roll(known.targets, 7, axis=0))
    assert setup.score(setup.fit(mismatched, 1, silent)(mismatched.targets)).leakage.high < 0.1
