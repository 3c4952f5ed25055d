"""Lengths by hand, and noise that belongs to a row, its position and a seed."""

import numpy as np
import pytest

from vestige.defenses.gaussian import GaussianMechanism
from vestige.defenses.mechanism import ROWS_AT_ONCE, normalise_rows, row_lengths


def test_lengths_by_hand():
    vectors = np.float32([[3, 4], [0, 0]])
    assert row_lengths(vectors)[:, 0].tolist() == [5, pytest.approx(np.finfo(np.float32).tiny)]
    np.testing.assert_allclose(normalise_rows(vectors), [[0.6, 0.8], [0, 0]], atol=1e-7)


def test_noise_depends_on_the_position_and_the_content_of_a_row():
    fitted = GaussianMechanism().fit([[1.0, 2.0]], rng=np.random.default_rng(0))
    rows = np.ones((2 * ROWS_AT_ONCE, 2), np.float32)
    noise = fitted.transform(rows) - rows
    assert len(np.unique(noise, axis=0)) == len(rows), "equal rows have different noise"
    np.testing.assert_array_equal(fitted.transform(rows[:1], start=300)[0], fitted.transform(rows)[300])
    nudged = np.nextafter(rows[:1], np.float32(2))
    assert not np.allclose(fitted.transform(nudged) - nudged, noise[:1], atol=1e-2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed_": np.zeros(3, np.uint64)}, "a seed of uint64"),
        ({"seed_": np.zeros(4)}, "a seed of float64"),
        ({"scale_": np.array(0.0)}, "noise of scale 0"),
    ],
)
def test_arrays_that_cannot_have_been_learned_are_refused(change, message):
    fitted = GaussianMechanism().fit([[1.0, 2.0]])
    fitted.check_learned()
    for name, array in change.items():
        setattr(fitted, name, array)
    with pytest.raises(ValueError, match=message):
        fitted.check_learned()
