"""Vectors in files of lines, gzipped or not: .jsonl with a list in every object, .csv with a list or many columns."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from vestige.stores.arrow_rows import as_table, names_in
from vestige.stores.cells import folded, read_cell, read_object
from vestige.stores.table import Places, Table
from vestige.text.block import runs
from vestige.text.lines import read_lines
from vestige.text.rows import csv_blocks

SEEN_FIRST = 256
BLOCK = 1024


class CsvTable(Table):
    """Comma-separated values; a vector is a list in one cell, or a row of numbered columns such as v0, v1, v2.

    The file is read from its start for every sample; rows that are not asked for are not kept.
    """

    def __init__(self, path: Path) -> None:
        self.place, self._path = str(path), path
        head = list(islice(self._records(), SEEN_FIRST))
        self.schema = None
        self.schema = self._arrow(head, names_in(head, self.place)).schema
        self.rows = self._count()

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """One pass over the file."""
        self.bytes_read = (self.bytes_read or 0) + self._path.stat().st_size
        return self._arrow(list(self._records(set(places.tolist()))), names)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """`size` rows in memory at a time."""
        for run in runs(self._records(), size):
            yield self._arrow(run, names)

    def _count(self) -> int:
        return sum(block.rows for block in csv_blocks(self._path, BLOCK))

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
        return as_table(read, names, self.place, self.schema)


class JsonlTable(CsvTable):
    """A JSON object a line, with a list of numbers in it; lines that are not asked for are not parsed."""

    def _count(self) -> int:
        return sum(1 for _ in self._lines())

    def _records(self, wanted: set[int] | None = None) -> Iterator[dict[str, Any]]:
        for row, (number, line) in enumerate(self._lines()):
            if wanted is None or row in wanted:
                yield read_object(line, f"{self.place} line {number}")

    def _lines(self) -> Iterator[tuple[int, str]]:
        return ((number, line) for number, line in enumerate(read_lines(self._path, "\n"), 1) if line.strip())
