"""Coarser numbers: rounded decimals, and the quantisations of vector stores (a byte, a bit, or product codes)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_above, check_choice, check_count
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.errors import InputError, MissingExtra
from vestige.types import Floats, Singles, Vectors
from vestige.vector_codes import LEVELS, BitCode, ByteCode


class Rounding(FixedMap):
    """Every number rounded to `decimals` places.

    Guarantee: none. It hides what is smaller than its step, and nothing else.
    Shapes: (n, d) to (n, d).
    Paper: Pan et al., IEEE S&P 2020, Section VII (1); `decimals` is their r.
    """

    info = DefenseInfo(
        "rounding",
        "rounding:DECIMALS, every number rounded to so many decimals",
        paper="Pan et al. 2020, Section VII",
        strength="decimals",
        strengths=lambda _dimension: (2, 1),
        explanation="Rounds every number, which hides only fine differences.",
    )

    def __init__(self, *, decimals: int = 1) -> None:
        self.decimals = decimals

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("decimals", self.decimals, 0, 12)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """There is nothing to learn."""

    def _transform_block(self, vectors: Vectors) -> Singles:
        # Adding 0 makes a negative zero positive: its sign would survive the rounding.
        rounded = vectors.astype(np.float64)
        np.round(rounded, self.decimals, out=rounded)
        rounded += 0.0
        return rounded.astype(np.float32)


class Float16(FixedMap):
    """Half precision, as stores and indexes keep vectors to halve their size. Numbers beyond 65,504 become that.

    Guarantee: none. A unit vector changes by about one part in 2,000.
    Shapes: (n, d) to (n, d), the numbers that the halves stand for.
    """

    info = DefenseInfo(
        "float16",
        "two bytes per number, as vector stores keep them",
        swept=False,
        explanation="Stores two bytes per number instead of four; hides next to nothing.",
    )

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """There is nothing to learn."""

    def _transform_block(self, vectors: Vectors) -> Singles:
        most = float(np.finfo(np.float16).max)
        return np.clip(vectors, -most, most).astype(np.float16).astype(np.float32)


class Int8(FixedMap):
    """The nearest of 256 even steps over the range of the numbers that the defense was fitted on, clipped to its ends.

    Guarantee: none. A unit vector turns by about a degree.
    Shapes: (n, d) to (n, d), the numbers that the bytes stand for.

    `ranges="columns"` has one range per column (faiss, sentence-transformers), `"all"` one for all columns (Qdrant). A
    `quantile` below 1 excludes the extreme numbers from the range (Qdrant: 0.99).
    """

    info = DefenseInfo(
        "int8",
        "one byte per number, as vector stores quantise",
        recipes=("int8:ranges=all,quantile=0.99",),
        explanation="Stores one byte per number; saves space and hides little.",
    )
    learned: ClassVar[tuple[str, ...]] = ("low_", "step_")
    low_: Floats
    step_: Floats

    def __init__(self, *, ranges: Literal["columns", "all"] = "columns", quantile: float = 1.0) -> None:
        self.ranges = ranges
        self.quantile = quantile

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_choice("ranges", self.ranges, ("columns", "all"))
        check_above("quantile", self.quantile, 0, 1)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        outside = (1 - self.quantile) / 2
        axis = 0 if self.ranges == "columns" else None
        low, high = np.quantile(vectors.astype(np.float64), [outside, 1 - outside], axis=axis)
        self.low_, self.step_ = np.asarray(low), np.asarray((high - low) / (LEVELS - 1))

    def code(self) -> ByteCode:
        """One signed byte per number, with the ranges that were fitted."""
        return ByteCode(self.columns_, self.low_, self.step_)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return ByteCode(vectors.shape[1], self.low_, self.step_).quantise(vectors)


class Binary(FixedMap):
    """One bit per column, written as plus or minus 1 / √d so that vectors have unit length.

    Guarantee: none. The cosine of two such vectors is 1 - 2h / d for a Hamming distance h, which is what stores
    compare.
    Shapes: (n, d) to (n, d). Zero counts as negative, as it does in pgvector and sentence-transformers.
    """

    info = DefenseInfo(
        "binary",
        "one bit per number, as vector stores quantise",
        explanation="Keeps only the sign of every number, one bit each.",
    )

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """There is nothing to learn."""

    def code(self) -> BitCode:
        """One bit per number, packed."""
        return BitCode(self.columns_)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return BitCode(vectors.shape[1]).quantise(vectors)


def _parts(dimension: int) -> Sequence[int]:
    """Parts of about eight columns each, as many as divide the columns."""
    return (dimension // next(width for width in (8, 6, 5, 7, 4, 3, 2, 1) if dimension % width == 0),)


class ProductQuantisation(FixedMap):
    """A vector cut into `parts`, each replaced by the nearest of 2^`bits` centroids of such parts.

    Guarantee: none.
    Shapes: (n, d) to (n, d), the numbers that the codes stand for; d must be a multiple of `parts`.
    Paper: Jégou, Douze and Schmid, TPAMI 2011. faiss computes the centroids; only `fit` needs it.
    """

    info = DefenseInfo(
        "pq",
        "pq:PARTS, product quantisation as vector stores do it",
        paper="Jégou et al. 2011, Section II-B",
        strength="parts",
        strengths=_parts,
        library="faiss",
        extra="faiss",
        explanation="Cuts vectors into parts and replaces each part by the most similar entry of a small table.",
    )
    learned: ClassVar[tuple[str, ...]] = ("centroids_",)
    centroids_: Singles

    def __init__(self, *, parts: int = 32, bits: int = 8) -> None:
        self.parts = parts
        self.bits = bits

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("parts", self.parts, 1)
        check_count("bits", self.bits, 1, 12)

    def check_learned(self) -> None:
        """Raise ValueError if there are not as many centroids as the settings say."""
        expected = (self.parts, 2**self.bits, self.columns_ // self.parts)
        if self.centroids_.shape != expected:
            raise ValueError(f"centroids of shape {self.centroids_.shape}, expected {expected}")

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        rows, columns = vectors.shape
        if columns % self.parts:
            raise InputError(f"The 'parts' parameter must divide {columns} columns. Got {self.parts} instead.")
        if rows < 2**self.bits:
            raise InputError(
                f"{rows} vectors are too few for {2**self.bits} centroids; give more, or fewer 'bits' than {self.bits}"
            )
        try:
            import faiss
        except ImportError as missing:
            raise MissingExtra("'faiss'", "faiss") from missing
        quantiser = faiss.ProductQuantizer(columns, self.parts, self.bits)
        quantiser.cp.seed = int(rng.integers(2**31))
        quantiser.cp.min_points_per_centroid = 1
        quantiser.train(vectors)
        centroids = faiss.vector_to_array(quantiser.centroids)
        self.centroids_ = centroids.reshape(self.parts, 2**self.bits, columns // self.parts).copy()

    def _transform_block(self, vectors: Vectors) -> Singles:
        nearest = np.empty_like(vectors).reshape(len(vectors), self.parts, -1)
        for part, centroids in enumerate(self.centroids_):
            piece = vectors.reshape(nearest.shape)[:, part]
            distances = piece @ (-2 * centroids.T)
            distances += (centroids**2).sum(axis=1)
            nearest[:, part] = centroids[np.argmin(distances, axis=1)]
        return nearest.reshape(vectors.shape)
