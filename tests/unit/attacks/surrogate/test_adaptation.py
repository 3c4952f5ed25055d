"""Maps into the private space."""

import numpy as np
import pytest

from vestige.attacks.surrogate.adaptation import (
    fit_kernel_map,
    fit_ridge_map,
    leave_one_out_residuals,
    squared_distances,
)

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


def test_width_and_penalty_are_those_of_the_smallest_leave_one_out_error():
    """Against a search that leaves out one row at a time, in double precision."""
    rng = np.random.default_rng(3)
    known = rng.standard_normal((25, 4)).astype(np.float32)
    answers = np.sin(known @ rng.standard_normal((4, 6))).astype(np.float32)
    apart = squared_distances(known.astype(np.float64), known.astype(np.float64))
    scale, offset = np.median(apart[~np.eye(25, dtype=bool)]), answers.mean(axis=0, dtype=np.float64)

    def predict(kernel, penalty, rows, seen):
        dual = np.linalg.solve(kernel[np.ix_(seen, seen)] + penalty * np.eye(len(seen)), (answers - offset)[seen])
        return kernel[np.ix_(rows, seen)] @ dual + offset

    def error(kernel, penalty):
        left = [predict(kernel, penalty, [row], np.delete(np.arange(25), row))[0] for row in range(25)]
        return np.square(left - answers).sum()

    kernels = [np.exp(-width * apart / scale) for width in (0.1, 0.3, 1.0)]
    best = min(
        ((kernel, penalty) for kernel in kernels for penalty in np.logspace(-3, 0, 7)), key=lambda each: error(*each)
    )
    everything = np.arange(25)
    np.testing.assert_allclose(fit_kernel_map(known, answers)(known), predict(*best, everything, everything), atol=1e-5)
