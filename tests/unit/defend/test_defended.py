"""A case behind a defense, and what an adversary who knows the defense holds."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.case.settings import Settings
from vestige.defend.defended import DefendedEncoder, choose_draws, defend_case, defend_pairs, shrink_case
from vestige.defenses.catalogue import make_defense
from vestige.encoders.white_box import find_white_box
from vestige.probes.words import WordsSetup

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(), SETTINGS, WordSum())


def fitted(spec, case):
    return make_defense(spec).fit(case.auxiliary["same-domain"].vectors, rng=np.random.default_rng(0))


def test_targets_pairs_and_queries_all_pass_through_the_defense(case):
    defense = fitted("rotation", case)
    behind = defend_case(case, defense)
    assert np.array_equal(behind.targets, defense.transform(case.targets))
    pairs, raw = behind.auxiliary["same-domain"], case.auxiliary["same-domain"]
    assert np.array_equal(pairs.vectors, defense.transform(raw.vectors, start=len(case.targets)))
    assert pairs.texts == raw.texts
    assert behind.encoder is not None
    assert np.allclose(behind.encoder.encode(raw.texts[:3]), pairs.vectors[:3], atol=1e-6)
    assert behind.truth is case.truth


def test_every_draw_has_noise_of_its_own(case):
    defense = fitted("gaussian:1000", case)
    assert choose_draws(case, defense, 3) == 3
    assert choose_draws(case, fitted("rounding:1", case), 3) == 1
    behind = defend_case(case, defense, draws=3)
    pairs, size = behind.auxiliary["same-domain"], len(case.auxiliary["same-domain"].texts)
    assert pairs.texts == case.auxiliary["same-domain"].texts * 3
    assert pairs.queries == 3 * size
    given = replace(case.auxiliary["same-domain"], queries=0)
    assert defend_pairs(given, defense, draws=3, start=0).queries == 2 * size
    first, second, third = np.split(pairs.vectors, 3)
    assert len(first) == size
    noises = [each - case.auxiliary["same-domain"].vectors for each in (first, second, third)]
    assert abs(np.corrcoef(noises[0].ravel(), noises[1].ravel())[0, 1]) < 0.05
    assert behind.encoder is not None
    again = [behind.encoder.encode(["bacox dufex"]) for _ in range(2)]
    assert not np.array_equal(*again)


def test_an_adversary_who_cannot_query_has_one_draw(case):
    assert choose_draws(replace(case, encoder=None), fitted("gaussian:1000", case), 3) == 1


def test_a_defended_encoder_offers_no_white_box(case):
    assert find_white_box(DefendedEncoder(WordSum(), fitted("rotation", case))) is None
    assert DefendedEncoder(WordSum(), fitted("pca:8", case)).dimension == 8


def test_a_smaller_case_keeps_rows_together(case):
    small = shrink_case(case, pairs=100, targets=40)
    pairs = small.auxiliary["same-domain"]
    assert (len(small.targets), len(pairs.texts)) == (40, 100)
    assert np.allclose(WordSum().encode(pairs.texts), pairs.vectors, atol=1e-6)
    assert np.allclose(WordSum().encode(small.truth.texts), small.targets, atol=1e-6)
    assert len(small.truth.documents) == 40
    assert pairs.queries == 100


def test_the_adaptive_attack_recovers_as_much_from_rotated_vectors_and_the_naive_one_does_not(case):
    raw, behind = case, defend_case(case, fitted("rotation", case))

    def hits(known, attacked):
        pairs = known.auxiliary["same-domain"]
        attack = MultiLabelInverter(epochs=0).fit(pairs.vectors, pairs.texts, rng=np.random.default_rng(0))
        claimed = attack.infer(attacked.targets).sets
        truth = [set(text.lower().strip(".").split()) for text in case.truth.texts]
        return sum(len(words & text) for words, text in zip(claimed, truth, strict=True))

    assert hits(behind, behind) > 0.95 * hits(raw, raw)
    assert hits(raw, behind) < 0.7 * hits(raw, raw)


def test_an_attack_that_only_guesses_has_no_leakage(case):
    guesses = FixedWords().fit(case.auxiliary["same-domain"].all_texts).infer(case.targets)
    gain = WordsSetup("words", case, "same-domain", SETTINGS, "screen").score(guesses).leakage
    assert gain.value == 0
    assert gain.low == -gain.high < 0
