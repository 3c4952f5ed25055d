"""Maps into the private space."""

import numpy as np
import pytest

from vestige.attacks.surrogate.adaptation import fit_kernel_map, fit_ridge_map, leave_one_out_residuals

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("carried", [fit_kernel_map, fit_ridge_map])
def test_a_smooth_map_is_learned_from_pairs_and_not_from_shuffled_ones(carried):
    known, fresh = (RNG.standard_normal((n, 3)).astype(np.float32) for n in (200, 50))
    matrix = RNG.standard_normal((3, 5)).astype(np.float32)
    missed = np.square(carried(known, known @ matrix)(fresh) - fresh @ matrix).mean()
    assert missed < 0.2 * np.square(fresh @ matrix).mean()
    control = carried(known, RNG.permutation(known @ matrix))(fresh)
    assert np.square(control - fresh @ matrix).mean() > 0.8 * np.square(fresh @ matrix).mean()


def test_leaving_one_out_in_closed_form_is_leaving_one_out():
    known = RNG.standard_normal((12, 2))
    answers = RNG.standard_normal((12, 1))
    near = np.exp(-np.square(known[:, None] - known).sum(axis=2)) + 0.1 * np.eye(12)
    inverse = np.linalg.inv(near)
    left = np.arange(12) != 4
    dual = np.linalg.solve(near[np.ix_(left, left)], answers[left])
    missed = answers[4] - near[4, left] @ dual
    assert leave_one_out_residuals(inverse @ answers, np.diag(inverse))[4] == pytest.approx(missed)
