"""How much an encoder is to hide, as it is written and checked: the lambda of words, and of each column."""

from collections.abc import Sequence
from math import inf

from vestige.errors import InputError


def as_lambdas(written: Sequence[str]) -> dict[str, float]:
    """The lambda of each column, from COLUMN=LAMBDA of each."""
    found: dict[str, float] = {}
    for one in written:
        column, strength = _as_lambda(one)
        if column in found:
            raise InputError(f"column '{column}' has two lambdas, {found[column]:g} and {strength:g}; give it one")
        found[column] = strength
    return found


def check_lambda(strength: float, of: str) -> None:
    """Raise where it is below 0 or no number; `of` says whose it is."""
    if not 0 <= strength < inf:
        raise InputError(
            f"the lambda of {of} must be a number, at least 0. Got {strength:g} instead. At 0 nothing is hidden; the "
            "higher, the more"
        )


def _as_lambda(written: str) -> tuple[str, float]:
    column, _, value = written.rpartition("=")
    try:
        strength = float(value)
    except ValueError:
        column = ""
    if not column:
        raise InputError(f"'{written}' names no column with a number; expected one as in author=30")
    check_lambda(strength, f"column '{column}'")
    return column, strength
