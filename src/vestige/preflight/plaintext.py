"""Plain text stored next to the vectors: whoever can read the store needs no attack to read it."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.pii_patterns import PII_PATTERNS, find_person_names, mask
from vestige.preflight.result import Check
from vestige.text.columns import is_prose

CHARACTERS, CELLS, FEWEST_ROWS = 3_000_000, 20_000, 50
"""About this many characters and cells are searched in all, but at least this many rows of each column."""

LONGEST = 10_000
SHOWN = 2
MINOR = ("web addresses",)
NOTHING = "no texts and no personal data"

DEEPEST, MOST_PATHS, MOST_STRINGS = 8, 200, 1000
"""The limits of nested data: levels, paths of a column, strings of a cell."""

SEPARATOR = "\x1f"
"""Separates the strings of a list in one cell; it counts as white space and occurs in no text."""

_NAME = re.compile(r"[\w -]{1,40}")


def check_plaintext(sample: VectorSample) -> Iterator[Check]:
    """Texts first, then personal data, for each column and each path inside nested columns."""
    strings = {
        path: cells for name, values in sample.metadata.items() for path, cells in collect_strings(name, values).items()
    }
    checks = [check for name, cells in strings.items() for check in _check_column(name, cells, len(strings))]
    yield from sorted(checks, key=lambda check: check.name != "plaintext")
    if not any(check.name == "plaintext" for check in checks):
        yield Check("plaintext", "ok", _describe_absence(len(sample.metadata), "no texts" if checks else NOTHING))


@dataclass(frozen=True)
class TextCounts:
    """What a column, or a path inside a nested one, holds in all rows. `kinds` counts rows with personal data."""

    rows: int
    filled: int
    words: int
    prose: int
    kinds: Counter[str]
    examples: dict[str, tuple[str, ...]]
    masked: tuple[str, ...]


def count_texts(metadata: Mapping[str, Sequence[Any]]) -> dict[str, TextCounts]:
    """The counts of some rows, by column or path."""
    strings = {
        path: cells for name, values in metadata.items() for path, cells in collect_strings(name, values).items()
    }
    return {path: _count_column(cells) for path, cells in strings.items()}


def merge_texts(one: Mapping[str, TextCounts], other: Mapping[str, TextCounts]) -> dict[str, TextCounts]:
    """The counts of both; a path that only one has counts the rows of that one."""
    merged = dict(one)
    for path, counts in other.items():
        merged[path] = _merge_counts(one[path], counts) if path in one else counts
    return merged


def check_counted_texts(counts: Mapping[str, TextCounts], rows: int, columns: int) -> Iterator[Check]:
    """The checks of `check_plaintext`, for all rows of a source."""
    checks = [check for name, found in counts.items() for check in _describe_counts(name, found, rows)]
    yield from sorted(checks, key=lambda check: check.name != "plaintext")
    if not any(check.name == "plaintext" for check in checks):
        yield Check("plaintext", "ok", _describe_absence(columns, "no texts" if checks else NOTHING))


def _count_column(cells: Sequence[str]) -> TextCounts:
    longest, filled = [longest_string(cell) for cell in cells], sum(map(bool, cells))
    prose = is_prose(longest)
    found = {kind: hits for kind, hits in _find_pii([cell[:LONGEST] for cell in cells]).items() if any(hits)}
    return TextCounts(
        len(cells),
        filled,
        sum(len(cell.split()) for cell in longest),
        filled if prose else 0,
        Counter({kind: sum(hit is not None for hit in hits) for kind, hits in found.items()}),
        {kind: _mask_examples([hit or "" for hit in hits]) for kind, hits in found.items()},
        _mask_examples(longest) if prose else (),
    )


def _merge_counts(one: TextCounts, other: TextCounts) -> TextCounts:
    kinds = one.kinds + other.kinds
    return TextCounts(
        one.rows + other.rows,
        one.filled + other.filled,
        one.words + other.words,
        one.prose + other.prose,
        kinds,
        {kind: _first_few(one.examples.get(kind, ()), other.examples.get(kind, ())) for kind in kinds},
        _first_few(one.masked, other.masked),
    )


def _first_few(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))[:SHOWN]


def _describe_counts(name: str, counts: TextCounts, rows: int) -> Iterator[Check]:
    if 2 * counts.prose > counts.filled:
        yield _describe_prose(name, counts.filled / rows, counts.words / counts.filled, counts.masked)
    for kind, found in counts.kinds.items():
        yield _describe_pii(name, kind, found / rows, rows, counts.examples[kind])


def _find_pii(cells: Sequence[str]) -> dict[str, list[str | None]]:
    """For each kind of personal data, what matches in each cell."""
    distinct = list(dict.fromkeys(cells))
    matches = {kind: [find(cell) for cell in distinct] for kind, find in PII_PATTERNS.items()}
    matches["names of persons"] = find_person_names(distinct)
    place = {cell: number for number, cell in enumerate(distinct)}
    return {kind: [hits[place[cell]] for cell in cells] for kind, hits in matches.items()}


def _check_column(name: str, cells: Sequence[str], columns: int) -> Iterator[Check]:
    filled, longest = sum(map(bool, cells)) / len(cells), [longest_string(cell) for cell in cells]
    if is_prose(longest):
        words = float(np.mean([len(cell.split()) for cell in longest if cell]))
        yield _describe_prose(name, filled, words, _mask_examples(longest))
    yield from _check_pii(name, _sample_cells([cell[:LONGEST] for cell in cells], columns))


def _describe_prose(name: str, filled: float, words: float, examples: tuple[str, ...]) -> Check:
    return Check(
        "plaintext",
        "warning",
        f"Column '{name}' contains plain text in {filled:.0%} of rows, {words:.0f} words on average. Whoever can "
        "read the store can read it, without any attack on the vectors.",
        {"share": filled, "words": words},
        examples,
    )


def _check_pii(name: str, cells: Sequence[str]) -> Iterator[Check]:
    for kind, hits in _find_pii(cells).items():
        share = sum(hit is not None for hit in hits) / len(cells)
        if share:
            yield _describe_pii(name, kind, share, len(cells), _mask_examples([hit or "" for hit in hits]))


def _describe_pii(name: str, kind: str, share: float, rows: int, examples: tuple[str, ...]) -> Check:
    return Check(
        "personal",
        "note" if kind in MINOR else "warning",
        f"Column '{name}' contains {kind} in plain text in {_percent(share)} of rows.",
        {"share": share, "rows": rows},
        examples,
    )


def _describe_absence(columns: int, absent: str) -> str:
    if not columns:
        return f"Only vectors are stored: {absent} in plain text."
    return f"Stored with the vectors: {columns:,} column{'s' if columns > 1 else ''}, with {absent} in plain text."


def _sample_cells(cells: Sequence[str], columns: int) -> list[str]:
    """Cells spread evenly over a column, as many as its share of the search allows."""
    length = max(sum(map(len, cells)) / len(cells), CHARACTERS / CELLS)
    most = max(FEWEST_ROWS, int(CHARACTERS / columns / length))
    rows = np.linspace(0, len(cells) - 1, num=min(most, len(cells)), dtype=int)
    return [cells[row] for row in rows.tolist()]


def _mask_examples(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mask(cell) for cell in cells if cell))[:SHOWN]


def _percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


def collect_strings(name: str, values: Sequence[Any]) -> dict[str, list[str]]:
    """The strings of a column by path, one cell per row: `name` if it is plain, such as `name.author.email` if nested.

    The strings of a list share a cell. Strings beyond the most paths are collected under the name of the column.
    """
    strings: dict[str, list[str]] = {}
    for row, value in enumerate(values):
        for path, text in islice(_walk(name, value), MOST_STRINGS):
            known = path in strings or len(strings) < MOST_PATHS
            cells = strings.setdefault(path if known else name, [""] * len(values))
            cells[row] = f"{cells[row]}{SEPARATOR}{text}" if cells[row] else text
    return strings


def longest_string(cell: str) -> str:
    """The longest string of a list, since many short strings do not make a text."""
    return max(cell.split(SEPARATOR), key=len)


def _walk(path: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    value = _parse_json(value)
    if isinstance(value, Mapping | list | tuple):
        if depth == DEEPEST:
            yield path, str(value)
            return
        for inner_path, inner in _list_inner(path, value):
            yield from _walk(inner_path, inner, depth + 1)
    elif isinstance(value, str) and value.strip():
        yield path, value.strip()


def _list_inner(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield from ((path, inner) for inner in value)
        return
    for key, inner in value.items():
        is_data = _is_data(str(key))
        if is_data:
            yield f"{path}.*", str(key)
        yield f"{path}.{'*' if is_data else key}", inner


def _is_data(key: str) -> bool:
    """Whether a key may be personal data rather than a name that a report may show."""
    return _NAME.fullmatch(key) is None or any(find(key) for find in PII_PATTERNS.values())


def _parse_json(value: Any) -> Any:
    """A mapping or list that a database stores as JSON text; any other value as it is."""
    if not isinstance(value, str) or value[:1] + value[-1:] not in ("{}", "[]"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
