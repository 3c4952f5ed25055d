"""Defend the vectors of any store block by block, and write the blocks to one parquet or .npy file."""

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from vestige.errors import UnusableRows
from vestige.files import parts_folder, write_whole
from vestige.protect.treatment import Treatment, describe_array
from vestige.stores.arrow_columns import add_code, as_column, as_vectors
from vestige.stores.store import Store
from vestige.stores.write import write_tables, write_vectors
from vestige.types import Progress, Vectors, silent

BLOCK_VALUES = 2**22


def protect_store(store: Store, out: Path, treatment: Treatment, *, progress: Progress = silent) -> int:
    """Write the treated vectors in the order of the store, other columns unchanged; return the number of rows.

    The file of a block is named by a digest of the treatment and of the block's rows, so a run that was stopped resumes
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
                path = parts / f"{len(blocks):08d}-{_compute_digest(treatment, batch, rows)}.arrow"
                if not path.exists():
                    write_whole(path, _protect_batch(treatment, batch, name, rows))
                blocks.append(path)
                rows += len(batch)
                advance(len(batch))
        except UnusableRows:
            for path in parts.glob("*.arrow"):
                path.unlink()
            raise
        if out.suffix == ".npy":
            vectors = (_get_vectors(_load_table(path), name).astype(treatment.dtype) for path in blocks)
            describe_array(out, treatment.code)
            write_vectors(out, vectors, total=rows, scratch=parts / "whole")
        else:
            write_tables(out, [partial(_load_table, path) for path in blocks], scratch=parts / "whole")
    return rows


def _protect_batch(treatment: Treatment, batch: Any, name: str, start: int) -> bytes:
    """Treat the vectors of a batch, and serialize it as an Arrow file."""
    import pyarrow as pa

    index = batch.schema.get_field_index(name)
    column = as_column(treatment.apply(_get_vectors(batch, name), start))
    field = pa.field(name, column.type)
    table = pa.Table.from_batches([batch]).set_column(
        index, field if treatment.code is None else add_code(field, treatment.code), column
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _compute_digest(treatment: Treatment, batch: Any, start: int) -> str:
    digest = hashlib.sha256(f"{treatment.digest} {start} {batch.schema}".encode())
    digest.update(batch.serialize())
    return digest.hexdigest()[:32]


def _load_table(path: Path) -> Any:
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _get_vectors(rows: Any, name: str) -> Vectors:
    return as_vectors(rows.column(name), name)
