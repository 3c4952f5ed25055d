"""One way to look into any store: what is in it, a sample of it, all of it."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_vectors import as_column, as_vectors, form_of
from vestige.stores.checks import check_embeddings, check_finite
from vestige.stores.records import Columns, Description, Sample
from vestige.stores.roles import find_columns
from vestige.stores.table import Table
from vestige.text.survey import as_text
from vestige.types import Vectors

WHOLE = 2**14


class Store:
    """A table of vectors, with what was found out about its columns. Nothing in it is ever changed.

    Close it after use, or use it in a `with`.
    """

    def __init__(self, table: Table, columns: Columns | None = None) -> None:
        self._table = table
        try:
            if table.rows == 0:
                raise InputError(f"{table.place} is empty; expected at least one vector")
            self._columns, found = find_columns(table.schema, columns or Columns(), table.place)
        except InputError:
            table.close()
            raise
        self._guessed = (*table.guessed, *found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of files and connections."""
        self._table.close()

    def describe(self) -> Description:
        """What lies here, told from the store's own books, or from one row where they say too little."""
        table, name = self._table, self._vector_name
        kind = table.schema.field(name).type
        dimension = getattr(kind, "list_size", None)
        if dimension is None:
            places, _ = table.draw(1, np.random.default_rng(0))
            dimension = as_vectors(table.take(places, [name])[name], self._vector_place).shape[1]
        form = table.form(name) or form_of(kind)
        return Description(table.place, table.rows, table.exact, dimension, form, self._columns, self._guessed)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in the store's own order."""
        return tuple(self._table.schema.names)

    def sample(self, n: int, rng: np.random.Generator, *, plain: bool = False) -> Sample:
        """`n` rows, each as likely as any other of the whole store; all of them where it has no more.

        Vectors that no encoder makes are refused, but for `plain` ones: finite numbers.
        """
        sample = self.look(n, rng)
        check = check_finite if plain else check_embeddings
        check(sample.vectors, self._vector_place, sample.numbers or sample.ids)
        return sample

    def look(self, n: int, rng: np.random.Generator) -> Sample:
        """The rows that `sample` gives, whatever their vectors hold: NaN, zeros, one vector over and over."""
        if n < 1:
            raise InputError(f"a sample of {n} rows was asked for; expected at least one")
        before = self._table.bytes_read
        places, clustered = self._table.draw(n, rng)
        rows = self._table.take(places, self._names)
        after = self._table.bytes_read
        ids, texts = self._columns.ids, self._columns.texts
        own = rows[ids].to_pylist() if ids else places.tolist()
        by_place = self._table.numbered == "place"
        vectors = as_vectors(rows[self._vector_name], self._vector_place, places.tolist() if by_place else own)
        return Sample(
            vectors=vectors,
            ids=list(map(str, own)),
            texts=[as_text(value) for value in rows[texts].to_pylist()] if texts else None,
            attributes={name: rows[name].to_pylist() for name in self._columns.attributes or ()},
            bytes_read=None if before is None or after is None else after - before,
            clustered=clustered,
            numbers=places.tolist() if by_place else _whole(own),
            payload={name: rows[name].to_pylist() for name in self._columns.payload},
        )

    def batches(self, size: int = 4096, *, every_column: bool = False) -> Iterator[Any]:
        """All rows in order as Arrow record batches, under the store's own names; the vectors are float32.

        With `every_column`, those come too that are neither vectors, ids, texts nor attributes.
        """
        done = 0
        for rows, vectors in self._parts(size, list(self.columns) if every_column else self._names):
            check_finite(vectors, self._vector_place, range(done, done + len(vectors)))
            done += len(vectors)
            place = rows.schema.get_field_index(self._vector_name)
            yield from rows.set_column(place, self._vector_name, as_column(vectors)).combine_chunks().to_batches()

    def vectors(self) -> Vectors:
        """All vectors in order, and nothing else of the store."""
        return np.concatenate([vectors for _, vectors in self._parts(WHOLE, [self._vector_name])])

    def _parts(self, size: int, names: list[str]) -> Iterator[tuple[Any, Vectors]]:
        """Runs of rows with their vectors, as long as these are of one length."""
        dimension, done = None, 0
        for rows in self._table.batches(size, names):
            numbers = range(done, done + rows.num_rows)
            vectors = as_vectors(rows[self._vector_name], self._vector_place, numbers)
            done += rows.num_rows
            dimension = dimension or vectors.shape[1]
            if vectors.shape[1] != dimension:
                found = f"vectors of {dimension} and then of {vectors.shape[1]} numbers"
                raise InputError(f"{self._vector_place} holds {found}; expected lists of one length, mend the others")
            yield rows, vectors

    @property
    def _vector_name(self) -> str:
        assert self._columns.vectors is not None
        return self._columns.vectors

    @property
    def _vector_place(self) -> str:
        return f"{self._table.place} column '{self._vector_name}'" if len(self._table.schema) > 1 else self._table.place

    @property
    def _names(self) -> list[str]:
        found = self._columns
        ordered = (found.ids, found.vectors, found.texts, *(found.attributes or ()), *found.payload)
        return list(dict.fromkeys(name for name in ordered if name is not None))


def _whole(ids: list[Any]) -> list[int] | None:
    """Ids as numbers, where all of them are such."""
    return [int(each) for each in ids] if all(str(each).isdecimal() for each in ids) else None
