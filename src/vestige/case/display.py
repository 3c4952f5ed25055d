"""How records look in a Python session: lookup by name, short text, a small HTML table, a data frame."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, TypeVar

from vestige.errors import MissingExtra
from vestige.types import Score

Named = TypeVar("Named")

_STYLE = "text-align: left; padding: 0.15em 1em 0.15em 0"


def find_by_name(name: str, named: Mapping[str, Named], what: str, reason: str = "") -> Named:
    """The record of this name; a KeyError says why there is none, and which there are."""
    if name in named:
        return named[name]
    listed = ", ".join(map(repr, named)) or "none"
    raise KeyError(f"{name!r} {reason or f'is no {what}'}; there are: {listed}")


def format_value(score: Score | None) -> str:
    """A value with its interval, or a dash."""
    if score is None:
        return "-"
    value, low, high = (round(part, 3) + 0.0 for part in (score.value, score.low, score.high))
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def format_change(score: Score) -> str:
    """A difference with its interval, all signed."""
    value, low, high = (round(part, 3) + 0.0 for part in (score.value, score.low, score.high))
    return f"{value:+.3f} ({low:+.3f} to {high:+.3f})"


def render_fragment(
    headline: str, sentences: Iterable[str], heads: Sequence[str], rows: Iterable[Sequence[str]]
) -> str:
    """A headline, some sentences and a table, as HTML that a notebook shows. Everything is escaped."""
    lines = [f"<p><strong>{escape(headline)}</strong></p>", *(f"<p>{escape(line)}</p>" for line in sentences)]
    lines += ["<table>", _render_row("th", heads), *(_render_row("td", row) for row in rows), "</table>"]
    return f"<div>{''.join(lines)}</div>"


def _render_row(tag: str, cells: Sequence[str]) -> str:
    return "".join(["<tr>", *(f"<{tag} style='{_STYLE}'>{escape(cell)}</{tag}>" for cell in cells), "</tr>"])


def build_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """The rows as a pandas data frame."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtra("pandas", "frame") from error
    return pd.DataFrame(list(rows))
