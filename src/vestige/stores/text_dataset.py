"""The texts of many parquet files, to encode them: a folder, a glob, or an address such as s3://BUCKET/FOLDER."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.arrow_columns import list_values
from vestige.stores.dataset import DatasetTable, Layout
from vestige.stores.dataset_files import show_source
from vestige.text.columns import TEXT_NAMES, is_prose, to_text

BLOCK = 4096


@dataclass(frozen=True, slots=True)
class TextDataset:
    """The texts in order, in lists of at most `block`; iterating again reads the files again."""

    name: str
    source: str
    text_column: str
    total: int
    block: int
    layout: Layout

    def __iter__(self) -> Iterator[list[str]]:
        for table in _read(self.source, self.layout, self.block, [self.text_column]):
            yield [to_text(value) for value in list_values(table.column(0), _name_column(self.name, self.text_column))]


@dataclass(frozen=True, slots=True)
class DatasetColumns:
    """Other columns of the files, as Arrow tables; `prose` names those that hold texts, judging by the first rows."""

    source: str
    layout: Layout
    block: int
    schema: Any
    prose: tuple[str, ...]

    def __iter__(self) -> Iterator[Any]:
        return (table.cast(self.schema) for table in _read(self.source, self.layout, self.block, self.schema.names))


def open_text_dataset(source: str, text_column: str | None) -> TextDataset:
    """Find the text column by its name, or as the only column of strings."""
    with closing(DatasetTable(source)) as table:
        column = _find_text_column(table.schema, text_column, show_source(source))
        return TextDataset(show_source(source), source, column, table.rows, BLOCK, table.layout)


def find_dataset_columns(
    stream: TextDataset, named: Sequence[str] | None, *, keep_text: bool, taken: str
) -> DatasetColumns | None:
    """The columns to keep next to the vectors: those that are named, or all but the text; None if there are none."""
    import pyarrow as pa

    with closing(DatasetTable(stream.source, stream.layout)) as table:
        known = [name for name in table.schema.names if name != taken]
        for name in named or ():
            if name not in known or name == stream.text_column:
                remedy = "keep it with --keep-text" if name == stream.text_column else nearest(name, known)
                raise InputError(f"'{name}' is no other column of {stream.name} (--columns); {remedy}")
        chosen = list(dict.fromkeys(known if named is None else named))
        chosen = [name for name in chosen if name != stream.text_column]
        chosen = [stream.text_column, *chosen] if keep_text else chosen
        if not chosen:
            return None
        schema = pa.schema([table.schema.field(name).remove_metadata() for name in chosen])
        values = next(table.batches(stream.block, chosen))
        first = {name: _strings(values[name], _name_column(stream.name, name)) for name in values.column_names}
    prose = (name for name in chosen if name != stream.text_column and is_prose(first[name]))
    return DatasetColumns(stream.source, stream.layout, stream.block, schema, tuple(prose))


def _strings(column: Any, place: str) -> list[str]:
    return [value for value in list_values(column, place) if isinstance(value, str)]


def _name_column(place: str, name: str) -> str:
    return f"{place} column '{name}'"


def _read(source: str, layout: Layout, block: int, names: Sequence[str]) -> Iterator[Any]:
    with closing(DatasetTable(source, layout)) as table:
        yield from table.batches(block, names)


def _find_text_column(schema: Any, named: str | None, place: str) -> str:
    import pyarrow as pa

    if named is not None:
        if named not in schema.names:
            raise InputError(f"{place} has no column '{named}'; {nearest(named, list(schema.names))}")
        return named
    strings = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
    usual = [name for name in strings if name.lower() in TEXT_NAMES]
    if len(usual) == 1 or (not usual and len(strings) == 1):
        return str((usual or strings)[0])
    raise InputError(
        f"{place} has strings in {', '.join(strings) or 'no column'}; name the column of the texts with --text-column"
    )
