"""A store of vectors, open for reading: describe it, draw a sample, or read all of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_columns import as_column, as_vectors, dtype_name, find_code, list_values
from vestige.stores.columns import Columns, find_columns
from vestige.stores.content_sample import SCANNED_ROWS, ContentSample
from vestige.stores.sample import Description, Sample
from vestige.stores.table import VectorTable
from vestige.stores.vector_checks import check_embeddings, check_finite
from vestige.text.columns import is_prose, to_text
from vestige.types import Vectors

ROWS_AT_ONCE = 2**14
PROSE_ROWS = 1000


TextsOf = Callable[[Sequence[str], Sequence[int] | None], Sequence[str] | None]
"""The texts of rows that a separate file holds, by their ids and numbers; None if they cannot be matched."""


class Store:
    """A table of vectors whose columns have known roles. It is read-only.

    Close it after use, or use it in a `with` statement.
    """

    def __init__(self, table: VectorTable, columns: Columns | None = None) -> None:
        self._table = table
        try:
            if table.rows == 0:
                raise InputError(f"{table.place} is empty; expected at least one vector")
            self._columns, guessed = find_columns(table.schema, columns or Columns(), table.place)
            self._code = find_code(table.schema.field(self._vector_name), self._vector_place)
        except InputError:
            table.close()
            raise
        self._guessed = (*table.guessed, *guessed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release files and connections."""
        self._table.close()

    def describe(self) -> Description:
        """Describe the store from its metadata, and from one row where they do not give the dimension."""
        table, name = self._table, self._vector_name
        kind = table.schema.field(name).type
        dimension = getattr(kind, "list_size", None) if self._code is None else self._code.dimension
        if dimension is None:
            positions, _ = table.draw(1, np.random.default_rng(0))
            dimension = as_vectors(table.take(positions, [name])[name], self._vector_place).shape[1]
        form = table.form(name) or dtype_name(kind) if self._code is None else self._code.form
        return Description(table.place, table.rows, table.exact, dimension, form, self._columns, self._guessed)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in the store's own order."""
        return tuple(self._table.schema.names)

    def sample(self, n: int, rng: np.random.Generator, *, plain: bool = False) -> Sample:
        """Draw `n` rows uniformly over the whole store; all of them if it has no more.

        Raise on vectors that no encoder produces; with `plain`, only on NaN and infinity.
        """
        sample = self.sample_unchecked(n, rng)
        check = check_finite if plain else check_embeddings
        check(sample.vectors, self._vector_place, sample.numbers or sample.ids)
        return sample

    @property
    def layout(self) -> Any:
        """What opens the store in another process without reading its metadata again; None if there is nothing."""
        return self._table.layout

    @property
    def draws_by_content(self) -> bool:
        """Whether `sample_by_content` reads all rows; of a very large store, rows are drawn by position."""
        return self._table.exact and self._table.rows <= SCANNED_ROWS

    def sample_by_content(
        self, n: int, seed: int, texts_of: TextsOf | None = None, *, unchecked: bool = False
    ) -> Sample:
        """Draw `n` rows by what they hold, so that any kind of store and any order of rows give the same ones.

        The text of a row is its own, or what `texts_of` says. Raise on vectors that no encoder produces, unless
        `unchecked`.
        """
        rng = np.random.default_rng([seed, n])
        sample = self._scan(n, seed, texts_of) if self.draws_by_content else self.sample_unchecked(n, rng)
        if not unchecked:
            check_embeddings(sample.vectors, self._vector_place, sample.numbers or sample.ids)
        return sample

    def _scan(self, n: int, seed: int, texts_of: TextsOf | None) -> Sample:
        """Read all rows, and draw `n` of them by what they hold."""
        table = self._table
        before, drawn, number = table.bytes_read, ContentSample(n, seed, table.place), 0
        own = self._columns.texts is not None and texts_of is None and self._has_prose()
        for rows, vectors in self._read_all(ROWS_AT_ONCE, self._names):
            ids, numbers = self._list_ids(rows, np.arange(number, number + len(vectors)))
            texts = texts_of(ids, numbers) if texts_of is not None else None
            if own:
                texts = self._list_texts(rows)
            drawn.add(rows, vectors, texts)
            number += len(vectors)
        sample = self._build_sample(drawn.collect(), drawn.numbers)
        return replace(sample, bytes_read=_subtract(table.bytes_read, before))

    def _has_prose(self) -> bool:
        """Whether the column that holds the texts was named by the user, or its first rows read like prose."""
        if "texts" not in self._guessed:
            return True
        rows = next(iter(self._table.batches(PROSE_ROWS, [str(self._columns.texts)])))
        return is_prose(self._list_texts(rows))

    def sample_unchecked(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw the same rows as `sample`, whatever their vectors hold: NaN, zeros, or one vector in every row."""
        if n < 1:
            raise InputError(f"a sample of {n} rows was requested; expected at least one")
        before = self._table.bytes_read
        positions, clustered = self._table.draw(n, rng)
        rows = self._table.take(positions, self._names)
        sample = self._build_sample(rows, positions)
        return replace(sample, bytes_read=_subtract(self._table.bytes_read, before), clustered=clustered)

    def _build_sample(self, rows: Any, positions: Any) -> Sample:
        """The sample of these rows, as the table gives them."""
        ids, _ = self._list_ids(rows, positions)
        labels = positions.tolist() if self._table.row_numbers == "position" else ids
        return self.build_sample(rows, positions, self._get_vectors(rows, labels))

    def build_sample(self, rows: Any, positions: Any, vectors: Vectors) -> Sample:
        """The sample of these rows with their vectors; positions are row numbers in a store that numbers them so."""
        ids, numbers = self._list_ids(rows, positions)
        columns = self._columns
        return Sample(
            vectors=vectors,
            ids=ids,
            texts=self._list_texts(rows) if columns.texts else None,
            attributes={name: self.list_values(rows, name) for name in columns.attributes or ()},
            bytes_read=None,
            numbers=numbers,
            payload={name: self.list_values(rows, name) for name in columns.payload},
        )

    def list_values(self, rows: Any, name: str) -> list[Any]:
        """The values of a column of these rows; raise if its text is not UTF-8."""
        return list_values(rows.column(name), f"{self._table.place} column '{name}'")

    def _list_texts(self, rows: Any) -> list[str]:
        return [to_text(value) for value in self.list_values(rows, str(self._columns.texts))]

    def _list_ids(self, rows: Any, positions: Any) -> tuple[list[str], list[int] | None]:
        """The ids of rows, and their row numbers in a separate file of texts, if they have any."""
        ids = self._columns.ids
        keys = self.list_values(rows, ids) if ids else positions.tolist()
        by_position = self._table.row_numbers == "position"
        return list(map(str, keys)), positions.tolist() if by_position else _as_numbers(keys)

    @property
    def metadata_columns(self) -> tuple[str, ...]:
        """The columns besides the vectors that a sample holds."""
        return tuple(name for name in self._names if name != self._vector_name)

    def batches(self, size: int = 4096, *, every_column: bool = False) -> Iterator[Any]:
        """Yield all rows in order as Arrow record batches, under the store's column names; the vectors are float32.

        With `every_column`, include columns that are neither vectors, ids, texts nor attributes.
        """
        done = 0
        for rows, vectors in self._read_all(size, list(self.columns) if every_column else self._names):
            check_finite(vectors, self._vector_place, range(done, done + len(vectors)))
            done += len(vectors)
            yield from self._with_vectors(rows, vectors)

    def cut(self, rows: int) -> list[tuple[int, int]]:
        """Cut the store into ranges of about so many rows, at the places where that costs least."""
        return self._table.cut(rows)

    def read(
        self, start: int, stop: int, size: int, *, every_column: bool = True, unchecked: bool = False
    ) -> Iterator[Any]:
        """Yield the rows from `start` to `stop`, a range of `cut`, as `batches` does; `unchecked`, also NaN."""
        for rows in self._table.read(start, stop, size, list(self.columns) if every_column else self._names):
            numbers = range(start, start + rows.num_rows)
            vectors = self._get_vectors(rows, numbers)
            if not unchecked:
                check_finite(vectors, self._vector_place, numbers)
            start += rows.num_rows
            yield from self._with_vectors(rows, vectors)

    def check_files(self, start: int, stop: int) -> None:
        """Raise `SourceChanged` if a file with rows from `start` to `stop` has changed since the store was opened."""
        self._table.check_files(start, stop)

    def _with_vectors(self, rows: Any, vectors: Vectors) -> Iterator[Any]:
        """The rows with their vectors as float32, as record batches."""
        index = rows.schema.get_field_index(self._vector_name)
        yield from rows.set_column(index, self._vector_name, as_column(vectors)).combine_chunks().to_batches()

    def vectors(self) -> Vectors:
        """Read all vectors in order, and no other column."""
        return np.concatenate([vectors for _, vectors in self._read_all(ROWS_AT_ONCE, [self._vector_name])])

    def _read_all(self, size: int, names: list[str]) -> Iterator[tuple[Any, Vectors]]:
        """Yield runs of rows with their vectors. Raise if the vectors change in length."""
        dimension, done = None, 0
        for rows in self._table.batches(size, names):
            numbers = range(done, done + rows.num_rows)
            vectors = self._get_vectors(rows, numbers)
            done += rows.num_rows
            dimension = dimension or vectors.shape[1]
            if vectors.shape[1] != dimension:
                raise InputError(
                    f"{self._vector_place} holds vectors of {dimension} and then of {vectors.shape[1]} numbers; "
                    "expected lists of one length, correct the others"
                )
            yield rows, vectors

    def _get_vectors(self, rows: Any, labels: Sequence[object]) -> Vectors:
        """The vectors of these rows; codes become the numbers that they stand for."""
        stored = as_vectors(rows[self._vector_name], self._vector_place, labels)
        return stored if self._code is None else self._code.decode(stored.astype(self._code.dtype))

    @property
    def _vector_name(self) -> str:
        assert self._columns.vectors is not None
        return self._columns.vectors

    @property
    def _vector_place(self) -> str:
        return f"{self._table.place} column '{self._vector_name}'" if len(self._table.schema) > 1 else self._table.place

    @property
    def _names(self) -> list[str]:
        columns = self._columns
        ordered = (columns.ids, columns.vectors, columns.texts, *(columns.attributes or ()), *columns.payload)
        return list(dict.fromkeys(name for name in ordered if name is not None))


def _subtract(after: int | None, before: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _as_numbers(ids: list[Any]) -> list[int] | None:
    """Convert ids to numbers if all of them are."""
    return [int(key) for key in ids] if all(str(key).isdecimal() for key in ids) else None
