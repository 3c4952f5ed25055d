"""Accuracy on keywords, balanced: half of the texts contain the keyword (Pan et al. 2020, Section VI-C)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS, document_mean
from vestige.types import Flags, Floats, Integers, KeywordGuesses, Score

PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class BalancedTests:
    """For each keyword, all texts that contain it and equally many, drawn at random, that do not.

    If more texts contain it than not, those are the ones drawn. A keyword whose texts come from too few documents for
    an interval has no test and is listed in `untested`.
    """

    tests: dict[str, Integers]
    untested: tuple[str, ...]
    keywords: tuple[str, ...]
    truth: Flags
    documents: tuple[str, ...]

    @classmethod
    def draw(
        cls, keywords: Sequence[str], truth: Flags, documents: Sequence[str], rng: np.random.Generator
    ) -> "BalancedTests":
        """Draw the tests; `truth` has one row per text and one column per keyword."""
        if truth.shape != (len(documents), len(keywords)):
            raise InputError(
                f"the truth has shape {truth.shape} for {len(documents)} documents and {len(keywords)} keywords; "
                "expected one row per text and one column per keyword"
            )
        rows = {keyword: _draw_balanced(held, rng) for keyword, held in zip(keywords, truth.T, strict=True)}
        rare = [keyword for keyword in keywords if len({documents[row] for row in rows[keyword]}) < FEWEST_DOCUMENTS]
        if len(rare) == len(keywords):
            raise InputError(
                f"none of {len(keywords)} keywords occurs in texts of enough documents; expected at least "
                f"{FEWEST_DOCUMENTS} documents in a balanced set; give more texts or more frequent keywords"
            )
        tests = {keyword: rows[keyword] for keyword in keywords if keyword not in rare}
        return cls(tests, tuple(rare), tuple(keywords), truth, tuple(documents))

    def hits(self, guesses: KeywordGuesses) -> dict[str, Floats]:
        """1 for each correct guess and 0 for each wrong one, in the order of `tests`."""
        if guesses.keywords != self.keywords or guesses.probabilities.shape != self.truth.shape:
            raise InputError(
                f"the guesses are for {len(guesses.probabilities)} texts and {', '.join(guesses.keywords)}, "
                f"the truth for {len(self.truth)} and {', '.join(self.keywords)}; "
                "give guesses of the same texts and keywords in the same order"
            )
        right = (guesses.probabilities > PRIOR) == self.truth
        column = {keyword: place for place, keyword in enumerate(self.keywords)}
        return {keyword: right[rows, column[keyword]].astype(np.float64) for keyword, rows in self.tests.items()}


@dataclass(frozen=True, slots=True)
class KeywordAccuracy:
    """The share of correct guesses for each tested keyword, and the mean over these keywords."""

    by_keyword: dict[str, Score]
    mean: Score


def keyword_accuracy(tests: BalancedTests, guesses: KeywordGuesses, rng: np.random.Generator) -> KeywordAccuracy:
    """Accuracy with intervals over documents; for the mean, documents are drawn once for all keywords."""
    hits = tests.hits(guesses)
    by_keyword = {
        keyword: document_mean(hits[keyword], [tests.documents[row] for row in rows], rng, baseline=PRIOR)
        for keyword, rows in tests.tests.items()
    }
    return KeywordAccuracy(by_keyword, _mean(tests, hits, rng, PRIOR))


def mean_accuracy(tests: BalancedTests, guesses: KeywordGuesses, rng: np.random.Generator) -> Score:
    """Only the mean over keywords."""
    return _mean(tests, tests.hits(guesses), rng, PRIOR)


def accuracy_gain(
    tests: BalancedTests, guesses: KeywordGuesses, others: KeywordGuesses, rng: np.random.Generator
) -> Score:
    """The mean accuracy of `guesses` minus that of `others`, paired text by text on the same tests."""
    ours, theirs = tests.hits(guesses), tests.hits(others)
    return _mean(tests, {keyword: ours[keyword] - theirs[keyword] for keyword in ours}, rng, 0.0)


def _mean(tests: BalancedTests, values: dict[str, Floats], rng: np.random.Generator, baseline: float) -> Score:
    """The mean in which every keyword counts the same, however many texts its test has."""
    weights = [np.full(len(each), 1 / len(each)) for each in values.values()]
    owners = [tests.documents[row] for rows in tests.tests.values() for row in rows]
    return document_mean(
        np.concatenate(list(values.values())), owners, rng, weights=np.concatenate(weights), baseline=baseline
    )


def _draw_balanced(held: Flags, rng: np.random.Generator) -> Integers:
    with_it, without_it = np.flatnonzero(held), np.flatnonzero(~held)
    size = min(len(with_it), len(without_it))
    drawn = [rows if len(rows) == size else rng.choice(rows, size, replace=False) for rows in (with_it, without_it)]
    return np.sort(np.concatenate(drawn))
