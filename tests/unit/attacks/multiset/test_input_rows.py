"""Dense and sparse tables of vectors before a projection."""

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.multiset.input_rows import ColumnReader

CPU = torch.device("cpu")
TABLE = sparse.csr_array(np.array([[0, 2.0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 3, 0, 0, 0]], np.float32))


def test_only_columns_in_use_are_read_and_the_product_is_the_same():
    """By hand: columns 1 and 4 are in use; column 2 of a new text is unknown and left out."""
    reader = ColumnReader.build(TABLE, CPU)
    matrix = torch.tensor([[1.0, 10.0], [100.0, 1000.0]])
    assert reader.used == 2
    assert reader.read(TABLE, np.arange(3)).project(matrix).tolist() == [[102, 1020], [0, 0], [3, 30]]
    new = sparse.csr_array(np.array([[0, 1.0, 7, 0, 0]], np.float32))
    assert reader.read(new, np.arange(1)).project(matrix).tolist() == [[1, 10]]


@pytest.mark.parametrize("thin", [True, False])
def test_the_gradient_of_the_projection_by_hand(thin):
    vectors = TABLE if thin else TABLE.toarray()
    reader = ColumnReader.build(vectors, CPU)
    matrix = torch.nn.Parameter(torch.zeros(reader.used, 1))
    matrix.grad = torch.zeros_like(matrix)
    batch = reader.read(vectors, np.arange(3))
    batch.set_gradient(matrix, torch.tensor([[1.0], [5.0], [10.0]]))
    assert matrix.grad.flatten().tolist() == ([32, 1] if thin else [0, 32, 0, 0, 1])
    batch.clear_gradient(matrix)
    assert not thin or not matrix.grad.any()
