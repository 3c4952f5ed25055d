"""A lower bound on the leakage of words, from a part of the pairs."""

from dataclasses import replace

import numpy as np

from tests.conftest import WordSum, toy_corpus
from vestige.audit.first_look import FirstLook, take_first_look
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes import inversion_choice
from vestige.probes.inversion_choice import choose_inversion
from vestige.probes.probe import Run
from vestige.types import Score, silent

SETTINGS = Settings(targets=60, pairs=400, shortest=4)


def build_plan(encoder, **changes):
    return plan_case(Inputs(None, toy_corpus(), encoder, None), replace(SETTINGS, **changes))


def test_the_same_targets_are_attacked_with_fewer_pairs(monkeypatch):
    monkeypatch.setattr(inversion_choice, "MOST_COMPARED", 150)
    encoder = WordSum()
    plan = build_plan(encoder)
    look = take_first_look(plan, Run(plan.settings))
    assert look.pairs == 150
    assert look.leakage.low > 0.1
    whole = plan.build(silent, look.case.encoder)
    assert (whole.targets == look.case.targets).all()
    held, part = whole.auxiliary["same-domain"], look.case.auxiliary["same-domain"]
    assert {*part.texts} <= {*held.texts}
    assert sorted(part.all_texts) == sorted(held.all_texts)


def test_the_audit_chooses_the_same_attack_with_and_without_a_first_look(monkeypatch):
    monkeypatch.setattr(inversion_choice, "MOST_COMPARED", 150)
    plan = build_plan(WordSum())
    early, late = Run(plan.settings), Run(plan.settings)
    look = take_first_look(plan, early)
    chosen = [choose_inversion(plan.build(silent, look.case.encoder), "same-domain", run) for run in (early, late)]
    assert early.shared["tournament", "same-domain"] is chosen[0].tournament
    for name, f1 in chosen[0].tournament.f1.items():
        assert (f1 == chosen[1].tournament.f1[name]).all()
    assert chosen[0].inversion.info is chosen[1].inversion.info
    assert chosen[0].queries == chosen[1].queries


def test_there_is_none_if_the_pairs_are_few_or_their_vectors_exist(monkeypatch):
    plan = build_plan(WordSum())
    assert take_first_look(plan, Run(plan.settings)) is None
    monkeypatch.setattr(inversion_choice, "MOST_COMPARED", 150)
    stored = Inputs(np.ones((len(toy_corpus()), 4), np.float32), toy_corpus(), None, None)
    assert take_first_look(plan_case(stored, SETTINGS), Run(SETTINGS)) is None


def test_it_says_that_it_is_a_lower_bound():
    look = FirstLook(None, 3000, Score(0.512, 0.5, 0.524, 1000, 0.0), 1000.0)
    assert str(look) == ("first look at words, with 3,000 pairs: leakage at least 0.51 (0.50 to 0.52), severe")
