"""Read the tables of a defense that is judged by its output: raw rows, protected rows, and protected queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vestige.case.settings import Settings
from vestige.case.source import describe_source
from vestige.defend.recorded import RecordedMap
from vestige.errors import InputError
from vestige.stores.arrow_columns import as_vectors
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.vector_checks import as_checked_vectors
from vestige.types import Vectors

VectorSource = str | Path | npt.ArrayLike


@dataclass(frozen=True)
class RecordedTable:
    """All rows of a source, with their ids where it has any; `called` names it in messages."""

    called: str
    vectors: Vectors
    ids: list[str] | None

    def __len__(self) -> int:
        return len(self.vectors)


def read_recorded(
    raw: VectorSource, protected: VectorSource, queries: VectorSource | None, settings: Settings
) -> RecordedMap:
    """The tables, each with one row per text: matched by id where both have ids, else by their order."""
    before = _read_table("RAW", raw, settings.vector_column, settings.id_column)
    after = match_rows(before, _read_table("PROTECTED", protected, None, None))
    asked = None if queries is None else match_rows(before, _read_table("the protected queries", queries, None, None))
    if asked is not None and asked.shape[1] != after.shape[1]:
        raise InputError(
            f"PROTECTED has {after.shape[1]} columns but the protected queries have {asked.shape[1]}; expected as "
            "many, since a query is compared with the rows; give both in the form in which they are compared"
        )
    return RecordedMap(before.vectors, after, asked)


def match_rows(before: RecordedTable, after: RecordedTable) -> Vectors:
    """The rows of the second table in the order of the first."""
    if before.ids is not None and after.ids is not None:
        return after.vectors[_find_rows(before.ids, after.ids, after.called)]
    if len(after) != len(before):
        raise InputError(
            f"RAW has {len(before)} rows but {after.called} {'has' if after.called == 'PROTECTED' else 'have'} "
            f"{len(after)}; expected the same texts in the same order; protect every row, or give stores with ids"
        )
    return after.vectors


def _find_rows(wanted: Sequence[str], ids: Sequence[str], called: str) -> list[int]:
    if list(wanted) == list(ids):
        return list(range(len(ids)))
    places = {key: row for row, key in enumerate(ids)}
    if len(places) < len(ids) or len(set(wanted)) < len(wanted):
        raise InputError(f"ids occur twice in RAW or {called}, in another order; expected each once; drop the copies")
    missing = [key for key in wanted if key not in places]
    if missing:
        raise InputError(
            f"{called} has no row with the id {missing[0]!r}, and lacks {len(missing)} of {len(wanted)} ids of RAW; "
            "expected every id of RAW; protect every row, or drop these from RAW"
        )
    return [places[key] for key in wanted]


def _read_table(called: str, source: VectorSource, column: str | None, id_column: str | None) -> RecordedTable:
    if not isinstance(source, str | Path):
        return RecordedTable(called, as_checked_vectors(source, "vectors"), None)
    with open_store(source, Columns(column, id_column)) as store:
        found, place = store.describe().columns, describe_source(source)
        if found.ids is None:
            return RecordedTable(called, as_checked_vectors(store.vectors(), place), None)
        ids: list[str] = []
        parts: list[Vectors] = []
        for batch in store.batches():
            ids += map(str, store.list_values(batch, found.ids))
            parts.append(as_vectors(batch.column(found.vectors), place))
    return RecordedTable(called, as_checked_vectors(np.concatenate(parts), place), ids)
