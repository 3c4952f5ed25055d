"""Which columns of the owner's data are attributes: those that were named, or those that look like labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus
from vestige.text.labels import ColumnLabels, is_row_id, read_labels

MOST_ATTRIBUTES = 5
FEWEST_LABELLED, FEWEST_EACH = 20, 5
"""Documents that carry a label at all, and documents of a class, for a column that nobody named."""

AUTHORS = ("author", "writer", "speaker", "sender", "from", "user", "username")
"""Columns that name the author of a text; these count even if most authors wrote little."""


@dataclass(frozen=True)
class Attributes:
    """Labels by column, one per row; and why other columns are not attributes."""

    columns: dict[str, ColumnLabels]
    skipped: dict[str, str]

    def apply(self, corpus: Corpus) -> Corpus:
        """The corpus with these columns and no others."""
        return replace(corpus, attributes={name: column.labels for name, column in self.columns.items()})


def find_attributes(corpus: Corpus, settings: Settings) -> Attributes:
    """The columns that the owner named, or else the first few that look like labels. A named one must be usable."""
    if settings.attributes:
        return Attributes({name: _read_named(corpus, name) for name in settings.attributes}, {})
    columns: dict[str, ColumnLabels] = {}
    skipped: dict[str, str] = {}
    for name, values in corpus.attributes.items():
        labels = read_labels(values)
        reason = (
            "it has no single values" if labels is None else _describe_unlike(name, values, labels, corpus.documents)
        )
        if labels is None or reason:
            skipped[name] = reason
        elif len(columns) == MOST_ATTRIBUTES:
            skipped[name] = f"{MOST_ATTRIBUTES} others come before it"
        else:
            columns[name] = labels
    return Attributes(columns, skipped)


def _read_named(corpus: Corpus, name: str) -> ColumnLabels:
    if name not in corpus.attributes:
        raise InputError(_describe_unknown(corpus, name))
    column = read_labels(corpus.attributes[name])
    if column is None:
        raise InputError(f"column '{name}' of {corpus.name} holds lists or records; expected one label per text")
    held = column.documents(corpus.documents)
    if len(held) < 2:
        state = f"is '{next(iter(held))}' throughout" if held else "is empty"
        raise InputError(f"column '{name}' of {corpus.name} {state}; expected at least two classes")
    if max(map(len, held.values())) < 2:
        raise InputError(
            f"column '{name}' of {corpus.name} has {len(held):,} classes of one document each, so no class "
            "can be learned from one document and tested on another; name a column whose values repeat"
        )
    return column


def _describe_unknown(corpus: Corpus, name: str) -> str:
    message = f"{corpus.name} has no column '{name}' (--attribute)"
    if name in (corpus.text_column, corpus.document_column):
        return f"column '{name}' of {corpus.name} is its text or document (--attribute); name a column of labels"
    if not corpus.attributes:
        return f"{message}; it has no columns of labels; give texts that have one with --texts"
    return f"{message}; {nearest(name, list(corpus.attributes))}"


def _describe_unlike(name: str, values: Sequence[Any], column: ColumnLabels, documents: Sequence[str]) -> str:
    """Why a column does not look like labels; empty if it does."""
    held = {label: len(owners) for label, owners in column.documents(documents).items()}
    labelled, common = sum(held.values()), [count for count in held.values() if count >= FEWEST_EACH]
    if len(held) < 2:
        return "it has one class" if held else "it is empty"
    if labelled < FEWEST_LABELLED:
        return f"{labelled} documents have a label, fewer than {FEWEST_LABELLED}"
    if column.ranges and is_row_id(values):
        return "it numbers the rows"
    if len(common) < 2 or (sum(common) < labelled / 2 and name.lower() not in AUTHORS):
        return f"most of its {len(held):,} values come in fewer than {FEWEST_EACH} documents"
    return ""
