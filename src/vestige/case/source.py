"""From the place where vectors lie to the rows an audit needs, with the texts and labels beside them."""

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from vestige.case.findings import Stored
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.addresses import without_user
from vestige.stores.load import is_file, open_store
from vestige.stores.records import Columns, Description, Sample
from vestige.text.corpus import Corpus
from vestige.text.prose import read_as_text
from vestige.text.read import DOCUMENT_NAMES

TARGET_SHARE = 0.25
"""The share of documents that are attacked; the stranger may have pairs of the others."""


@dataclass(frozen=True)
class Drawn:
    """Vectors out of a store and, row by row, the texts behind them where they are there.

    Where they are not, `beside` has what else lies beside the vectors; its texts are empty.
    """

    name: str
    texts: Corpus | None
    stored: Stored
    told: Description
    sample: Sample
    beside: Corpus | None = None


def rows_needed(settings: Settings) -> int:
    """So many rows that one side gives the targets and the other the pairs, or as many as were asked for."""
    return settings.sample or ceil(max(settings.targets / TARGET_SHARE, settings.pairs / (1 - TARGET_SHARE)))


def draw(source: str | Path, texts: Corpus | None, settings: Settings) -> Drawn:
    """Rows from all over a store, no more than needed; `texts`, where given, are those behind all of its rows."""
    with open_store(source, _asked(settings, texts)) as store:
        sample = store.sample(rows_needed(settings), stream(settings.seed, "store"))
        told = store.describe()
    sample = sample if is_file(source) else sample.by_id()
    name, own = shown(source), texts is None and _holds_texts(sample, told)
    stored = _stored(told, sample, beside=own)
    if texts is not None:
        return Drawn(name, texts.take(rows_behind(sample, told, texts)), stored, told, sample)
    beside = _beside(sample, told, settings, own=own)
    return Drawn(name, beside if own else None, stored, told, sample, None if own else beside)


def shown(source: str | Path) -> str:
    """What a report may call a source: files and folders by their names, servers without who asks and with what key."""
    if is_file(source):
        return Path(source).name
    kind, _, rest = str(source).partition(":")
    where, hash_sign, name = rest.rpartition("#") if "#" in rest else (rest, "", "")
    return f"{kind}:{_place(where)}{hash_sign}{name}"


def _place(where: str) -> str:
    if "://" in where:
        host, _, path = without_user(where).partition("://")[2].partition("/")
        return f"{where.partition('://')[0]}://{host}/{path if host else Path(path).name}".rstrip("/")
    if "=" in where:
        return " ".join(part for part in where.split() if part.partition("=")[0] in ("host", "port", "dbname"))
    return Path(where).name


def _asked(settings: Settings, texts: Corpus | None) -> Columns:
    """All plain columns are read, whatever is attacked: what lies in clear beside the vectors is told first."""
    return Columns(settings.vector_column, settings.id_column, settings.text_column if texts is None else None)


def rows_behind(sample: Sample, told: Description, texts: Corpus) -> list[int]:
    """Which text is behind each vector: by a column named as the ids' is, else by number; never by guessing."""
    column = told.columns.ids
    if column is not None and column in texts.attributes:
        found = {str(each): row for row, each in enumerate(texts.attributes[column])}
        missing = sum(each not in found for each in sample.ids)
        if missing:
            raise InputError(
                f"{texts.name} has no text for {missing} of {len(sample)} rows by column '{column}'; "
                "expected a text for every vector, check that the two belong together"
            )
        return [found[each] for each in sample.ids]
    if sample.numbers is None:
        raise InputError(
            f"{shown(told.place)} has ids that are no numbers of texts, so nobody can tell which text is behind which "
            f"vector; give {texts.name} a column with their ids"
        )
    if told.exact and len(texts) != told.rows:
        raise InputError(
            f"{shown(told.place)} has {told.rows} rows but {texts.name} has {len(texts)} texts; expected one text a "
            "vector, in the same order"
        )
    if max(sample.numbers) >= len(texts) or min(sample.numbers) < 0:
        raise InputError(
            f"{shown(told.place)} has ids beyond the {len(texts)} texts of {texts.name}; give it a column of ids"
        )
    return sample.numbers


def _holds_texts(sample: Sample, told: Description) -> bool:
    return sample.texts is not None and ("texts" not in told.guessed or read_as_text(sample.texts))


def _beside(sample: Sample, told: Description, settings: Settings, *, own: bool) -> Corpus:
    """The store's own texts, or none, with what lies beside them; a column that was taken for texts is a label then."""
    columns, texts = dict(sample.attributes), [""] * len(sample)
    if sample.texts is not None and told.columns.texts is not None:
        texts, columns = (sample.texts, columns) if own else (texts, {told.columns.texts: sample.texts, **columns})
    column = settings.document_column
    if column is not None and column not in columns:
        raise InputError(f"{shown(told.place)} has no column '{column}'; {nearest(column, list(columns))}")
    column = column or next((each for each in DOCUMENT_NAMES if each in columns), None)
    named = columns.pop(column) if column else []
    documents = [f"row {row}" if value is None else str(value) for row, value in enumerate(named)]
    return Corpus(shown(told.place), texts, documents, columns, told.columns.texts if own else None, column)


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
        texts=beside,
    )
