"""From the place where vectors lie to the rows an audit needs, with the texts and labels beside them."""

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from urllib.parse import urlsplit

from vestige.audit.randomness import stream
from vestige.audit.result import Stored
from vestige.audit.settings import Settings
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.load import is_file, open_store
from vestige.stores.records import Columns, Description, Sample
from vestige.text.corpus import Corpus
from vestige.text.read import DOCUMENT_NAMES
from vestige.types import Vectors

TARGET_SHARE = 0.25
"""The share of documents that are attacked; the stranger may have pairs of the others."""


@dataclass(frozen=True)
class Drawn:
    """Vectors out of a store and, row by row, the texts behind them where they are there."""

    name: str
    vectors: Vectors
    texts: Corpus | None
    stored: Stored


def rows_needed(settings: Settings) -> int:
    """So many rows that one side gives the targets and the other the pairs, or as many as were asked for."""
    return settings.sample or ceil(max(settings.targets / TARGET_SHARE, settings.pairs / (1 - TARGET_SHARE)))


def draw(source: str | Path, texts: Corpus | None, settings: Settings) -> Drawn:
    """Rows from all over a store, no more than needed; `texts`, where given, are those behind all of its rows."""
    with open_store(source, _asked(settings, texts)) as store:
        told = store.describe()
        if texts is not None and told.exact and len(texts) != told.rows:
            raise InputError(
                f"{shown(source)} has {told.rows} rows but {texts.name} has {len(texts)} texts; expected one text a "
                "vector, in the same order"
            )
        sample = store.sample(rows_needed(settings), stream(settings.seed, "store"))
    name = shown(source)
    if not is_file(source):
        sample = sample.by_number()
    behind = (
        _beside(sample, told, name, settings)
        if texts is None
        else texts.take(_rows_of(sample, len(texts), name, in_file=is_file(source)))
    )
    return Drawn(name, sample.vectors, behind, _stored(told, sample, beside=texts is None))


def shown(source: str | Path) -> str:
    """What a report may call a source: files and folders by their names, servers without who asks and with what key."""
    if is_file(source):
        return Path(source).name
    kind, _, rest = str(source).partition(":")
    where, hash_sign, name = rest.partition("#")
    if "://" in where:
        parts = urlsplit(where)
        address = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"
        return f"{kind}:{parts.scheme}://{address}{parts.path}{hash_sign}{name}"
    return f"{kind}:{Path(where).name}{hash_sign}{name}"


def _asked(settings: Settings, texts: Corpus | None) -> Columns:
    """The columns to read: without names for labels all plain ones, which may be labels."""
    if texts is not None:
        return Columns(settings.vector_column, settings.id_column, None, ())
    labels = (*settings.attributes, *filter(None, [settings.document_column])) if settings.attributes else None
    return Columns(settings.vector_column, settings.id_column, settings.text_column, labels)


def _rows_of(sample: Sample, count: int, name: str, *, in_file: bool) -> list[int]:
    """Which text is behind which vector: that of its row in a file, that of its number in a database."""
    if in_file:
        return sample.places
    rows = sample.numbers()
    if rows is None or not all(0 <= row < count for row in rows):
        raise InputError(
            f"the ids in {name} are not the numbers of the {count} texts, so nobody can tell which text is behind "
            "which vector; keep the texts in the store and name their column with --text-column"
        )
    return rows


def _beside(sample: Sample, told: Description, name: str, settings: Settings) -> Corpus | None:
    """The texts in the store, with what lies beside them."""
    if sample.texts is None:
        return None
    column = settings.document_column
    if column is not None and column not in sample.attributes:
        raise InputError(f"{name} has no column '{column}'; {nearest(column, list(sample.attributes))}")
    column = column or next((each for each in DOCUMENT_NAMES if each in sample.attributes), None)
    named = sample.attributes.get(column, []) if column else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(named)]
    labels = {each: values for each, values in sample.attributes.items() if each != column}
    return Corpus(name, sample.texts, documents, labels, told.columns.texts, column)


def _stored(told: Description, sample: Sample, *, beside: bool) -> Stored:
    columns = {"vectors": told.columns.vectors, "ids": told.columns.ids, "texts": told.columns.texts}
    guessed = tuple(f"{role} in '{columns[role]}'" for role in told.guessed if columns.get(role))
    return Stored(
        rows=told.rows,
        exact=told.exact,
        drawn=len(sample),
        form=told.form,
        guessed=guessed,
        bytes_read=sample.bytes_read,
        clustered=sample.clustered,
        texts=beside and sample.texts is not None,
    )
