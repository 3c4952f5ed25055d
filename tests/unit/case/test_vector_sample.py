import numpy as np
import pytest

from vestige.case.vector_sample import VectorSample


@pytest.fixture
def sample():
    vectors = np.array([[3, 4], [0, 0], [np.nan, 1], [1e20, 0], [0, -2]], dtype=np.float32)
    return VectorSample("v.npy", 5, "float32", vectors, numbers=[10, 11, 12, 13, 14])


def test_valid_vectors_are_finite_plausible_and_not_zero(sample):
    assert sample.valid.tolist() == [0, 4]
    assert sample.lengths.tolist() == [5, 2]
    assert sample.directions.tolist() == [pytest.approx([0.6, 0.8]), [0, -1]]
    assert sample.dimension == 2


def test_a_row_is_described_by_its_number_in_the_store(sample):
    assert sample.describe_row(2) == "row 12"
    assert VectorSample("v.npy", 5, "float32", sample.vectors).describe_row(2) == "row 2 of the sample"
