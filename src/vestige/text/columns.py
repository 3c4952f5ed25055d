"""Find the text column of a table: by its name, or as the only column of strings; and recognise prose by its values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.formats import Block
from vestige.text.words import unspaced_share

TEXT_NAMES = (
    "text",
    "sentence",
    "content",
    "body",
    "document",
    "review",
    "message",
    "narrative",
    "chunk",
    "page_content",
)

FEWEST_WORDS = 3
FEWEST_CHARACTERS, UNSPACED = 6, 0.3
FEWEST_DIFFERENT = 0.2

_WORD_START = re.compile(r"(?:^|\s)\W*[^\W\d_]")


@dataclass(frozen=True, slots=True)
class ColumnSurvey:
    """The number of rows, the names of the columns, those with a string in them and those with any text in them."""

    rows: int
    names: list[str]
    strings: list[str]
    filled: list[str]


def survey_columns(blocks: Iterable[Block]) -> ColumnSurvey:
    """Read every row once and store none."""
    rows = 0
    names: dict[str, None] = {}
    strings: set[str] = set()
    filled: set[str] = set()
    for block in blocks:
        rows += block.rows
        names.update(dict.fromkeys(block.columns))
        for name, values in block.columns.items():
            if name not in strings and any(isinstance(value, str) for value in values):
                strings.add(name)
            if name not in filled and any(map(to_text, values)):
                filled.add(name)
    return ColumnSurvey(rows, list(names), [name for name in names if name in strings], [*filled])


def to_text(value: Any) -> str:
    """A value as text; "" for a missing value. Half of a surrogate pair, which no encoder accepts, becomes "?"."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode()


def find_column(path: Path, names: Iterable[str], name: str | None, option: str) -> str | None:
    """The name of the requested column, or None if none was requested; raise if it does not exist."""
    known = list(names)
    if name is None or name in known:
        return name
    raise InputError(f"{path} has no column '{name}' ({option}); {nearest(name, known)}")


def find_text_column(path: Path, survey: ColumnSurvey, name: str | None) -> str:
    """The text column: the requested one, else the first with a usual name, else the only column of strings."""
    if not survey.rows:
        raise InputError(f"{path} is empty; expected at least one text")
    column = find_column(path, survey.names, name, "--text-column") or _guess_text_column(path, survey.strings)
    if column not in survey.filled:
        raise InputError(f"{path} has no text in column '{column}'; expected at least one")
    return column


def is_prose(values: Sequence[Any]) -> bool:
    """Whether the values are texts rather than labels: several words per value, and not a few values repeated."""
    filled = [value for value in values if isinstance(value, str) and value.strip()]
    if not filled or len(set(filled)) < FEWEST_DIFFERENT * len(filled):
        return False
    sample = filled[:1000]
    if unspaced_share(sample) > UNSPACED:
        return bool(np.mean([len(value) for value in sample]) >= FEWEST_CHARACTERS)
    return bool(np.mean([len(_WORD_START.findall(value)) for value in sample]) >= FEWEST_WORDS)


def _guess_text_column(path: Path, strings: list[str]) -> str:
    by_name = next((name for name in TEXT_NAMES if name in strings), None)
    if by_name or len(strings) == 1:
        return by_name or strings[0]
    found = f"columns of strings: {', '.join(strings)}" if strings else "no column of strings"
    raise InputError(f"{path} has {found}, none of them named 'text'; name the text column with --text-column")
