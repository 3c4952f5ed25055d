"""Defend the vectors of any source in parts, each read and written by itself."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import vestige
from vestige.engine.folders import Folder, LocalFolder
from vestige.engine.job import Engine, Job, SourceChanged
from vestige.engine.parts import Part, PartRecord, PartsWork, claim, discard, finish, name_parts, run_parts
from vestige.files import parts_folder
from vestige.protect.treatment import Treatment
from vestige.stores.arrow_columns import add_code, as_column, as_vectors
from vestige.stores.columns import Columns
from vestige.stores.dataset_files import is_dataset, show_source
from vestige.stores.load import open_store
from vestige.stores.source_address import is_file
from vestige.stores.source_state import FileState, check_unchanged, digest_state, read_state
from vestige.stores.store import Store
from vestige.stores.write import PARQUET, refuse_types, write_tables, write_vectors
from vestige.types import Advance, Progress, Vectors, silent

BLOCK_VALUES = 2**22
"""Numbers in memory at a time."""

PART_BLOCKS = 4
"""Blocks in a part, where the source does not say where to cut it."""


@dataclass(frozen=True)
class ProtectedTable:
    """A source to protect: its parts, and the state by which a change of it is detected."""

    source: str
    columns: Columns
    vectors: str
    block: int
    parts: tuple[Part, ...]
    state: tuple[FileState, ...] | None
    layout: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def plan(cls, source: str, columns: Columns, store: Store) -> "ProtectedTable":
        """Cut an open source into parts."""
        description = store.describe()
        assert description.columns.vectors is not None
        block = max(1, BLOCK_VALUES // description.dimension)
        parts = tuple(Part(number, *rows) for number, rows in enumerate(store.cut(PART_BLOCKS * block)))
        return cls(source, columns, description.columns.vectors, block, parts, read_state(source), store.layout)

    @property
    def rows(self) -> int:
        """All rows."""
        return self.parts[-1].stop

    @property
    def threads(self) -> bool:
        """Whether several threads may read the source, each for itself; a database is opened once."""
        return is_dataset(self.source) or is_file(self.source)

    def check_unchanged(self, store: Store, part: Part) -> None:
        """Raise if a file that has rows of this part has changed."""
        if is_dataset(self.source):
            store.check_files(part.start, part.stop)
        elif is_file(self.source):
            check_unchanged(self.source, self.state)

    def identify(self, treatment: Treatment, form: str) -> str:
        """A digest of everything that the parts depend on. A server has no state, so its parts are never reused."""
        state = digest_state(self.state) or secrets.token_hex()
        identity = (vestige.__version__, state, self.columns, self.block, self.parts, treatment.digest, form)
        return hashlib.sha256(repr(identity).encode()).hexdigest()


Form = Literal[".arrow", ".parquet"]


@dataclass(frozen=True)
class TableWriter:
    """Writes a part of a table with treated vectors and unchanged other columns."""

    table: ProtectedTable
    treatment: Treatment
    form: Form

    def prepare(self, advance: Advance) -> "_WriteTable":
        """Open the source."""
        check_unchanged(self.table.source, self.table.state)
        table = self.table
        return _WriteTable(self, open_store(table.source, table.columns, table.layout), advance)


class _WriteTable:
    def __init__(self, writer: TableWriter, store: Store, advance: Advance) -> None:
        self._writer, self._store, self._advance = writer, store, advance

    def __call__(self, part: Part, place: Path) -> dict[str, int]:
        table = self._writer.table
        table.check_unchanged(self._store, part)
        try:
            rows = self._write(part, place)
        finally:
            table.check_unchanged(self._store, part)
        self._advance(rows)
        return {"rows": rows}

    def close(self) -> None:
        """Close the source."""
        self._store.close()

    def _write(self, part: Part, place: Path) -> int:
        rows, table = 0, self._writer.table
        with _TableFile(place, self._writer.form) as file:
            for batch in self._store.read(part.start, part.stop, table.block):
                file.write(_treat(self._writer.treatment, batch, table.vectors, part.start + rows))
                rows += len(batch)
        return rows


class _TableFile:
    """An Arrow or parquet file, opened with the schema of its first table; one group of rows per table."""

    def __init__(self, place: Path, form: Form) -> None:
        self._place, self._form = place, form
        self._writer: Any = None

    def __enter__(self) -> "_TableFile":
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def write(self, table: Any) -> None:
        """Add the rows of a table."""
        with refuse_types(self._place):
            self._write(table)

    def _write(self, table: Any) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._writer is None:
            schema = table.schema
            parquet = self._form == ".parquet"
            self._writer = (
                pq.ParquetWriter(self._place, schema, **PARQUET)
                if parquet
                else pa.ipc.new_file(str(self._place), schema)
            )
            self._schema = schema
        self._writer.write_table(table.cast(self._schema))


def _treat(treatment: Treatment, batch: Any, name: str, start: int) -> Any:
    """The rows of a batch, the first of which is row `start`, with treated vectors."""
    import pyarrow as pa

    index = batch.schema.get_field_index(name)
    column = as_column(treatment.apply(_get_vectors(batch, name), start))
    field = pa.field(name, column.type)
    table = pa.Table.from_batches([batch]).set_column(
        index, field if treatment.code is None else add_code(field, treatment.code), column
    )
    return table.replace_schema_metadata(None)


def protect_to_folder(
    table: ProtectedTable,
    folder: Folder,
    treatment: Treatment,
    publish: Callable[[], None],
    *,
    engine: Engine,
    progress: Progress = silent,
) -> int:
    """Write a folder of parquet files, call `publish`, write the manifest; return the number of rows."""
    work = table.identify(treatment, ".parquet")
    with claim(folder, work) as held:
        records = _write_parts(table, held, treatment, ".parquet", work, engine, progress)
        publish()
        finish(held, records, {"version": vestige.__version__, "work": work, "columns": treatment.columns})
    return sum(record.rows for record in records)


def protect_to_file(
    table: ProtectedTable,
    out: Path,
    treatment: Treatment,
    publish: Callable[[], None],
    *,
    engine: Engine,
    progress: Progress = silent,
) -> int:
    """Write one .parquet or .npy file, call `publish` before it appears, and return the number of rows."""
    work = table.identify(treatment, ".arrow")
    with parts_folder(name_parts(out), "_records/0*.json") as parts:
        folder = LocalFolder(parts)
        records = _write_parts(table, folder, treatment, ".arrow", work, engine, progress)
        rows, paths = sum(record.rows for record in records), [parts / record.name for record in records]
        if out.suffix == ".npy":
            blocks = (_get_vectors(load(), table.vectors).astype(treatment.dtype) for load in _list_batches(paths))
            write_vectors(out, blocks, total=rows, scratch=parts / "whole", publish=publish)
        else:
            write_tables(out, list(_list_batches(paths)), scratch=parts / "whole", publish=publish)
    return rows


def _write_parts(
    table: ProtectedTable,
    folder: Folder,
    treatment: Treatment,
    form: Form,
    work: str,
    engine: Engine,
    progress: Progress,
) -> list[PartRecord]:
    advance = progress("protecting", table.rows)
    job = Job(
        PartsWork(folder.absolute(), work, form, TableWriter(table, treatment, form)),
        describe=lambda part: f"{part} of {show_source(table.source)}",
        threads=table.threads,
        repeats=True,
    )
    records = run_parts(engine, job, table.parts, len(table.parts), folder, advance)
    try:
        check_unchanged(table.source, table.state)
    except SourceChanged:
        discard(folder)
        raise
    return records


def _list_batches(paths: list[Path]) -> Iterator[Any]:
    """A function per record batch that loads it, so that one is in memory at a time."""
    for path in paths:
        with _open_arrow(path) as reader:
            count = reader.num_record_batches
        yield from (partial(_load_batch, path, number) for number in range(count))


@contextmanager
def _open_arrow(path: Path) -> Iterator[Any]:
    """Open an Arrow file, mapped into memory."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        yield pa.ipc.open_file(file)


def _load_batch(path: Path, number: int) -> Any:
    import pyarrow as pa

    with _open_arrow(path) as reader:
        return pa.Table.from_batches([reader.get_batch(number)])


def _get_vectors(rows: Any, name: str) -> Vectors:
    return as_vectors(rows.column(name), name)
