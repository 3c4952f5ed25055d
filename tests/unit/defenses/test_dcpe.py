"""Distance-comparison-preserving encryption: the comparisons of its definition hold, and pairs undo it."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError


def encrypt(spec, vectors):
    return make_defense(spec).fit(vectors, rng=np.random.default_rng(0))


@pytest.mark.parametrize("spec", ["dcpe:1", "dcpe:1,permute=true"])
def test_noise_is_within_the_ball_and_fills_it(spec):
    vectors = np.random.default_rng(1).standard_normal((2000, 8)).astype(np.float32)
    defense = encrypt(spec, vectors)
    noise = (defense.transform(vectors) - defense.transform_queries(vectors)) / defense.scale_
    radii = np.linalg.norm(noise, axis=1)
    assert radii.max() <= 0.25 + 1e-4
    assert np.median(radii) == pytest.approx(0.25 * 0.5 ** (1 / 8), abs=0.005), "uniform in the ball"


def test_distances_that_differ_by_more_than_beta_stay_in_order():
    vectors = np.random.default_rng(2).standard_normal((60, 8)).astype(np.float32)
    encrypted = encrypt("dcpe:1", vectors).transform(vectors)
    before, after = (np.linalg.norm(each[:, None] - each, axis=2) for each in (vectors, encrypted))
    differ = before[:, :, None] - before[:, None, :] > 1
    assert differ.sum() > 1000
    assert (after[:, :, None] > after[:, None, :])[differ].all()


def test_an_adversary_with_pairs_is_not_stopped_unless_the_noise_is_large(keyword_case):
    assert leak("dcpe:1,permute=true", keyword_case) > 0.9
    assert leak("dcpe:400", keyword_case) < 0.65


def test_a_beta_must_be_above_zero():
    with pytest.raises(InputError, match="'beta' parameter must be a number above 0"):
        make_defense("dcpe:0")
