"""The columns of a file of texts besides the text, block by block, as Arrow tables with one type per column.

A parquet file has types. Values of a .csv file are strings, and stay so: an id such as 007 is no number. The types of a
.jsonl file are found in a first pass; a column that mixes types becomes strings.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.columns import is_prose
from vestige.text.corpora import TextStream
from vestige.text.formats import Block, find_format, open_parquet, read_blocks


@dataclass(frozen=True, slots=True)
class OtherColumns:
    """Chosen columns of a file, in order, with their Arrow types. Iterating reads the file; one block is in memory.

    `prose` names the columns that hold texts, judging by the first block.
    """

    path: Path
    block: int
    schema: Any
    prose: tuple[str, ...]

    def __iter__(self) -> Iterator[Any]:
        if find_format(self.path) == ".parquet":
            return _read_parquet(self.path, self.block, self.schema.names)
        return (_as_table(block, self.schema, self.path) for block in read_blocks(self.path, self.block))


def find_other_columns(
    stream: TextStream, named: Sequence[str] | None, *, keep_text: bool, taken: str
) -> OtherColumns | None:
    """The columns to keep next to the vectors of a stream: those that are named, or all but the text; None if none are.

    The text column is kept only with `keep_text`. `taken` is the name of the new column of vectors: a column of that
    name is not kept.
    """
    types = _list_types(stream.path, stream.block)
    free = [name for name in types if name not in (stream.text_column, taken)]
    for name in named or ():
        _check_named(stream, name, list(types), taken)
    chosen = free if named is None else list(dict.fromkeys(named))
    if keep_text and named is None:
        chosen = [name for name in types if name != taken]
    elif keep_text:
        chosen = [stream.text_column, *chosen]
    if not chosen:
        return None
    return _build(stream, chosen, types)


def _build(stream: TextStream, chosen: list[str], types: dict[str, Any]) -> OtherColumns:
    import pyarrow as pa

    schema = pa.schema([(name, types[name]) for name in chosen])
    first = next(read_blocks(stream.path, stream.block))
    prose = tuple(name for name in chosen if name != stream.text_column and is_prose(first.column(name)))
    return OtherColumns(stream.path, stream.block, schema, prose)


def _check_named(stream: TextStream, name: str, known: list[str], taken: str) -> None:
    if name == stream.text_column:
        raise InputError(f"'{name}' is the text column of {stream.path} (--columns); keep it with --keep-text")
    if name == taken and name in known:
        raise InputError(f"'{name}' is the name of the new vectors (--columns); rename that column of {stream.path}")
    if name not in known:
        raise InputError(f"{stream.path} has no column '{name}' (--columns); {nearest(name, known)}")


def _list_types(path: Path, block: int) -> dict[str, Any]:
    """The Arrow type of every column, in the order of the file."""
    import pyarrow as pa

    kind = find_format(path)
    if kind == ".parquet":
        with open_parquet(path) as file:
            return {field.name: field.type for field in file.schema_arrow}
    if kind != ".jsonl":
        return dict.fromkeys(next(read_blocks(path, block)).columns, pa.string())
    types: dict[str, Any] = {}
    for rows in read_blocks(path, block):
        for name, values in rows.columns.items():
            types[name] = _unify(types.get(name, pa.null()), values)
    return {name: pa.string() if pa.types.is_null(found) else found for name, found in types.items()}


def _unify(known: Any, values: Sequence[Any]) -> Any:
    """A type that holds the earlier values and these ones; strings where there is no other."""
    import pyarrow as pa

    if pa.types.is_string(known):
        return known
    with suppress(pa.ArrowException, OverflowError, TypeError):
        schemas = [pa.schema([("column", kind)]) for kind in (known, pa.array(values).type)]
        both = pa.unify_schemas(schemas, promote_options="permissive").field(0).type
        pa.array(values, type=both)
        return both
    return pa.string()


def _as_table(block: Block, schema: Any, path: Path) -> Any:
    import pyarrow as pa

    columns = []
    for field in schema:
        values = block.column(field.name)
        if pa.types.is_string(field.type):
            values = [_as_string(value) for value in values]
        try:
            columns.append(pa.array(values, type=field.type))
        except (pa.ArrowException, OverflowError, TypeError) as error:
            raise InputError(
                f"{path} column '{field.name}' mixes values that no one type holds ({error}); leave it out with "
                "--columns, or correct it"
            ) from error
    return pa.table(columns, schema=schema)


def _as_string(value: Any) -> str | None:
    """A string as it is; any other value as JSON. Half of a surrogate pair becomes "?"."""
    if value is None:
        return None
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return written.encode("utf-8", "replace").decode()


def _read_parquet(path: Path, size: int, names: list[str]) -> Iterator[Any]:
    import pyarrow as pa

    with open_parquet(path) as file:
        fields = [file.schema_arrow.field(name).remove_metadata() for name in names]
        for batch in file.iter_batches(size, columns=names, use_threads=False):
            yield pa.Table.from_batches([batch]).select(names).cast(pa.schema(fields))
