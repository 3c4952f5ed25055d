"""Vectors in files of lines, gzipped or not: .jsonl with a list in every object, .csv with a list or many columns."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from vestige.stores.arrow_rows import as_table, check_count, names_in
from vestige.stores.cells import folded, held_in, read_cell, read_object
from vestige.stores.table import Places, Table
from vestige.text.block import Block, runs
from vestige.text.lines import read_lines
from vestige.text.rows import csv_blocks

SEEN_FIRST = 256
BLOCK = 1024


class CsvTable(Table):
    """Comma-separated values; a vector is a list in one cell, or a row of numbered columns such as v0, v1, v2.

    The file is read from its start for every sample; rows that are not asked for are not kept. The columns are those of
    the first rows, and of the first rows further on that hold something where none before them did.
    """

    def __init__(self, path: Path) -> None:
        self.place, self._path = str(path), path
        seen = list(islice(self._records(), SEEN_FIRST))
        held = {name for row in seen for name, value in row.items() if value not in (None, "")}
        self.rows, late = self._scanned(held)
        seen += self._records(late) if late else []
        self.schema = None
        self.schema = self._arrow(seen, names_in(seen, self.place)).schema

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """One pass over the file."""
        self.bytes_read = (self.bytes_read or 0) + self._path.stat().st_size
        return self._arrow(list(self._records(set(places.tolist()))), names)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """`size` rows in memory at a time."""
        for run in runs(self._records(), size):
            yield self._arrow(run, names)

    def _scanned(self, held: set[str]) -> tuple[int, set[int]]:
        """How many rows there are, and those that are the first to hold something in a column that is not `held`."""
        rows, late = 0, set()
        for block in csv_blocks(self._path, BLOCK):
            for name, values in _unheld(block, held).items():
                first = next((row for row, value in enumerate(values) if value not in (None, "")), None)
                if first is not None:
                    late.add(rows + first)
                    held.add(name)
            rows += block.rows
        return rows, late

    def _records(self, wanted: set[int] | None = None) -> Iterator[dict[str, Any]]:
        """The rows with these numbers, or all."""
        start = 0
        for block in csv_blocks(self._path, BLOCK):
            columns = folded(block)
            for row in range(block.rows):
                if wanted is None or start + row in wanted:
                    yield {name: values[row] for name, values in columns.items()}
            start += block.rows

    def _arrow(self, rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Any:
        read = [
            {name: read_cell(value, f"{self.place} column '{name}'") for name, value in row.items()} for row in rows
        ]
        listed = {name for row in read for name, value in row.items() if isinstance(value, list)}
        for row in read:
            row |= {name: None for name in listed if row.get(name) == ""}
        return as_table(read, names, self.place, self.schema)


def _unheld(block: Block, held: set[str]) -> dict[str, list[Any]]:
    """The columns of a block in which nothing was seen yet; folding is left out where all were seen."""
    if all(name in held for name in block.columns):
        return {}
    return {name: values for name, values in folded(block).items() if name not in held}


class JsonlTable(CsvTable):
    """A JSON object a line, with a list of numbers in it; of lines that are not asked for only the names are read."""

    def _scanned(self, held: set[str]) -> tuple[int, set[int]]:
        rows, late = 0, set()
        for number, line in self._lines():
            new = held_in(line, f"{self.place} line {number}") - held
            if new:
                late.add(rows)
                held |= new
                check_count(len(held), self.place)
            rows += 1
        return rows, late

    def _records(self, wanted: set[int] | None = None) -> Iterator[dict[str, Any]]:
        for row, (number, line) in enumerate(self._lines()):
            if wanted is None or row in wanted:
                yield read_object(line, f"{self.place} line {number}")

    def _lines(self) -> Iterator[tuple[int, str]]:
        return ((number, line) for number, line in enumerate(read_lines(self._path, "\n"), 1) if line.strip())
