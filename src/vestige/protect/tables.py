"""From any store to parquet or .npy: blocks of rows are defended and kept, then written into one file."""

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from vestige.defenses.defense import Defense
from vestige.defenses.saved import digest_of
from vestige.errors import UnusableRows
from vestige.files import parts_folder, write_whole
from vestige.stores.arrow_vectors import as_column, as_vectors
from vestige.stores.store import Store
from vestige.stores.write import write_tables, write_vectors
from vestige.types import Progress, Vectors, silent

BLOCK_VALUES = 2**22


def protect_store(store: Store, out: Path, defense: Defense, *, progress: Progress = silent) -> tuple[int, int]:
    """Rows and columns of what was written, the rows in the order of the store, other columns as they were.

    A block's file is named by the defense and by all that its rows hold, so that what was stopped goes on where it was
    even though a store may have changed in between.
    """
    told = store.describe()
    assert told.columns.vectors is not None
    advance = progress("protecting", told.rows)
    with parts_folder(out.parent / f".{out.name}.parts", "*.arrow") as parts:
        blocks: list[Path] = []
        rows = 0
        try:
            for batch in store.batches(max(1, BLOCK_VALUES // told.dimension), every_column=True):
                place = parts / f"{len(blocks):08d}-{_digest(defense, batch, rows)}.arrow"
                if not place.exists():
                    write_whole(place, _protected(defense, batch, told.columns.vectors, rows))
                blocks.append(place)
                rows += len(batch)
                advance(len(batch))
        except UnusableRows:
            for place in parts.glob("*.arrow"):
                place.unlink()
            raise
        if out.suffix == ".npy":
            vectors = (_vectors(_table(place), told.columns.vectors) for place in blocks)
            columns = write_vectors(out, vectors, total=rows, scratch=parts / "whole").columns
        else:
            columns = _table(blocks[0]).schema.field(told.columns.vectors).type.list_size
            write_tables(out, [partial(_table, place) for place in blocks], scratch=parts / "whole")
    return rows, columns


def _protected(defense: Defense, batch: Any, name: str, start: int) -> bytes:
    """The rows with their vectors defended, as an Arrow file."""
    import pyarrow as pa

    place = batch.schema.get_field_index(name)
    defended = defense.transform(_vectors(batch, name), start=start)
    table = pa.Table.from_batches([batch]).set_column(place, name, as_column(defended))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _digest(defense: Defense, batch: Any, start: int) -> str:
    digest = hashlib.sha256(f"{digest_of(defense)} {start} {batch.schema}".encode())
    digest.update(batch.serialize())
    return digest.hexdigest()[:32]


def _table(place: Path) -> Any:
    import pyarrow as pa

    with pa.memory_map(str(place)) as file:
        return pa.ipc.open_file(file).read_all()


def _vectors(rows: Any, name: str) -> Vectors:
    return as_vectors(rows.column(name), name)
