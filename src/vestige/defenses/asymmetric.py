"""Asymmetric scalar-product-preserving encryption: rows and queries go through different secret maps."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from vestige.checks import check_count
from vestige.defenses.defense import DefenseInfo, block_rows, pad_block
from vestige.defenses.mechanism import SEED, Mechanism, row_lengths
from vestige.defenses.rotation import draw_rotation
from vestige.defenses.streams import Streams, draw_normals, open_streams
from vestige.types import Floats, Singles, Vectors

MOST_NOISE = 8192
_FLOOR = 0.01
"""The least variance of a direction, as a share of the mean: directions without any cannot be made equal."""


class AsymmetricEncryption(Mechanism):
    """Rows lose their mean and their covariance, gain `noise` columns, and are rotated; queries go the other way.

    The product of a query with a row stays what it was, up to a number that is the same for all rows: whitened rows
    meet queries that are multiplied by the square root of the covariance, and noise meets zeros. The noise of a row is
    as long as it must be for all rows to be of one length, so that search by cosine finds the same rows. Rows cannot
    be compared with each other, and a thief sees a cloud of one covariance in all directions. Its higher moments
    remain: with enough rows, independent component analysis finds directions of the text.
    Guarantee: none. As many known pairs as output columns reveal the map by least squares. Whoever holds the key of the
    queries can test guesses.
    Shapes: (n, d) to (n, d + `noise`).
    Paper: after Wong et al., SIGMOD 2009, Section 4 (ASPE), whose secret matrix is arbitrary and whose rows are split
    at random; the whitening and the noise that makes rows equally long are ours.
    """

    info = DefenseInfo(
        "asymmetric",
        "asymmetric:COLUMNS, scalar-product-preserving encryption: rows and queries under different secret maps",
        paper="after Wong et al. 2009, Section 4",
        strength="noise",
        strengths=lambda dimension: (dimension,),
        queries="another map",
        secret=f"{SEED} and the maps of rows and queries",
        swept=False,
        explanation="Rows and queries get different secret maps: search works, but rows cannot be compared.",
    )
    learned: ClassVar[tuple[str, ...]] = ("seed_", "mean_", "rows_", "noise_", "queries_", "length_")
    mean_: Singles
    rows_: Singles
    noise_: Singles
    queries_: Singles
    length_: Floats

    def __init__(self, *, noise: int = 384) -> None:
        self.noise = noise

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_count("noise", self.noise, 1, MOST_NOISE)

    def check_learned(self) -> None:
        """Raise ValueError unless the seed is one, and the maps fit together."""
        self.check_seed()
        width = self.columns_ + self.noise
        shapes = [each.shape for each in (self.mean_, self.rows_, self.noise_, self.queries_)]
        expected = [(self.columns_,), (self.columns_, width), (self.noise, width), (self.columns_, width)]
        if shapes != expected or self.length_.shape != (1,) or not self.length_[0] > 0:
            raise ValueError(f"maps of shapes {shapes}, expected {expected}")

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        super()._fit(vectors, labels, rng)
        columns = vectors.shape[1]
        self.mean_ = vectors.mean(axis=0).astype(np.float32)
        centred = (vectors - self.mean_).astype(np.float64)
        values, axes = np.linalg.eigh(centred.T @ centred / len(vectors))
        floor = max(_FLOOR * float(values.mean()), float(np.finfo(np.float32).tiny))
        widths = np.sqrt(np.maximum(values, floor))
        rotation = draw_rotation(columns + self.noise, rng).astype(np.float64)
        whitening, colouring = (axes / widths) @ axes.T, (axes * widths) @ axes.T
        self.rows_ = (whitening @ rotation[:columns]).astype(np.float32)
        self.queries_ = (colouring @ rotation[:columns]).astype(np.float32)
        self.noise_ = rotation[columns:].astype(np.float32)
        energy = float(np.square(centred @ whitening).sum()) / len(vectors)
        self.length_ = np.array([(energy + self.noise) ** 0.5])

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        encrypted = np.empty((len(vectors), self.rows_.shape[1]), np.float32)
        for rows, inside, block in self._list_blocks(vectors, start):
            centred = np.asarray(block - self.mean_, np.float32)
            known: Singles = (centred @ self.rows_)[inside]
            streams = open_streams(self.seed_, vectors[rows], start + rows.start)
            noise = np.zeros((len(block), self.noise), np.float32)
            noise[inside] = self._draw_noise(known, streams)
            encrypted[rows] = known + (noise @ self.noise_)[inside]
        return encrypted

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        raise NotImplementedError("rows are encrypted block by block")

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:  # noqa: ARG002
        encrypted = np.empty((len(vectors), self.queries_.shape[1]), np.float32)
        for rows, inside, block in self._list_blocks(vectors, 0):
            # One query at a time would have other last bits: the place of a query in its block must not matter.
            encrypted[rows] = np.einsum("ij,jk->ik", block[inside], self.queries_)
        return encrypted

    def _draw_noise(self, known: Singles, streams: Streams) -> Singles:
        """Noise in a random direction, as long as each row needs; none for a row that is too long already."""
        drawn = draw_normals(streams, self.noise)
        missing = np.sqrt(np.maximum(float(self.length_[0]) ** 2 - row_lengths(known) ** 2, 0))
        return np.asarray(drawn * (missing / row_lengths(drawn)), np.float32)

    def _list_blocks(self, vectors: Vectors, start: int) -> Iterator[tuple[slice, slice, Vectors]]:
        for first, rows in block_rows(len(vectors), start):
            inside = slice(rows.start - first, rows.stop - first)
            yield rows, inside, pad_block(vectors[rows], inside)
