"""How often the secret fields of a pattern are guessed, one by one and all together (Pan et al. 2020, Section V)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import proportion
from vestige.types import FieldGuesses, Flags, Floats, Integers, Score

DEPTH = 5


@dataclass(frozen=True, slots=True)
class FieldRecovery:
    """How often the likeliest guess is the truth, and how often the truth is among the five likeliest.

    The baseline of each is a uniform guess over all values, without the vectors.
    """

    top1: Score
    top5: Score


@dataclass(frozen=True, slots=True)
class PatternRecovery:
    """The recovery of each field, and of the `whole`: all fields of a text at once."""

    fields: dict[str, FieldRecovery]
    whole: FieldRecovery


def pattern_recovery(guesses: FieldGuesses, truth: Mapping[str, Sequence[str]]) -> PatternRecovery:
    """Score guesses against the true value of each field, text by text.

    The guesses of the whole are the combinations with the largest product of probabilities, computed exactly. Among
    equal ones, the order of the values decides.
    """
    _check(guesses, truth)
    ranked = {name: _likeliest(np.asarray(table)) for name, table in guesses.probabilities.items()}
    sizes = {name: len(values) for name, values in guesses.values.items()}
    right = {name: _right(ranked[name][0], guesses.values[name], truth[name]) for name in ranked}
    fields = {name: _recovery(right[name], sizes[name]) for name in ranked}
    return PatternRecovery(fields, _recovery(_all_right(ranked, right), prod(sizes.values())))


def most_frequent(truth: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Per field, the share of its most frequent value: a constant guess (Pan et al. 2020, Figure 3)."""
    return {name: Counter(values).most_common(1)[0][1] / len(values) for name, values in truth.items()}


def _likeliest(table: Floats) -> tuple[Integers, Floats]:
    """The columns of the five largest probabilities of each row, and their logarithms."""
    places = np.argsort(-table, axis=1, kind="stable")[:, :DEPTH]
    with np.errstate(divide="ignore"):
        return places, np.log(np.take_along_axis(table, places, axis=1))


def _right(places: Integers, values: Sequence[str], truth: Sequence[str]) -> Flags:
    """Per text, which of the likeliest values is the true one."""
    return np.asarray(np.asarray(values)[places] == np.asarray(truth)[:, None])


def _all_right(ranked: Mapping[str, tuple[Integers, Floats]], right: Mapping[str, Flags]) -> Flags:
    """Per text, which of the likeliest combinations is right in every field.

    The five best combinations of two fields consist of the five best values of each, so fields are joined one by one.
    """
    rows = len(next(iter(right.values())))
    logs, good = np.zeros((rows, 1)), np.ones((rows, 1), dtype=bool)
    for name, (_, field_logs) in ranked.items():
        sums = (logs[:, :, None] + field_logs[:, None, :]).reshape(rows, -1)
        both = (good[:, :, None] & right[name][:, None, :]).reshape(rows, -1)
        best = np.argsort(-sums, axis=1, kind="stable")[:, :DEPTH]
        logs, good = np.take_along_axis(sums, best, axis=1), np.take_along_axis(both, best, axis=1)
    return good


def _recovery(right: Flags, size: int) -> FieldRecovery:
    return FieldRecovery(
        proportion(int(right[:, :1].any(axis=1).sum()), len(right), baseline=1 / size),
        proportion(int(right.any(axis=1).sum()), len(right), baseline=min(1.0, DEPTH / size)),
    )


def _check(guesses: FieldGuesses, truth: Mapping[str, Sequence[str]]) -> None:
    if not guesses.values or set(guesses.values) != set(truth):
        raise InputError(
            f"the guesses are for {sorted(guesses.values) or 'no field'}, the truth is for {sorted(truth)}; "
            "expected the same fields"
        )
    for name, values in guesses.values.items():
        if not len(truth[name]):
            raise InputError("there are no texts to score; expected at least one")
        if np.shape(guesses.probabilities[name]) != (len(truth[name]), len(values)):
            raise InputError(
                f"the probabilities of '{name}' have shape {np.shape(guesses.probabilities[name])}; "
                f"expected one row per text and one column per value, ({len(truth[name])}, {len(values)})"
            )
        unknown = sorted(set(truth[name]) - set(values))
        if unknown:
            raise InputError(
                f"'{unknown[0]}' is not among the values of field '{name}'; add it to the field's description, "
                "or drop such texts"
            )
