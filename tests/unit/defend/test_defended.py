from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.defend.trials import reading
from tests.unit.probes.cases import case_of
from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.case.settings import Settings
from vestige.defend.defended import Defended, defended_case, defended_pairs, draws_of, smaller
from vestige.defend.owner import own_half
from vestige.defend.stage import only_obscurity
from vestige.defend.words_question import WordsQuestion
from vestige.defenses.catalogue import make_defense
from vestige.encoders.white_box import opened

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(), SETTINGS, WordSum())


def fitted(spec, case):
    return make_defense(spec).fit(case.auxiliary["same-domain"].vectors, rng=np.random.default_rng(0))


def test_targets_pairs_and_answers_all_go_through_the_defense(case):
    defense = fitted("rotation", case)
    behind = defended_case(case, defense)
    assert np.array_equal(behind.targets, defense.transform(case.targets))
    pairs, raw = behind.auxiliary["same-domain"], case.auxiliary["same-domain"]
    assert np.array_equal(pairs.vectors, defense.transform(raw.vectors, start=len(case.targets)))
    assert pairs.texts == raw.texts
    assert behind.encoder is not None
    assert np.allclose(behind.encoder.encode(raw.texts[:3]), pairs.vectors[:3], atol=1e-6)
    assert behind.truth is case.truth


def test_every_draw_has_noise_of_its_own(case):
    defense = fitted("gaussian:1000", case)
    assert draws_of(case, defense, 3) == 3
    assert draws_of(case, fitted("rounding:1", case), 3) == 1
    behind = defended_case(case, defense, draws=3)
    pairs, size = behind.auxiliary["same-domain"], len(case.auxiliary["same-domain"].texts)
    assert pairs.texts == case.auxiliary["same-domain"].texts * 3
    assert pairs.queries == 3 * size
    given = replace(case.auxiliary["same-domain"], queries=0)
    assert defended_pairs(given, defense, draws=3, start=0).queries == 2 * size
    first, second, third = np.split(pairs.vectors, 3)
    assert len(first) == size
    noises = [each - case.auxiliary["same-domain"].vectors for each in (first, second, third)]
    assert abs(np.corrcoef(noises[0].ravel(), noises[1].ravel())[0, 1]) < 0.05
    assert behind.encoder is not None
    again = [behind.encoder.encode(["bacox dufex"]) for _ in range(2)]
    assert not np.array_equal(*again)


def test_a_stranger_who_cannot_ask_has_one_draw(case):
    assert draws_of(replace(case, encoder=None), fitted("gaussian:1000", case), 3) == 1


def test_the_defended_encoder_is_a_box_that_cannot_be_opened(case):
    assert opened(Defended(WordSum(), fitted("rotation", case))) is None
    assert Defended(WordSum(), fitted("pca:8", case)).dimension == 8


def test_a_smaller_case_keeps_rows_together(case):
    small = smaller(case, pairs=100, targets=40)
    pairs = small.auxiliary["same-domain"]
    assert (len(small.targets), len(pairs.texts)) == (40, 100)
    assert np.allclose(WordSum().encode(pairs.texts), pairs.vectors, atol=1e-6)
    assert np.allclose(WordSum().encode(small.truth.texts), small.targets, atol=1e-6)
    assert len(small.truth.documents) == 40
    assert pairs.queries == 100


@pytest.mark.parametrize(
    ("naive", "adaptive", "told"), [(0.02, 0.45, True), (0.45, 0.45, False), (0.02, 0.05, False), (None, 0.45, False)]
)
def test_obscurity_fools_the_naive_stranger_alone(naive, adaptive, told):
    assert only_obscurity(reading(adaptive, naive=naive), reading(0.5)) is told
    assert not only_obscurity(reading(adaptive, naive=naive), reading(0.0))


def test_the_attack_that_knows_a_rotation_reads_as_before_and_the_naive_one_does_not(case):
    raw, behind = case, defended_case(case, fitted("rotation", case))

    def hits(known, attacked):
        pairs = known.auxiliary["same-domain"]
        attack = MultiLabelInverter(epochs=0).fit(pairs.vectors, pairs.texts, rng=np.random.default_rng(0))
        claimed = attack.infer(attacked.targets).sets
        said = [set(text.lower().strip(".").split()) for text in case.truth.texts]
        return sum(len(words & text) for words, text in zip(claimed, said, strict=True))

    assert hits(behind, behind) > 0.95 * hits(raw, raw)
    assert hits(raw, behind) < 0.7 * hits(raw, raw)


def test_a_reader_that_only_guesses_gains_nothing_give_or_take(case):
    guesses = FixedWords().fit(case.auxiliary["same-domain"].texts).infer(case.targets)
    gain = WordsQuestion(case, SETTINGS, thorough=False).score(guesses).leakage
    assert gain.value == 0
    assert gain.low == -gain.high < 0


def test_the_owner_fits_on_half_of_the_documents(case):
    pairs = case.auxiliary["same-domain"]
    own = own_half(pairs, seed=0)
    assert len(set(own.documents)) == -(-len(set(pairs.documents)) // 2)
    assert not set(own.documents) & set(case.truth.documents)
    assert np.allclose(WordSum().encode(own.texts), own.vectors, atol=1e-6)
