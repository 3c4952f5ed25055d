"""Means over the target texts, with intervals over the target documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np

from vestige.case.findings import TargetScores
from vestige.case.randomness import stream
from vestige.metrics.intervals import FEWEST_DOCUMENTS, PLACES, document_mean, draw_documents
from vestige.types import Floats, Integers, Score


@lru_cache(maxsize=8)
def _draw(documents: int, seed: int) -> Integers:
    """The documents of every resample, which depend on their number alone."""
    return draw_documents(documents, stream(seed, "bootstrap"))


@dataclass(frozen=True)
class Scorer:
    """Scores values, one per target text. Every call resamples the same documents, so that differences are paired."""

    documents: list[str]
    seed: int

    def score(
        self, values: Floats, *, weights: Floats | None = None, baseline: float | None = None, among: int = 1
    ) -> Score:
        """The mean with its interval, which is wider if the best was chosen `among` several."""
        return document_mean(values, self.documents, self._draws, weights=weights, baseline=baseline, among=among)

    def gain(self, differences: Floats, *, weights: Floats | None = None, among: int = 1) -> Score:
        """The mean of differences, such as those from the prior, which may be negative."""
        return document_mean(
            differences, self.documents, self._draws, weights=weights, baseline=0.0, among=among, signed=True
        )

    @property
    def _draws(self) -> Integers:
        return _draw(len(set(self.documents)), self.seed)

    def enough(self, weights: Floats) -> bool:
        """Whether the texts with a weight other than 0 are from enough documents for an interval."""
        return len({self.documents[row] for row in np.flatnonzero(weights)}) >= FEWEST_DOCUMENTS

    def record_gains(self, gains: Floats, texts: Sequence[str], *, weights: Floats | None = None) -> TargetScores:
        """The gain of each target text, to be compared with another run."""
        places = {name: place for place, name in enumerate(dict.fromkeys(self.documents))}
        return TargetScores(
            sha256("\0".join([*texts, *self.documents]).encode("utf-8", "surrogatepass")).hexdigest()[:32],
            tuple(places[name] for name in self.documents),
            tuple(np.round(gains, PLACES).tolist()),
            None if weights is None else tuple(np.round(weights, PLACES).tolist()),
        )
