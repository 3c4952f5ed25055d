"""A uniform sample of tables of PostgreSQL that reads about as many pages as it gives rows."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.pg_catalog import Part
from vestige.stores.pg_session import Session
from vestige.stores.table import Places, drawn

LISTED_PAGES = 4096
RANGES_SINCE = 140_000
SPARE = 16


def as_place(part: int, tid: str) -> int:
    """The place of a row from the number of its part, its page and line, "(page,line)"."""
    page, line = tid[1:-1].split(",")
    return part << 48 | int(page) << 16 | int(line)


def as_tid(place: int) -> str:
    """The page and line of a place."""
    return f"({place >> 16 & 0xFFFFFFFF},{place & 0xFFFF})"


def by_part(places: Sequence[int], parts: Sequence[Part]) -> Iterator[tuple[int, Any, list[int]]]:
    """The number and the name of each part that holds any of the places, and those."""
    for number, part in enumerate(parts):
        held = [place for place in places if place >> 48 == number]
        if held:
            yield number, _named(part), held


def draw_places(
    session: Session, parts: Sequence[Part], n: int, rng: np.random.Generator, *, rows: int
) -> tuple[Places, int]:
    """The places of `n` rows, and how many pages were read for it.

    The rows of small tables are listed, and some of them drawn. Of large ones pages are drawn, each gives one
    of its rows or none, and does so the likelier the fuller it is, so that all rows are equally likely.
    """
    pages = sum(part.pages for part in parts)
    if pages <= LISTED_PAGES or n * 4 > rows:
        return _listed(session, parts, n, rng), pages
    if session.connection.info.server_version < RANGES_SINCE:
        raise InputError(f"{session.place} is older than PostgreSQL 14 and the table is large; sample a copy of it")
    return _by_pages(session, parts, n, rng)


def _listed(session: Session, parts: Sequence[Part], n: int, rng: np.random.Generator) -> Places:
    from psycopg import sql

    query = sql.SQL("SELECT ctid::text FROM ONLY {}")
    found = [
        as_place(number, tid) for number, part in enumerate(parts) for (tid,) in session.ask(query.format(_named(part)))
    ]
    places = np.sort(np.array(found, dtype=np.int64))
    return places[drawn(len(places), n, rng)]


def _by_pages(session: Session, parts: Sequence[Part], n: int, rng: np.random.Generator) -> tuple[Places, int]:
    pages = sum(part.pages for part in parts)
    lines: list[list[int]] = []
    heights = np.empty(0)
    found: list[int] = []
    while len(found) < n:
        blocks = rng.integers(pages, size=n - len(found) + SPARE)
        lines += _rows_on(session, parts, blocks)
        heights = np.append(heights, rng.random(len(blocks)))
        found = one_a_page(lines, heights)
    return np.sort(np.array(found[:n], dtype=np.int64)), len(lines)


def _rows_on(session: Session, parts: Sequence[Part], blocks: Places) -> list[list[int]]:
    """The places of the rows on each of these pages, in their order; pages are counted from one part to the next."""
    from psycopg import sql

    query = sql.SQL("SELECT ctid::text FROM ONLY {} WHERE ctid >= %s::tid AND ctid < %s::tid")
    starts = np.cumsum([0, *(part.pages for part in parts)])
    homes = np.searchsorted(starts, blocks, side="right") - 1
    lines: list[list[int]] = [[]] * len(blocks)
    for number in np.unique(homes).tolist():
        own = np.flatnonzero(homes == number)
        pages = [(f"({page},0)", f"({page + 1},0)") for page in (blocks[own] - starts[number]).tolist()]
        answers = session.ask_each(query.format(_named(parts[number])), pages)
        for place, answer in zip(own.tolist(), answers, strict=True):
            lines[place] = sorted(as_place(number, tid) for (tid,) in answer)
    return lines


def one_a_page(pages: list[list[int]], heights: Any) -> list[int]:
    """The row of each page that its height, from 0 to 1, falls on, if it falls on any; the fullest page is all rows.

    A row that comes twice counts once.
    """
    fullest = max(map(len, pages), default=0)
    chosen = [(page, int(height * fullest)) for page, height in zip(pages, heights, strict=True)]
    return list(dict.fromkeys(page[line] for page, line in chosen if line < len(page)))


def _named(part: Part) -> Any:
    from psycopg import sql

    return sql.Identifier(part.schema, part.table)
