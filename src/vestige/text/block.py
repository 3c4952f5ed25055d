"""A run of rows, column by column: what every reader gives and every use of a file is built on."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from vestige.errors import InputError

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a file; a column that none of them names is not in `columns`, its values are None."""

    rows: int
    columns: dict[str, list[Any]]

    def column(self, name: str) -> list[Any]:
        """The values of a column, one a row."""
        return self.columns.get(name) or [None] * self.rows


# A reader takes the path, the most rows in a block and the only column wanted, if no more than one is.
Reader = Callable[[Path, int, str | None], Iterator[Block]]


def join(blocks: Iterable[Block]) -> Block:
    """All rows in one block."""
    parts = list(blocks)
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = {name: list(chain.from_iterable(part.column(name) for part in parts)) for name in names}
    return Block(sum(part.rows for part in parts), columns)


def runs(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """The rows in lists of `size`, the last one shorter."""
    source = iter(rows)
    return iter(lambda: list(islice(source, size)), [])


def wanted(names: Iterable[str], only: str | None) -> list[str]:
    """The columns to give: all of them, or only the one that was asked for."""
    return [name for name in names if only in (None, name)]


def check_names(path: Path, names: list[str]) -> None:
    """Raise when two columns share a name."""
    if len(set(names)) < len(names):
        raise InputError(f"{path} names a column twice in its header ({', '.join(names)}); give each a name of its own")
