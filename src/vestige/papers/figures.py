"""Figures as papers print them: in percent."""

from collections.abc import Sequence

from vestige.types import Score


def printed(value: float | None) -> str:
    """A published figure, to the two places it was printed with."""
    return "-" if value is None else f"{value:.2f}"


def measured(score: Score | None) -> str:
    """A score in percent with the ends of its interval."""
    return "-" if score is None else f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"


def brief(score: Score | None) -> str:
    """The same where there is little room."""
    return "-" if score is None else f"{100 * score.value:.1f} ({100 * score.low:.0f}-{100 * score.high:.0f})"


def counted(scores: Sequence[Score | None]) -> str:
    """Over how many texts a line of scores was taken: one number, or from the least to the most."""
    found = sorted({score.n for score in scores if score is not None})
    return " to ".join(f"{n:,}" for n in (found[0], found[-1])[: len(found)]) if found else "-"
