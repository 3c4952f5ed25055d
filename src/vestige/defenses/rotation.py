"""Secret maps that preserve distances: a rotation, a signed permutation, and rotations by tenant or by cell.

All distances and cosines under one key stay the same, so search works as before, and so does every attack that is
fitted on pairs of a text and its defended vector. What a key is good for is the adversary without pairs.
"""

import hashlib
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from vestige.checks import check_count
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.errors import InputError
from vestige.types import Singles, Vectors

MOST_CELLS = 256
_MOST_FITTED, _STEPS = 10_000, 20


class RandomRotation(FixedMap):
    """Vectors multiplied by a random orthogonal matrix.

    Guarantee: none. d known pairs reveal the matrix by least squares, and fewer reveal most of it. Without pairs, an
    adversary who has the encoder and similar text aligns the two clouds of vectors; see the attack `alignment`.
    Shapes: (n, d) to (n, d).
    """

    info = DefenseInfo(
        "rotation",
        "a secret rotation: obscurity only",
        secret="the rotation itself",
        explanation="Turns all vectors by one secret rotation; known pairs, or many stolen vectors, undo it.",
    )
    learned: ClassVar[tuple[str, ...]] = ("matrix_",)
    matrix_: Singles

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.matrix_ = draw_rotation(vectors.shape[1], rng)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_


class SignedPermutation(FixedMap):
    """The columns in a secret order, each with a secret sign.

    Guarantee: none. Every column stays what it was, so a few known pairs reveal the order.
    Shapes: (n, d) to (n, d).
    """

    info = DefenseInfo(
        "permutation",
        "columns in a secret order with secret signs: obscurity only",
        secret="the order",
        swept=False,
        explanation="Puts the columns into a secret order with secret signs; a few known pairs undo it.",
    )
    learned: ClassVar[tuple[str, ...]] = ("order_", "signs_")
    order_: npt.NDArray[np.int64]
    signs_: Singles

    def check_learned(self) -> None:
        """Raise ValueError unless every column occurs once, with a sign."""
        if sorted(self.order_.tolist()) != list(range(self.columns_)) or set(np.abs(self.signs_).tolist()) != {1.0}:
            raise ValueError(f"no order of {self.columns_} columns with signs")

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.order_ = rng.permutation(vectors.shape[1])
        self.signs_ = rng.choice(np.array([-1, 1], np.float32), vectors.shape[1])

    def _transform_block(self, vectors: Vectors) -> Singles:
        permuted: Singles = vectors[:, self.order_] * self.signs_
        return permuted


class TenantRotation(FixedMap):
    """A rotation that follows from one secret and from the name of a `tenant`; `for_tenant` gives that of another.

    Pairs of one tenant say nothing about the rotation of another, and rows of different tenants cannot be compared.
    Guarantee: none within a tenant, where this is a rotation.
    Shapes: (n, d) to (n, d).
    """

    info = DefenseInfo(
        "tenant",
        "tenant:NAME, a secret rotation of its own for every tenant, from one secret",
        strength="tenant",
        secret="the secret that the rotations of all tenants follow from",
        swept=False,
        explanation="Turns the vectors of each tenant by a secret rotation of its own.",
    )
    learned: ClassVar[tuple[str, ...]] = ("seed_", "matrix_")
    seed_: npt.NDArray[np.uint64]
    matrix_: Singles

    def __init__(self, *, tenant: str | int = "default") -> None:
        self.tenant = tenant

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        if not str(self.tenant).strip():
            raise InputError("The 'tenant' parameter must be a name. Got an empty one instead.")

    def for_tenant(self, tenant: str | int) -> Self:
        """The fitted defense of another tenant, from the same secret."""
        other = copy(self)
        other.tenant = tenant
        other.check_settings()
        other.matrix_ = other._derive(self.matrix_.shape[0])
        other.freeze()
        return other

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.seed_ = rng.integers(2**64, size=4, dtype=np.uint64)
        self.matrix_ = self._derive(vectors.shape[1])

    def _derive(self, dimension: int) -> Singles:
        digest = hashlib.sha256(self.seed_.tobytes() + str(self.tenant).encode()).digest()
        words = np.frombuffer(digest, np.uint32).tolist()
        return draw_rotation(dimension, np.random.default_rng(np.random.SeedSequence(words, pool_size=8)))

    def _transform_block(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_


class CellRotation(FixedMap):
    """Each vector is rotated by the secret key of the cell that it is in: the nearest of `cells` centres of k-means.

    Cosines stay the same within a cell and become noise between cells, so a search finds the neighbours in the cell of
    its query alone.
    Guarantee: none. Vectors of one cell are recognisable as a cluster, and each cell is a rotation.
    Shapes: (n, d) to (n, d).
    """

    info = DefenseInfo(
        "cells",
        "cells:COUNT, a secret rotation of its own for every cluster of vectors",
        strength="cells",
        strengths=lambda _dimension: (4, 16),
        secret="the rotations and the centres of the cells",
        explanation="Turns each cluster of similar vectors by a secret rotation of its own; costs neighbours.",
    )
    learned: ClassVar[tuple[str, ...]] = ("centres_", "matrices_")
    centres_: Singles
    matrices_: Singles

    def __init__(self, *, cells: int = 16) -> None:
        self.cells = cells

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("cells", self.cells, 2, MOST_CELLS)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        check_count("cells", self.cells, 2, len(vectors))
        self.centres_ = _find_centres(vectors, self.cells, rng)
        self.matrices_ = np.stack([draw_rotation(vectors.shape[1], rng) for _ in self.centres_])

    def _transform_block(self, vectors: Vectors) -> Singles:
        cells = _find_nearest(vectors, self.centres_)
        rotated = np.empty_like(vectors)
        for cell in np.unique(cells):
            # The whole block is multiplied: the last bits of a product depend on its shape.
            rotated[cells == cell] = (vectors @ self.matrices_[cell])[cells == cell]
        return rotated


def draw_rotation(dimension: int, rng: np.random.Generator) -> Singles:
    """An orthogonal matrix, uniformly distributed."""
    orthogonal, triangle = np.linalg.qr(rng.standard_normal((dimension, dimension)))
    # Rotations are uniformly distributed only after this correction of the signs (Mezzadri 2007).
    return (orthogonal * np.sign(np.diag(triangle))).astype(np.float32)


def _find_centres(vectors: Vectors, count: int, rng: np.random.Generator) -> Singles:
    """The centres of k-means by Lloyd's steps, from rows that are drawn at random."""
    rows = vectors[rng.permutation(len(vectors))[:_MOST_FITTED]].astype(np.float64)
    centres = rows[:count].copy()
    for _ in range(_STEPS):
        nearest = _find_nearest(rows, centres)
        belongs = (nearest[:, None] == np.arange(count)).astype(np.float64)
        sizes = belongs.sum(axis=0)[:, None]
        centres = np.where(sizes > 0, belongs.T @ rows / np.maximum(sizes, 1), centres)
    return centres.astype(np.float32)


def _find_nearest(rows: Any, centres: Any) -> npt.NDArray[np.int64]:
    """The number of the nearest centre of each row."""
    nearest: npt.NDArray[np.int64] = (np.square(centres).sum(axis=1) - 2 * rows @ centres.T).argmin(axis=1)
    return nearest
