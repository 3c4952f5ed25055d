"""Defend the vectors of any store block by block, and write the blocks to one parquet or .npy file."""

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from vestige.defenses.defense import Defense
from vestige.defenses.saved import compute_digest
from vestige.errors import UnusableRows
from vestige.files import parts_folder, write_whole
from vestige.stores.arrow_columns import as_column, as_vectors
from vestige.stores.store import Store
from vestige.stores.write import write_tables, write_vectors
from vestige.types import Progress, Vectors, silent

BLOCK_VALUES = 2**22


def protect_store(store: Store, out: Path, defense: Defense, *, progress: Progress = silent) -> tuple[int, int]:
    """Write the defended vectors in the order of the store, other columns unchanged; return their rows and columns.

    The file of a block is named by a digest of the defense and of the block's rows, so a run that was stopped resumes
    correctly even if the store has changed in between.
    """
    description = store.describe()
    name = description.columns.vectors
    assert name is not None
    advance = progress("protecting", description.rows)
    with parts_folder(out.parent / f".{out.name}.parts", "*.arrow") as parts:
        blocks: list[Path] = []
        rows = 0
        try:
            for batch in store.batches(max(1, BLOCK_VALUES // description.dimension), every_column=True):
                path = parts / f"{len(blocks):08d}-{_compute_digest(defense, batch, rows)}.arrow"
                if not path.exists():
                    write_whole(path, _protect_batch(defense, batch, name, rows))
                blocks.append(path)
                rows += len(batch)
                advance(len(batch))
        except UnusableRows:
            for path in parts.glob("*.arrow"):
                path.unlink()
            raise
        if out.suffix == ".npy":
            vectors = (_get_vectors(_load_table(path), name) for path in blocks)
            columns = write_vectors(out, vectors, total=rows, scratch=parts / "whole").columns
        else:
            columns = _load_table(blocks[0]).schema.field(name).type.list_size
            write_tables(out, [partial(_load_table, path) for path in blocks], scratch=parts / "whole")
    return rows, columns


def _protect_batch(defense: Defense, batch: Any, name: str, start: int) -> bytes:
    """Defend the vectors of a batch, and serialize it as an Arrow file."""
    import pyarrow as pa

    index = batch.schema.get_field_index(name)
    defended = defense.transform(_get_vectors(batch, name), start=start)
    table = pa.Table.from_batches([batch]).set_column(index, name, as_column(defended))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _compute_digest(defense: Defense, batch: Any, start: int) -> str:
    digest = hashlib.sha256(f"{compute_digest(defense)} {start} {batch.schema}".encode())
    digest.update(batch.serialize())
    return digest.hexdigest()[:32]


def _load_table(path: Path) -> Any:
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _get_vectors(rows: Any, name: str) -> Vectors:
    return as_vectors(rows.column(name), name)
