"""Tables of numpy arrays, or of what can be cut as they are: a matrix is a column of vectors, a line a column."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_vectors import as_column
from vestige.stores.checks import check_table
from vestige.stores.table import Places, Table


class ArrayTable(Table):
    """Columns of one length. Rows are cut out of arrays where they lie, in memory or in a mapped file."""

    def __init__(self, place: str, arrays: Mapping[str, Any]) -> None:
        import pyarrow as pa

        self.place = place
        self._arrays = arrays
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"{place} has arrays of different lengths ({shown}); expected one row a vector in each")
        self.rows = next(iter(lengths.values()), 0)
        for name, array in arrays.items():
            if len(array.shape) != 1:
                check_table(array, place if len(arrays) == 1 else f"{place} array '{name}'")
        self.schema = pa.schema([(name, _column(array[:1]).type) for name, array in arrays.items()])

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows, cut out of the arrays."""
        return self._cut(places, names)

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Slices, which a mapped file is not copied for."""
        for start in range(0, self.rows, size):
            yield self._cut(slice(start, start + size), names)

    def _cut(self, rows: Places | slice, names: Sequence[str]) -> Any:
        import pyarrow as pa

        cut = {name: self._arrays[name][rows] for name in names}
        if self.bytes_read is not None:
            self.bytes_read += sum(part.nbytes for part in cut.values())
        return pa.table({name: _column(part) for name, part in cut.items()})


def _column(rows: Any) -> Any:
    import pyarrow as pa

    if rows.ndim == 2:
        return as_column(rows)
    if rows.dtype.kind in "SO":
        return pa.array([value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in rows])
    return pa.array(np.asarray(rows))
