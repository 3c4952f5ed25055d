"""What defenses ask of numbers that they are set to."""

from numbers import Real

import numpy as np

from vestige.errors import InputError


def check_above(name: str, value: object, bound: float, most: float = np.inf) -> None:
    """A setting that is a finite number above a bound, and not beyond another."""
    if not isinstance(value, Real) or not bound < float(value) <= most or not np.isfinite(float(value)):
        upper = f" and at most {most:g}" if np.isfinite(most) else ""
        raise InputError(f"The '{name}' parameter must be a number above {bound:g}{upper}. Got {value!r} instead.")


def check_count(name: str, value: object, fewest: int, most: int | None = None) -> None:
    """A setting that is a whole number, of a range."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not fewest <= value <= (value if most is None else most)
    ):
        upper = "" if most is None else f" and at most {most}"
        raise InputError(
            f"The '{name}' parameter must be a whole number, at least {fewest}{upper}. Got {value!r} instead."
        )
