from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from scipy import sparse

from tests.alike import assert_alike
from tests.unit.attacks.baselines.world import PAIRS, toy_world
from vestige.attacks.baselines.decoder_baseline import as_further_vectors
from vestige.attacks.baselines.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.baselines.gan import GanDecoder
from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.attacks.baselines.mlp import MlpDecoder
from vestige.attacks.baselines.pseudo_labels import PseudoLabelDecoder
from vestige.errors import InputError, NotFitted
from vestige.metrics.keyword_ranking import precision_at
from vestige.text.importance import Importance
from vestige.types import WordGuesses

MAKERS = {
    "MLP": MlpDecoder,
    "PLD": PseudoLabelDecoder,
    "DAAM": partial(DomainAdversarialDecoder, rate=1e-2),
    "BERT-GAN": GanDecoder,
}


EPOCHS = {"MLP": 60, "PLD": 150, "DAAM": 150, "BERT-GAN": 80}


@pytest.fixture(scope="module")
def world():
    return toy_world()


def fit(name, world, epochs=None, device="cpu"):
    given = {
        "MLP": {},
        "PLD": {"external_vectors": world.external},
        "DAAM": {
            "external_vectors": world.external,
            "external_importance": world.external_importance,
            "victims": world.targets,
        },
        "BERT-GAN": {"external_vectors": world.external, "victims": world.targets},
    }[name]
    return MAKERS[name](epochs=epochs or EPOCHS[name], device=device).fit(
        world.vectors, world.importance, rng=np.random.default_rng(0), **given
    )


@pytest.fixture(scope="module")
def fitted(world):
    return cache(lambda name: fit(name, world))


def precision(attack, world):
    return precision_at(attack.infer(world.targets).ranked, world.truth, 5).mean()


@pytest.mark.parametrize("name", MAKERS)
def test_it_beats_the_prior_and_learns_nothing_from_shuffled_pairs(name, world, fitted):
    prior = precision(MeanImportance().fit(world.importance), world)
    shuffled = replace(world, importance=world.importance.take(np.random.default_rng(1).permutation(PAIRS)))
    assert precision(fitted(name), world) > prior + 0.05
    assert precision(fit(name, shuffled), world) < prior + 0.03


@pytest.mark.parametrize("name", MAKERS)
def test_guesses_are_ranked_and_the_best_five_are_claimed(name, world, fitted):
    guesses = fitted(name).infer(world.targets[:7])
    assert isinstance(guesses, WordGuesses)
    assert len(guesses.ranked) == 7
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        chances = [chance for _, chance in ranked]
        assert claimed == {word for word, _ in ranked[:5]}
        assert len({word for word, _ in ranked}) == len(ranked) == 50
        assert chances == sorted(chances, reverse=True)
        assert 0 <= chances[-1] <= chances[0] <= 1


@pytest.mark.parametrize("name", MAKERS)
def test_a_guess_depends_on_its_own_vector_and_the_same_seed_gives_the_same(name, world, fitted):
    together = fitted(name).infer(world.targets[:9])
    alone = WordGuesses(together.sets[4:5], together.ranked[4:5])
    assert_alike(fitted(name).infer(world.targets[4:5]), alone)
    assert fit(name, world).infer(world.targets[:9]) == together
    assert fitted(name).infer(world.targets[:0]) == WordGuesses([], [])
    assert together.ranked[0] != together.ranked[1]


@pytest.mark.parametrize("name", MAKERS)
def test_the_length_of_the_vectors_does_not_matter(name, world, fitted):
    longer = replace(world, vectors=64 * world.vectors, external=32 * world.external, targets=64 * world.targets)
    found = fit(name, longer).infer(longer.targets[:9])
    assert found.sets == fitted(name).infer(world.targets[:9]).sets


@pytest.mark.parametrize("name", MAKERS)
def test_what_it_cannot_learn_from_is_refused(name, world, fitted):
    with pytest.raises(NotFitted, match="before fit"):
        MAKERS[name]().infer(world.targets)
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        fitted(name).infer(world.targets[:, 1:])
    with pytest.raises(InputError, match="159 vectors but 160 documents"):
        fit(name, replace(world, vectors=world.vectors[1:]))
    with pytest.raises(InputError, match="4 pairs are too few"):
        fit(name, replace(world, vectors=world.vectors[:4], importance=world.importance.take(range(4))))
    nothing = Importance(world.importance.words, sparse.csr_array(world.importance.weights.shape))
    with pytest.raises(InputError, match="none of 160 documents has a word"):
        fit(name, replace(world, importance=nothing))


@pytest.mark.parametrize("name", ["PLD", "BERT-GAN"])
def test_external_vectors_are_needed(name, world):
    with pytest.raises(InputError, match="no external vectors"):
        fit(name, replace(world, external=world.external[:0]))


@pytest.mark.parametrize("columns", [48, 80])
@pytest.mark.parametrize("name", [name for name in MAKERS if name != "MLP"])
def test_the_encoder_of_external_vectors_may_have_other_dimensions(name, columns, world):
    external = np.resize(world.external, (len(world.external), columns))
    assert len(fit(name, replace(world, external=external), epochs=1).infer(world.targets[:3]).ranked) == 3


@pytest.mark.parametrize("name", ["DAAM", "BERT-GAN"])
def test_victims_are_needed(name, world):
    with pytest.raises(InputError, match="no victims"):
        fit(name, replace(world, targets=world.targets[:0]))


def test_one_vocabulary_for_pairs_and_external_documents(world):
    fewer = Importance(world.importance.words[1:], world.external_importance.weights[:, 1:])
    with pytest.raises(InputError, match="one vocabulary"):
        fit("DAAM", replace(world, external_importance=fewer))


def test_vectors_of_another_encoder_are_filled_or_cut():
    some = np.ones((2, 3), np.float32)
    assert as_further_vectors(some, "vectors", 4) == pytest.approx(np.array([[3**-0.5] * 3 + [0]] * 2))
    assert as_further_vectors(some, "vectors", 2) == pytest.approx(np.full((2, 2), 3**-0.5))
    assert as_further_vectors(some, "vectors").tolist() == some.tolist()


@pytest.mark.parametrize("name", MAKERS)
def test_the_device_is_checked(name, world):
    with pytest.raises(InputError, match="'device' parameter must be"):
        fit(name, world, 1, device="tpu")
