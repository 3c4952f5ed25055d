"""A uniform sample of a table of PostgreSQL that reads about as many pages as it gives rows."""

from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.pg_session import Session
from vestige.stores.table import Places, drawn

LISTED_PAGES = 4096
RANGES_SINCE = 140_000
SPARE = 16


def as_place(tid: str) -> int:
    """The place of a row from its page and line, "(page,line)"."""
    page, line = tid[1:-1].split(",")
    return int(page) << 16 | int(line)


def as_tid(place: int) -> str:
    """The page and line of a place."""
    return f"({place >> 16},{place & 0xFFFF})"


def draw_places(
    session: Session, table: Any, n: int, rng: np.random.Generator, *, pages: int, rows: int
) -> tuple[Places, int]:
    """The places of `n` rows, and how many pages were read for it.

    The rows of a small table are listed, and some of them drawn. Of a large one pages are drawn, each gives one
    of its rows or none, and does so the likelier the fuller it is, so that all rows are equally likely.
    """
    if pages <= LISTED_PAGES or n * 4 > rows:
        return _listed(session, table, n, rng), pages
    if session.connection.info.server_version < RANGES_SINCE:
        raise InputError(f"{session.place} is older than PostgreSQL 14 and the table is large; sample a copy of it")
    return _by_pages(session, table, n, rng, pages)


def _listed(session: Session, table: Any, n: int, rng: np.random.Generator) -> Places:
    from psycopg import sql

    found = session.ask(sql.SQL("SELECT ctid::text FROM {}").format(table))
    places = np.sort(np.array([as_place(tid) for (tid,) in found], dtype=np.int64))
    return places[drawn(len(places), n, rng)]


def _by_pages(session: Session, table: Any, n: int, rng: np.random.Generator, pages: int) -> tuple[Places, int]:
    from psycopg import sql

    query = sql.SQL("SELECT ctid::text FROM {} WHERE ctid >= %s::tid AND ctid < %s::tid").format(table)
    lines: list[list[int]] = []
    heights = np.empty(0)
    found: list[int] = []
    while len(found) < n:
        blocks = rng.integers(pages, size=n - len(found) + SPARE)
        answers = session.ask_each(query, [(f"({block},0)", f"({block + 1},0)") for block in blocks.tolist()])
        lines += [sorted(as_place(tid) for (tid,) in answer) for answer in answers]
        heights = np.append(heights, rng.random(len(blocks)))
        found = one_a_page(lines, heights)
    return np.sort(np.array(found[:n], dtype=np.int64)), len(lines)


def one_a_page(pages: list[list[int]], heights: Any) -> list[int]:
    """The row of each page that its height, from 0 to 1, falls on, if it falls on any; the fullest page is all rows.

    A row that comes twice counts once.
    """
    fullest = max(map(len, pages), default=0)
    chosen = [(page, int(height * fullest)) for page, height in zip(pages, heights, strict=True)]
    return list(dict.fromkeys(page[line] for page, line in chosen if line < len(page)))
