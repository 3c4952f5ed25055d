"""Scores of keyword attacks as the paper has them: over keywords, and over the epochs of a training."""

from collections.abc import Mapping, Sequence

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.accuracy import PRIOR, BalancedTests
from vestige.metrics.bootstrap import document_mean
from vestige.types import Floats, KeywordGuesses, Score

Hits = Mapping[str, Floats]
"""For each keyword, 1 for a right guess and 0 for a wrong one, or a share of epochs."""


def exactly(value: float | None, n: int) -> Score:
    """What guessing reaches, known without measuring."""
    assert value is not None
    return Score(value, value, value, n)


def averaged(epochs: Sequence[Hits]) -> Hits:
    """Over the epochs: the average risk."""
    return {keyword: np.mean([hits[keyword] for hits in epochs], axis=0) for keyword in epochs[0]}


def worst(epochs: Sequence[Hits]) -> Hits:
    """For each keyword the epoch in which it is told best: the worst case for the victims.

    The choice is made by one who knows the truth, as in the paper.
    """
    return {keyword: max((hits[keyword] for hits in epochs), key=np.mean) for keyword in epochs[0]}


def over_epochs(tests: BalancedTests, epochs: Sequence[KeywordGuesses], seed: int) -> tuple[Score, Score]:
    """Mean accuracy over keywords: on average over the epochs, and in the worst of them."""
    hits = [tests.hits(guesses) for guesses in epochs]
    return mean_of(tests, averaged(hits), seed), mean_of(tests, worst(hits), seed)


def mean_of(tests: BalancedTests, hits: Hits, seed: int) -> Score:
    """Every keyword counts the same, however many texts its test has."""
    weights = np.concatenate([np.full(len(each), 1 / len(each)) for each in hits.values()])
    owners = [tests.documents[row] for keyword in hits for row in tests.tests[keyword]]
    rng = stream(seed, "bootstrap")
    return document_mean(np.concatenate(list(hits.values())), owners, rng, weights=weights, baseline=PRIOR)
