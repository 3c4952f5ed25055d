"""The adapter hides a label from a linear classifier and preserves more neighbours than a stronger one."""

import numpy as np
import pytest
import torch

from tests.unit.defenses.adaptive import defend, leak, linear_auc
from vestige.attacks.kernel_ridge import KernelMap
from vestige.defenses.adapter import Adapter, _explained_by_kernel
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError
from vestige.utility.neighbours import neighbourhood


def test_a_word_is_harder_to_infer_by_an_adversary_who_knows_the_adapter(keyword_case):
    assert leak("adapter:30", keyword_case) < 0.9


def test_a_small_weight_preserves_more_neighbours(keyword_case):
    vectors, labels = keyword_case
    mild, strong = (
        neighbourhood(vectors, defend(f"adapter:{weight}", vectors, labels), rng=np.random.default_rng(0)).recall.value
        for weight in (0.1, 30)
    )
    assert mild > max(strong, 0.9)


def test_the_length_of_a_vector_does_not_matter(keyword_case):
    vectors, labels = keyword_case
    adapter = make_defense("adapter:1,steps=2").fit(vectors, labels, rng=np.random.default_rng(0))
    assert adapter.transform(vectors * 2) == pytest.approx(adapter.transform(vectors), abs=1e-6)


@pytest.fixture(scope="module")
def opposite_case():
    """Two classes with the same mean: each has two clusters on opposite sides."""
    rng = np.random.default_rng(0)
    labels = np.tile([0, 1], 300)
    centres = np.eye(12)[labels] * rng.choice([-1, 1], size=(len(labels), 1))
    return (centres + 0.25 * rng.standard_normal((len(labels), 12))).astype(np.float32), labels


def kernel_accuracy(vectors, labels):
    """How often a kernel, fitted on the first half, is right on the second half: 0.5 by chance."""
    half = len(vectors) // 2
    signs = (2.0 * labels - 1)[:, None]
    predicted = KernelMap.fit(vectors[:half], signs[:half], 2.0)(vectors[half:])
    return float((np.sign(predicted) == signs[half:]).mean())


def test_trained_against_a_kernel_it_hides_what_no_linear_classifier_infers(opposite_case):
    vectors, labels = opposite_case
    assert linear_auc(vectors, labels) < 0.6
    assert kernel_accuracy(vectors, labels) > 0.95, "positive control: a kernel infers the label"
    linear, kernel = (
        kernel_accuracy(defend(spec, vectors, labels), labels) for spec in ("adapter:1", "adapter:1,kernel=100")
    )
    assert linear > 0.95
    assert kernel < 0.8


def test_what_a_kernel_explains_leave_one_out_is_what_it_predicts_of_each_row_without_it():
    rng = np.random.default_rng(0)
    labels = rng.standard_normal((12, 1))
    truth, rows = labels - labels.mean(axis=0), rng.standard_normal((12, 3)) + 3 * labels
    missed = [
        truth[row] - KernelMap.fit(*(np.delete(each, row, axis=0) for each in (rows, truth)), 2.0)(rows[[row]])[0]
        for row in range(12)
    ]
    expected = 1 - np.square(missed).sum() / np.square(truth).sum()
    assert expected > 0.3
    found = _explained_by_kernel(torch.from_numpy(rows), torch.from_numpy(labels)).item()
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("weight", [-1, "much"])
def test_the_weight_of_the_kernel_is_not_negative(weight):
    with pytest.raises(InputError, match="'kernel' parameter must be a number above 0"):
        Adapter(kernel=weight).fit(np.eye(4, dtype=np.float32), [0, 1, 0, 1])


def test_a_weight_of_zero_would_hide_nothing():
    with pytest.raises(InputError, match="weight"):
        make_defense("adapter:0")
