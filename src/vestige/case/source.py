"""From a store to the rows that an audit requires, with their texts and labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

from vestige.case.findings import Stored
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.sample import Description, Sample
from vestige.stores.source_address import is_file, strip_credentials
from vestige.stores.store import TextsOf
from vestige.text.columns import is_prose
from vestige.text.corpus import DOCUMENT_NAMES, Corpus

TARGET_SHARE = 0.25
"""The share of documents that are attacked; the adversary may hold pairs of the others."""


@dataclass(frozen=True)
class DrawnRows:
    """Rows of a store: vectors and, row by row, their texts if they are available.

    If they are not, `metadata` has the other columns of the store; its texts are empty.
    """

    name: str
    texts: Corpus | None
    stored: Stored
    description: Description
    sample: Sample
    metadata: Corpus | None = None


def count_rows_needed(settings: Settings) -> int:
    """The number of rows that gives enough targets and pairs, or the number that the owner chose."""
    return settings.sample or ceil(max(settings.targets / TARGET_SHARE, settings.pairs / (1 - TARGET_SHARE)))


def draw_rows(source: str | Path, texts: Corpus | None, settings: Settings) -> DrawnRows:
    """Rows drawn from a store by what they hold, no more than required; `texts`, if given, are those of all rows."""
    with open_store(source, _choose_columns(settings, texts)) as store:
        description = store.describe()
        texts_of = None if texts is None else build_lookup(description, texts)
        sample = store.sample_by_content(count_rows_needed(settings), settings.seed, texts_of)
    name, own = describe_source(source), texts is None and _holds_texts(sample, description)
    stored = _describe_stored(description, sample, own=own)
    if texts is not None:
        taken = take_rows(texts, match_rows(sample, description, texts))
        return DrawnRows(name, taken, stored, description, sample)
    corpus = _build_corpus(sample, description, settings, own=own)
    return DrawnRows(name, corpus if own else None, stored, description, sample, None if own else corpus)


def take_rows(texts: Corpus, rows: Sequence[int]) -> Corpus:
    """These rows, in this order. Documents that are rows are named by their new place: splits go by the names."""
    taken = texts.take(rows)
    alone = texts.documents == [str(row) for row in range(len(texts))]
    return replace(taken, documents=[str(row) for row in range(len(rows))]) if alone else taken


def describe_source(source: str | Path) -> str:
    """How a report names a source: files and folders by their names, servers without user and password."""
    if is_file(source):
        return Path(source).name
    kind, _, rest = str(source).partition(":")
    where, hash_sign, name = rest.rpartition("#") if "#" in rest else (rest, "", "")
    return f"{kind}:{_describe_place(where)}{hash_sign}{name}"


def _describe_place(where: str) -> str:
    if "://" in where:
        host, _, path = strip_credentials(where).partition("://")[2].partition("/")
        return f"{where.partition('://')[0]}://{host}/{path if host else Path(path).name}".rstrip("/")
    if "=" in where:
        return " ".join(part for part in where.split() if part.partition("=")[0] in ("host", "port", "dbname"))
    return Path(where).name


def _choose_columns(settings: Settings, texts: Corpus | None) -> Columns:
    """The columns to read. All plain columns are read, since preflight checks them for plaintext."""
    return Columns(settings.vector_column, settings.id_column, settings.text_column if texts is None else None)


def match_rows(sample: Sample, description: Description, texts: Corpus) -> list[int]:
    """The text of each vector: by a column of the same name as that of the ids, else by row number; never guessed."""
    column, place = description.columns.ids, describe_source(description.place)
    if column is not None and column in texts.attributes:
        row_of = {str(name): row for row, name in enumerate(texts.attributes[column])}
        missing = sum(name not in row_of for name in sample.ids)
        if missing:
            raise InputError(
                f"{texts.name} has no text for {missing} of {len(sample)} rows by column '{column}'; "
                "expected a text for every vector, check that the two belong together"
            )
        return [row_of[name] for name in sample.ids]
    if sample.numbers is None:
        raise InputError(
            f"{place} has ids that are not row numbers, so the texts cannot be matched with the vectors; "
            f"give {texts.name} a column with their ids"
        )
    if description.exact and len(texts) != description.rows:
        raise InputError(
            f"{place} has {description.rows} rows but {texts.name} has {len(texts)} texts; expected one text per "
            "vector, in the same order"
        )
    if max(sample.numbers) >= len(texts) or min(sample.numbers) < 0:
        raise InputError(f"{place} has ids beyond the {len(texts)} texts of {texts.name}; give it a column of ids")
    return sample.numbers


def find_texts(texts: Corpus, sample: Sample, description: Description) -> list[str]:
    """The text of each vector, as `match_rows` finds it."""
    return texts.take(match_rows(sample, description, texts)).texts


def build_lookup(description: Description, texts: Corpus) -> TextsOf:
    """A function that finds the texts of rows as `match_rows` does; where that would raise, there are none."""
    column = description.columns.ids
    row_of: dict[str, int] | None = None
    if column is not None and column in texts.attributes:
        row_of = {str(name): row for row, name in enumerate(texts.attributes[column])}

    def find(ids: Sequence[str], numbers: Sequence[int] | None) -> list[str] | None:
        rows = numbers if row_of is None else [row_of.get(name, -1) for name in ids]
        if rows is None or not all(0 <= row < len(texts) for row in rows):
            return None
        return [texts.texts[row] for row in rows]

    return find


def _holds_texts(sample: Sample, description: Description) -> bool:
    return sample.texts is not None and ("texts" not in description.guessed or is_prose(sample.texts))


def _build_corpus(sample: Sample, description: Description, settings: Settings, *, own: bool) -> Corpus:
    """The store's own texts, or none, with its other columns; a column that was mistaken for texts becomes a label."""
    columns, texts = dict(sample.attributes), [""] * len(sample)
    if sample.texts is not None and description.columns.texts is not None:
        texts, columns = (
            (sample.texts, columns) if own else (texts, {description.columns.texts: sample.texts, **columns})
        )
    column = settings.document_column
    if column is not None and column not in columns:
        raise InputError(
            f"{describe_source(description.place)} has no column '{column}'; {nearest(column, list(columns))}"
        )
    column = column or next((each for each in DOCUMENT_NAMES if each in columns), None)
    named = columns.pop(column) if column else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(named)]
    return Corpus(
        describe_source(description.place),
        texts,
        documents,
        columns,
        description.columns.texts if own else None,
        column,
    )


def _describe_stored(description: Description, sample: Sample, *, own: bool) -> Stored:
    columns = {
        "vectors": description.columns.vectors,
        "ids": description.columns.ids,
        "texts": description.columns.texts,
    }
    guessed = tuple(f"{role} in '{columns[role]}'" for role in description.guessed if columns.get(role))
    return Stored(
        rows=description.rows,
        exact=description.exact,
        drawn=len(sample),
        form=description.form,
        guessed=guessed,
        bytes_read=sample.bytes_read,
        clustered=sample.clustered,
        texts=own,
    )
