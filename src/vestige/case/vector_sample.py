"""Rows of a store with their vectors and metadata, unchecked: what the preflight works on."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from vestige.case.source import build_lookup, describe_source, find_texts
from vestige.stores.columns import Columns
from vestige.stores.sample import Description, Sample
from vestige.stores.store import Store
from vestige.stores.vector_checks import LARGEST
from vestige.text.columns import is_prose
from vestige.text.corpus import Corpus
from vestige.types import Integers, Vectors


@dataclass(frozen=True)
class VectorSample:
    """Sampled rows of a store: their vectors, valid or not, and the metadata stored with them in plain text.

    `texts` are the texts that were encoded, from the store or from another source. `metadata` holds the other columns
    of the store by name. `numbers` are the row numbers in the store, if it has any.
    """

    source: str
    rows: int
    form: str
    vectors: Vectors
    texts: list[str] | None = None
    metadata: dict[str, list[Any]] = field(default_factory=dict)
    numbers: list[int] | None = None
    exact: bool = True
    columns: Columns = field(default_factory=Columns)
    guessed: tuple[str, ...] = ()

    @classmethod
    def from_store(cls, store: Store, n: int, seed: int, texts: Corpus | None = None) -> "VectorSample":
        """Sample `n` rows of a store by what they hold; `texts`, one per row of the store, replace its own texts."""
        texts_of = None if texts is None else build_lookup(store.describe(), texts)
        sample = store.sample_by_content(n, seed, texts_of, unchecked=True)
        description = store.describe()
        behind = None if texts is None else find_texts(texts, sample, description)
        return cls.in_order(description, sample, behind)

    @classmethod
    def in_order(cls, description: Description, sample: Sample, texts: list[str] | None) -> "VectorSample":
        """As `from_sample`, in the order of the store if it numbers its rows: they may be shifted."""
        if sample.numbers is None:
            return cls.from_sample(description, sample, texts)
        order = sorted(range(len(sample)), key=sample.numbers.__getitem__)
        return cls.from_sample(
            description, sample.reorder(order), None if texts is None else [texts[row] for row in order]
        )

    @classmethod
    def from_sample(cls, description: Description, sample: Sample, texts: list[str] | None) -> "VectorSample":
        """Build the sample from rows that were read already; `texts`, one per row, replace the texts of the store."""
        own, metadata = sample.texts, {**sample.attributes, **sample.payload}
        if own is not None and description.columns.texts is not None:
            metadata = {description.columns.texts: own, **metadata}
            own = None if "texts" in description.guessed and not is_prose(own) else own
        if description.columns.ids is not None:
            metadata[description.columns.ids] = sample.ids
        return cls(
            source=describe_source(description.place),
            rows=description.rows,
            form=description.form,
            vectors=sample.vectors,
            texts=own if texts is None else texts,
            metadata=metadata,
            numbers=sample.numbers,
            exact=description.exact,
            columns=description.columns,
            guessed=description.guessed,
        )

    @cached_property
    def valid(self) -> Integers:
        """The positions of vectors whose numbers are all finite and of a plausible size, and not all zero."""
        usable = np.asarray(np.isfinite(self.vectors).all(axis=1))
        usable[usable] &= np.abs(self.vectors[usable]).max(axis=1, initial=0) <= LARGEST
        usable[usable] &= self.vectors[usable].any(axis=1)
        return np.flatnonzero(usable)

    @cached_property
    def lengths(self) -> Vectors:
        """The length of each valid vector."""
        return np.asarray(np.linalg.norm(self.vectors[self.valid], axis=1), np.float32)

    @property
    def directions(self) -> Vectors:
        """Each valid vector at unit length; computed when it is needed, since it is as large as the sample."""
        return np.asarray(self.vectors[self.valid] / self.lengths[:, None], np.float32)

    @property
    def dimension(self) -> int:
        """The number of columns of a vector."""
        return int(self.vectors.shape[1])

    def describe_row(self, place: int) -> str:
        """The row at this position of the sample, in words; never by its id, which may name a person."""
        return f"row {place} of the sample" if self.numbers is None else f"row {self.numbers[place]}"
