"""Two clouds of vectors, aligned without pairs and with a few."""

import numpy as np
import pytest

from vestige.attacks.alignment.align import align, align_pairs, transport
from vestige.defenses.catalogue import make_defense


def draw_cloud(rows, seed, columns=24):
    """Vectors around twelve topics of different sizes and spreads: a shape without symmetry."""
    shape, rng = np.random.default_rng(7), np.random.default_rng(seed)
    topics = shape.standard_normal((12, columns)) * shape.uniform(0.3, 1.5, (12, 1))
    chosen = rng.choice(12, rows, p=np.arange(1, 13) / 78)
    spread = shape.uniform(0.1, 0.5, (12, columns))[chosen]
    return (topics[chosen] + spread * rng.standard_normal((rows, columns))).astype(np.float32)


def cosine(found, true):
    found, true = (rows - true.mean(axis=0) for rows in (found, true))
    lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(true, axis=1)
    return float(np.mean((found * true).sum(axis=1) / lengths))


OWN, TRUE = draw_cloud(600, 0), draw_cloud(600, 1)


def hide(spec):
    return make_defense(spec).fit(TRUE, rng=np.random.default_rng(3)).transform(TRUE)


@pytest.mark.parametrize(("spec", "least"), [("rounding:2", 0.98), ("permutation", 0.98), ("rotation", 0.93)])
def test_a_map_that_preserves_cosines_is_undone_without_pairs(spec, least):
    """Positive control: hidden vectors are nowhere near the true ones, except where nothing is hidden."""
    stolen = hide(spec)
    assert spec == "rounding:2" or abs(cosine(stolen, TRUE)) < 0.3
    found = align(stolen, OWN, rng=np.random.default_rng(0))
    assert cosine(found(stolen), TRUE) > least
    assert found.score > 0.95 * found.expected


@pytest.mark.slow
def test_vectors_of_another_kind_cannot_be_aligned():
    noise = np.random.default_rng(0).standard_normal(TRUE.shape).astype(np.float32)
    assert abs(cosine(align(noise, OWN, rng=np.random.default_rng(0))(noise), TRUE)) < 0.2


def test_as_many_pairs_as_columns_reveal_a_rotation_and_a_few_do_with_the_other_vectors():
    stolen = hide("rotation")
    assert cosine(align_pairs((stolen[:30], TRUE[:30]))(stolen), TRUE) > 0.999
    few = stolen[:5], TRUE[:5]
    assert cosine(align_pairs(few)(stolen), TRUE) < 0.8
    assert cosine(align(stolen, OWN, rng=np.random.default_rng(0), known=few)(stolen), TRUE) > 0.93


def test_scale_is_undone_too_and_other_widths_are_taken():
    stolen = 50 * hide("rounding:3")
    assert np.linalg.norm(align(stolen, OWN, rng=np.random.default_rng(0))(stolen) - TRUE, axis=1).mean() < 1
    reduced = make_defense("pca:8").fit(TRUE, rng=np.random.default_rng(0)).transform(TRUE)[:100]
    assert align(reduced, OWN[:100], rng=np.random.default_rng(0))(reduced).shape == (100, 24)


def test_the_same_seed_gives_the_same_map():
    stolen = hide("rotation")[:100]
    one, other = (align(stolen, OWN[:100], rng=np.random.default_rng(0)).matrix for _ in range(2))
    assert one.tobytes() == other.tobytes()


def test_three_pairs_reveal_a_permutation():
    stolen = hide("permutation")[:40]
    found = align(stolen, OWN, rng=np.random.default_rng(0), known=(stolen[:3], TRUE[:3]))
    assert cosine(found(stolen), TRUE[:40]) > 0.98
    assert cosine(align_pairs((stolen[:3], TRUE[:3]))(stolen), TRUE[:40]) < 0.8


@pytest.mark.slow
def test_more_pairs_are_not_worse_where_noise_was_added():
    """As many noisy pairs as columns do not determine a map; the stolen rows still help."""
    rng, rotation = np.random.default_rng(5), make_defense("rotation").fit(TRUE, rng=np.random.default_rng(3))
    stolen = rotation.transform((TRUE + 0.8 * rng.standard_normal(TRUE.shape)).astype(np.float32))
    found = [
        cosine(align(stolen, OWN, rng=np.random.default_rng(0), known=(stolen[:n], TRUE[:n]))(stolen), TRUE)
        for n in (5, 26)
    ]
    assert found[1] > found[0] - 0.02
    assert found[1] > cosine(align_pairs((stolen[:26], TRUE[:26]))(stolen), TRUE)


def test_a_transport_gives_every_row_and_column_its_share():
    plan = transport(np.array([[1, 0.9, 0], [1, 0, 0.5]], np.float32), 3.0)
    np.testing.assert_allclose(plan.sum(axis=0), 2 / 3, rtol=1e-5)
    np.testing.assert_allclose(plan.sum(axis=1), 1, rtol=0.02)


@pytest.mark.parametrize("rows", [60, 300])
def test_where_only_noise_was_added_the_fitted_map_is_not_worse_than_none(rows):
    """On its own rows, a rotation that is fitted to noise looks better than the identity, which is right."""
    rng = np.random.default_rng(5)
    true = draw_cloud(rows, 2, columns=48)
    noisy = (true + 0.9 * rng.standard_normal(true.shape)).astype(np.float32)
    found = align(noisy, draw_cloud(600, 0, columns=48), rng=np.random.default_rng(0))
    assert cosine(found(noisy), true) > cosine(noisy, true) - 0.02
