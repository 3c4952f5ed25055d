"""Blocks of rows from the formats that are lines: txt, jsonl and csv."""

import csv
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.text.block import Block, check_names, runs, wanted
from vestige.text.lines import read_lines

LONGEST_VALUE = 2**31 - 1


def txt_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """A text a line, under the name "text"; white space around it and lines of nothing else are dropped."""
    texts = filter(None, map(str.strip, read_lines(path, "\n")))
    for run in runs(texts, size):
        yield Block(len(run), dict.fromkeys(wanted(["text"], only), run))


def jsonl_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """A JSON object a line; blank lines are skipped, and a name that a row lacks is None there."""
    lines = enumerate(read_lines(path, "\n"), 1)
    rows = (_json_object(path, number, line) for number, line in lines if line.strip())
    for run in runs(rows, size):
        names = wanted(dict.fromkeys(chain.from_iterable(run)), only)
        yield Block(len(run), {name: [row.get(name) for row in run] for name in names})


def _json_object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line.rstrip("\n"))
    except ValueError as error:
        raise InputError(f"{path} line {number} is not JSON ({error}); expected one JSON object a line") from error
    if not isinstance(row, dict):
        raise InputError(f"{path} line {number} holds a {type(row).__name__}; expected one JSON object a line")
    return row


def csv_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """Comma-separated values under a header; every row is as long as the header, empty lines are skipped."""
    rows = _csv_rows(path)
    header = next(rows, None)
    first = next(rows, None)
    if header is None or first is None:
        raise InputError(
            f"{path} has {'no line' if header is None else '1 line'}; expected a header and at least one row"
        )
    check_names(path, header)
    places = {name: header.index(name) for name in wanted(header, only)}
    for run in runs(chain([first], rows), size):
        yield Block(len(run), {name: [row[place] for row in run] for name, place in places.items()})


def _csv_rows(path: Path) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_VALUE)
    reader = csv.reader(_comma_lines(path), strict=True)
    width = 0
    try:
        for row in filter(None, reader):
            width = width or len(row)
            if len(row) != width:
                found = f"{path} line {reader.line_num} has {len(row)} values, the header has {width}"
                raise InputError(f"{found}; mend the line")
            yield row
    except csv.Error as error:
        raise InputError(
            f"{path} line {reader.line_num} is not CSV ({error}); expected comma-separated values"
        ) from error


def _comma_lines(path: Path) -> Iterator[str]:
    lines = read_lines(path, "")
    header = next(lines, "")
    if "," not in header and (other := next((mark for mark in ";\t|" if mark in header), None)):
        raise InputError(f"{path} looks separated by {other!r}; expected commas, save it as comma-separated values")
    yield header
    yield from lines
