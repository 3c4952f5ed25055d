"""Vectors in Arrow's own files (.arrow, .feather), mapped into memory and read a record batch at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_vectors import is_vector
from vestige.stores.table import Places, Table


class ArrowTable(Table):
    """A file of record batches; those that hold a row asked for are read, and of them the columns asked for."""

    bytes_read = None

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self.place = str(path)
        try:
            self._source = pa.memory_map(str(path))
            reader = pa.ipc.open_file(self._source)
            self.schema = reader.schema
            light = [field.name for field in self.schema if not is_vector(field.type)][:1] or self.schema.names[:1]
            sizes = [self._batch(batch, light).num_rows for batch in range(reader.num_record_batches)]
        except (pa.ArrowException, OSError) as error:
            raise InputError(
                f"{path} is not a whole Arrow file ({error}); expected the file format, not a stream"
            ) from error
        self._starts = np.cumsum([0, *sizes])
        self.rows = int(self._starts[-1])

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows out of each record batch that holds any of them."""
        import pyarrow as pa

        home = np.searchsorted(self._starts, places, side="right") - 1
        parts = [
            self._batch(int(b), names).take(pa.array(places[home == b] - self._starts[b])) for b in np.unique(home)
        ]
        return pa.Table.from_batches(parts).select(list(names))

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """One record batch in memory at a time."""
        import pyarrow as pa

        for batch in range(len(self._starts) - 1):
            rows = pa.Table.from_batches([self._batch(batch, names)]).select(list(names))
            for start in range(0, len(rows), size):
                yield rows.slice(start, size)

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def _batch(self, number: int, names: Sequence[str]) -> Any:
        import pyarrow as pa

        fields = sorted(self.schema.get_field_index(name) for name in names)
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        return pa.ipc.open_file(self._source, options=options).get_batch(number)
