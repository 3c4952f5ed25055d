"""Numbers as the reports print them, the same in every format."""

from collections.abc import Iterable

from vestige.types import Score


def format_number(value: float) -> str:
    """Three decimal places, and no minus sign before a zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def format_signed(value: float) -> str:
    """Three decimal places, with a sign unless it is zero."""
    rounded = round(value, 3) + 0.0
    return f"{rounded:+.3f}" if rounded else "0.000"


def format_interval(score: Score) -> str:
    """The two ends of the 95% interval."""
    return f"{format_number(score.low)} to {format_number(score.high)}"


def format_score(score: Score) -> str:
    """A value with its interval, on one line."""
    return f"{format_number(score.value)} ({format_interval(score)})"


def format_count(value: object) -> str:
    """A count with a comma at the thousands; anything else as it is."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def format_sizes(scores: Iterable[Score]) -> str:
    """The sample size, printed once if all scores share it."""
    return " / ".join(format_count(n) for n in dict.fromkeys(score.n for score in scores))


def format_in_ten(share: float) -> str:
    """A share as a number out of ten."""
    return f"{round(share * 10, 1) + 0.0:.1f} in 10"


def format_setting(value: str | int | bool | tuple[str | int, ...] | None) -> str:
    """A setting as the owner gave it."""
    if value is None or value == ():
        return "not set"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"
