"""Vectors through a map: right where the surrogate knows, and as varied as true ones where it does not."""

import numpy as np

from vestige.attacks.guided.mapped import HeldTexts, map_vectors
from vestige.attacks.rows import unit_length

RNG = np.random.default_rng(0)
SHARED, PRIVATE = RNG.normal(size=(2, 900, 8)).astype(np.float32)
TRUE = unit_length(np.hstack([SHARED, PRIVATE]))
OWN = unit_length(SHARED @ RNG.normal(size=(8, 8)).astype(np.float32))


def test_mapped_vectors_are_right_in_what_the_surrogate_knows_and_vary_as_true_ones():
    mapped = map_vectors(OWN[:300], TRUE[:300], OWN[300:], np.random.default_rng(1))
    cosines = np.array(
        [
            (unit_length(mapped[:, part]) * unit_length(TRUE[300:, part])).sum(axis=1).mean()
            for part in (slice(0, 8), slice(8, 16))
        ]
    )
    assert cosines[0] > 0.8
    assert abs(cosines[1]) < 0.1
    ratio = mapped.std(axis=0) / TRUE[300:].std(axis=0)
    assert 0.8 < ratio.min() < ratio.max() < 1.2
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)


def test_without_a_surrogate_only_pairs_have_vectors():
    texts, further = [f"text {row}" for row in range(40)], ["one", "two"]
    assert HeldTexts(TRUE[:40], texts, further).list_vectors(RNG) is not None
    assert len(HeldTexts(TRUE[:40], texts, further).list_vectors(RNG)) == 40
    assert len(HeldTexts(TRUE[:40], texts, further, OWN[:42]).list_vectors(RNG)) == 42


def test_taken_rows_keep_their_own_vectors_and_all_further_texts():
    texts, further = [f"text {row}" for row in range(40)], ["one", "two"]
    taken = HeldTexts(TRUE[:40], texts, further, OWN[:42]).take([3, 5])
    assert taken.all_texts == ["text 3", "text 5", "one", "two"]
    np.testing.assert_array_equal(taken.vectors, TRUE[[3, 5]])
    np.testing.assert_array_equal(taken.own, OWN[[3, 5, 40, 41]])
