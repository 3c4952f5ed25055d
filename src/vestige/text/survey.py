"""What the columns of a file hold, and so which of them is the text."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.block import Block

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


@dataclass(frozen=True, slots=True)
class Survey:
    """How many rows there are, the names of the columns, those that hold a string and those that hold any text."""

    rows: int
    names: list[str]
    strings: list[str]
    filled: list[str]


def as_text(value: Any) -> str:
    """The text a value stands for; none for a missing one. Half of a surrogate pair, which no encoder reads, is "?"."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode()


def survey(blocks: Iterable[Block]) -> Survey:
    """Look at every row once, and keep none."""
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
            if name not in filled and any(map(as_text, values)):
                filled.add(name)
    return Survey(rows, list(names), [name for name in names if name in strings], [*filled])


def find_column(path: Path, names: Iterable[str], name: str | None, option: str) -> str | None:
    """The column that was asked for, if one was; raise when it is not there."""
    known = list(names)
    if name is None or name in known:
        return name
    raise InputError(f"{path} has no column '{name}' ({option}); {nearest(name, known)}")


def find_text(path: Path, seen: Survey, name: str | None) -> str:
    """The text column: the one asked for, the first with a usual name, or the only one of strings."""
    if not seen.rows:
        raise InputError(f"{path} is empty; expected at least one text")
    found = find_column(path, seen.names, name, "--text-column") or _guess_text(path, seen.strings)
    if found not in seen.filled:
        raise InputError(f"{path} holds no text in column '{found}'; expected at least one")
    return found


def _guess_text(path: Path, strings: list[str]) -> str:
    by_name = next((name for name in TEXT_NAMES if name in strings), None)
    if by_name or len(strings) == 1:
        return by_name or strings[0]
    found = f"columns of strings: {', '.join(strings)}" if strings else "no column of strings"
    raise InputError(f"{path} has {found}, none of them named 'text'; name the one to read with --text-column")
