"""The map of the stored vectors: two columns for each, and a colour."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal
from warnings import catch_warnings, simplefilter

import numpy as np

from vestige.errors import MissingExtra
from vestige.types import Floats, Vectors

Method = Literal["pca", "umap"]
METHODS: tuple[Method, ...] = ("pca", "umap")

WIDTH, HEIGHT, MARGIN = 720, 480, 16
STEPS = 5
MOST_CLASSES = 7
"""Classes with a colour of their own; the others share one."""


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A vector on the map: its row, its place, its style, and what a tooltip says."""

    row: int
    x: float
    y: float
    style: int
    title: str


@dataclass(frozen=True, slots=True)
class MapLegend:
    """A style and what it stands for."""

    style: int
    label: str


@dataclass(frozen=True)
class VectorMap:
    """Points and their legend; `scale` is "step" for colours from little to much, "class" for classes."""

    points: list[MapPoint]
    legend: list[MapLegend]
    scale: Literal["step", "class"]


def has_umap() -> bool:
    """Whether UMAP is installed."""
    return find_spec("umap") is not None


def project(vectors: Vectors, method: Method, seed: int) -> Floats:
    """Two columns for each vector, the same for the same seed: PCA by a randomized SVD, or UMAP.

    UMAP has no place for a vector that is like no other, such as one of zeros; it is put in the middle.
    """
    if method == "umap":
        if not has_umap():
            raise MissingExtra("umap-learn", "umap")
        from umap import UMAP

        with catch_warnings():
            simplefilter("ignore")  # They are about speed, and about vectors without a place.
            found = np.asarray(UMAP(random_state=seed, n_jobs=1, metric="cosine").fit_transform(vectors), np.float64)
        placed = np.isfinite(found).all(axis=1)
        found[~placed] = np.median(found[placed], axis=0) if placed.any() else 0
        return found
    from sklearn.decomposition import PCA

    places: Floats = PCA(2, svd_solver="randomized", random_state=seed).fit_transform(vectors.astype(np.float64))
    return places


def color_by_value(places: Floats, values: Floats, titles: Sequence[str]) -> VectorMap:
    """Five steps from little to much; each holds a fifth of the vectors."""
    edges = np.quantile(values, np.linspace(0, 1, STEPS + 1))
    styles = np.searchsorted(edges[1:-1], values, side="right")
    legend = [
        MapLegend(step, f"{edges[step]:.2f} to {edges[step + 1]:.2f}")
        for step in range(STEPS)
        if (styles == step).any()
    ]
    return VectorMap(_place(places, styles.tolist(), titles), legend, "step")


def color_by_label(places: Floats, labels: Sequence[str | None], titles: Sequence[str]) -> VectorMap:
    """The most common classes have a colour of their own."""
    counts = Counter(label for label in labels if label is not None)
    common = [label for label, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CLASSES]]
    styles = [common.index(label) if label in common else MOST_CLASSES for label in labels]
    legend = [MapLegend(style, f"{label} ({counts[label]:,})") for style, label in enumerate(common)]
    if MOST_CLASSES in styles:
        legend.append(MapLegend(MOST_CLASSES, f"other or none ({styles.count(MOST_CLASSES):,})"))
    return VectorMap(_place(places, styles, titles), legend, "class")


def _place(places: Floats, styles: Sequence[int], titles: Sequence[str]) -> list[MapPoint]:
    """Scale both columns to the drawing; the vertical axis points up."""
    low, high = places.min(axis=0), places.max(axis=0)
    shares = (places - low) / np.where(high > low, high - low, 1)
    x = MARGIN + shares[:, 0] * (WIDTH - 2 * MARGIN)
    y = HEIGHT - MARGIN - shares[:, 1] * (HEIGHT - 2 * MARGIN)
    return [
        MapPoint(row, round(float(x[row]), 1), round(float(y[row]), 1), style, titles[row])
        for row, style in enumerate(styles)
    ]
