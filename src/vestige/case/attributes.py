"""Which columns of the owner's data are attributes: those that were named, or those that look like labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus
from vestige.text.labels import Labels, is_numbered, read_labels

MOST_ATTRIBUTES = 5
FEWEST_LABELLED, FEWEST_EACH = 20, 5
"""Documents that carry a label at all, and documents of a class, for a column that nobody named."""

AUTHORS = ("author", "writer", "speaker", "sender", "from", "user", "username")
"""Columns that say who wrote a text; these are looked at though most authors may have written little."""


@dataclass(frozen=True)
class Attributes:
    """Labels by column, one a row; and why other columns of the owner's are no attributes."""

    columns: dict[str, Labels]
    apart: dict[str, str]

    def on(self, corpus: Corpus) -> Corpus:
        """The corpus with these columns and no others."""
        return replace(corpus, attributes={name: column.labels for name, column in self.columns.items()})


def attributes_of(corpus: Corpus, settings: Settings) -> Attributes:
    """What the owner named, refused where it can be no attribute; else the first few columns that look like labels."""
    if settings.attributes:
        return Attributes({name: _named(corpus, name) for name in settings.attributes}, {})
    columns: dict[str, Labels] = {}
    apart: dict[str, str] = {}
    for name, values in corpus.attributes.items():
        found = read_labels(values)
        reason = "it holds no single values" if found is None else _unlike(name, values, found, corpus.documents)
        if found is None or reason:
            apart[name] = reason
        elif len(columns) == MOST_ATTRIBUTES:
            apart[name] = f"{MOST_ATTRIBUTES} others come before it"
        else:
            columns[name] = found
    return Attributes(columns, apart)


def _named(corpus: Corpus, name: str) -> Labels:
    if name not in corpus.attributes:
        raise InputError(_unknown(corpus, name))
    column = read_labels(corpus.attributes[name])
    if column is None:
        raise InputError(f"column '{name}' of {corpus.name} holds lists or records; expected one label a text")
    held = column.documents(corpus.documents)
    if len(held) < 2:
        found = f"is '{next(iter(held))}' throughout" if held else "is empty"
        raise InputError(f"column '{name}' of {corpus.name} {found}; expected two classes or more to tell apart")
    if max(map(len, held.values())) < 2:
        raise InputError(
            f"column '{name}' of {corpus.name} has {len(held):,} classes of one document each; nobody can learn a "
            "class from one document and be tried on another; name a column whose values come again"
        )
    return column


def _unknown(corpus: Corpus, name: str) -> str:
    told = f"{corpus.name} has no column '{name}' (--attribute)"
    if name in (corpus.text_column, corpus.document_column):
        return f"column '{name}' of {corpus.name} is its text or document (--attribute); name a column of labels"
    if not corpus.attributes:
        return f"{told}; it has no columns of labels; give texts that have one with --texts"
    return f"{told}; {nearest(name, list(corpus.attributes))}"


def _unlike(name: str, values: Sequence[Any], column: Labels, documents: Sequence[str]) -> str:
    """Why a column does not look like labels; empty where it does."""
    held = {label: len(owners) for label, owners in column.documents(documents).items()}
    labelled, common = sum(held.values()), [count for count in held.values() if count >= FEWEST_EACH]
    if len(held) < 2:
        return "it has one class" if held else "it is empty"
    if labelled < FEWEST_LABELLED:
        return f"{labelled} documents have a label, fewer than {FEWEST_LABELLED}"
    if column.ranges and is_numbered(values):
        return "it numbers the rows"
    if len(common) < 2 or (sum(common) < labelled / 2 and name.lower() not in AUTHORS):
        return f"most of its {len(held):,} values come in fewer than {FEWEST_EACH} documents"
    return ""
