"""Vectors in text files, gzipped or not: .csv with a list or numbered columns, .jsonl with a list in every object."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.arrow_columns import build_table, check_column_count, list_columns
from vestige.stores.table import Positions, VectorTable
from vestige.text.formats import Block, batched_rows, read_csv, read_lines

SCHEMA_ROWS = 256
BLOCK = 1024

_NUMBER_LIST = re.compile(r'(?<!\\)"\s*:\s*\[[-+.,\s\deE]+\]')
"""A list of numbers after its key. Within a JSON string every quote is escaped, so this matches no part of a string."""


class CsvTable(VectorTable):
    """Comma-separated values. A vector is a list in one cell, or a row of numbered columns such as v0, v1, v2.

    Every sample reads the file from its start and keeps only the rows it needs. The columns are those of the first
    rows, and of each later row that is the first to fill a column.
    """

    def __init__(self, path: Path) -> None:
        self.place, self._path = str(path), path
        first = list(islice(self._records(), SCHEMA_ROWS))
        filled = {name for row in first for name, value in row.items() if value not in (None, "")}
        self.rows, late = self._scan(filled)
        seen = [*first, *(self._records(late) if late else [])]
        self.schema = None
        self.schema = self._as_arrow(seen, list_columns(seen, self.place)).schema

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read the file once."""
        self.bytes_read = (self.bytes_read or 0) + self._path.stat().st_size
        return self._as_arrow(list(self._records(set(positions.tolist()))), names)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Read the file once, with `size` rows in memory at a time."""
        for rows in batched_rows(self._records(), size):
            yield self._as_arrow(rows, names)

    def _scan(self, filled: set[str]) -> tuple[int, set[int]]:
        """Count the rows, and list those that are the first to fill a column that is not in `filled`."""
        rows, late = 0, set()
        for block in read_csv(self._path, BLOCK):
            for name, values in _list_unfilled(block, filled).items():
                first = next((row for row, value in enumerate(values) if value not in (None, "")), None)
                if first is not None:
                    late.add(rows + first)
                    filled.add(name)
            rows += block.rows
        return rows, late

    def _records(self, numbers: set[int] | None = None) -> Iterator[dict[str, Any]]:
        """Yield the rows with these numbers, or all rows."""
        start = 0
        for block in read_csv(self._path, BLOCK):
            columns = fold_columns(block)
            for row in range(block.rows):
                if numbers is None or start + row in numbers:
                    yield {name: values[row] for name, values in columns.items()}
            start += block.rows

    def _as_arrow(self, rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Any:
        parsed = [
            {name: parse_cell(value, f"{self.place} column '{name}'") for name, value in row.items()} for row in rows
        ]
        list_names = {name for row in parsed for name, value in row.items() if isinstance(value, list)}
        for row in parsed:
            row |= {name: None for name in list_names if row.get(name) == ""}
        return build_table(parsed, names, self.place, self.schema)


class JsonlTable(CsvTable):
    """One JSON object per line, with a list of numbers in it. Of lines that are not needed only the keys are read."""

    def _scan(self, filled: set[str]) -> tuple[int, set[int]]:
        rows, late = 0, set()
        for number, line in self._lines():
            new = list_filled_keys(line, f"{self.place} line {number}") - filled
            if new:
                late.add(rows)
                filled |= new
                check_column_count(len(filled), self.place)
            rows += 1
        return rows, late

    def _records(self, numbers: set[int] | None = None) -> Iterator[dict[str, Any]]:
        for row, (number, line) in enumerate(self._lines()):
            if numbers is None or row in numbers:
                yield parse_object(line, f"{self.place} line {number}")

    def _lines(self) -> Iterator[tuple[int, str]]:
        return ((number, line) for number, line in enumerate(read_lines(self._path, "\n"), 1) if line.strip())


def parse_cell(value: Any, place: str) -> Any:
    """Parse a list that is written as a string; return any other value unchanged."""
    if not (isinstance(value, str) and value.startswith("[") and value.endswith("]")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise InputError(
            f"{place} holds {value[:30]!r}; expected a list of numbers with commas, such as [0.1, 0.2]"
        ) from None


def parse_object(line: str, place: str) -> dict[str, Any]:
    """Parse the JSON object of a line."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place} is not JSON ({error}); expected one JSON object per line") from error
    if not isinstance(row, dict):
        raise InputError(f"{place} holds a {type(row).__name__}; expected one JSON object per line")
    return row


def list_filled_keys(line: str, place: str) -> set[str]:
    """List the keys of an object whose value is not null. Skipping lists of numbers saves most of the parsing."""
    row = parse_object(_NUMBER_LIST.sub('":0', line), place)
    return {name for name, value in row.items() if value is not None}


def fold_columns(block: Block) -> dict[str, list[Any]]:
    """Fold numbered columns of numbers with one stem into a column of lists, named by the stem or "vector"."""
    stems: dict[str, list[str]] = {}
    for name in block.columns:
        if match := re.fullmatch(r"(.*?)[_. ]?\d+", name):
            stems.setdefault(match[1], []).append(name)
    columns = dict(block.columns)
    for stem, names in stems.items():
        rows = zip(*(columns[name] for name in names), strict=True)
        if len(names) > 1 and _are_consecutive(names) and any(vectors := [_parse_numbers(row) for row in rows]):
            columns = {name: values for name, values in columns.items() if name not in names}
            columns[stem or "vector"] = vectors
    return columns


def _list_unfilled(block: Block, filled: set[str]) -> dict[str, list[Any]]:
    """The folded columns of a block that had no value before; folding is skipped where all had one."""
    if all(name in filled for name in block.columns):
        return {}
    return {name: values for name, values in fold_columns(block).items() if name not in filled}


def _are_consecutive(names: Sequence[str]) -> bool:
    numbers = [int(re.findall(r"\d+$", name)[0]) for name in names]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(names)))


def _parse_numbers(cells: Sequence[Any]) -> list[float] | None:
    try:
        return [float(cell) for cell in cells]
    except (TypeError, ValueError):
        return None
