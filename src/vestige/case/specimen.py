"""What the checks look at: rows of a store as they lie there."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from vestige.case.source import rows_behind, shown
from vestige.stores.checks import LARGEST
from vestige.stores.records import Columns, Description, Sample
from vestige.stores.store import Store
from vestige.text.corpus import Corpus
from vestige.text.prose import read_as_text
from vestige.types import Integers, Vectors


@dataclass(frozen=True)
class Specimen:
    """Rows of a store with their vectors, however broken, and what lies beside them in clear.

    `texts` are those behind the vectors, from the store or from elsewhere; `beside` holds what is in the store alone,
    column by column. `numbers` are the rows' own numbers, where they have any.
    """

    source: str
    rows: int
    form: str
    vectors: Vectors
    texts: list[str] | None = None
    beside: dict[str, list[Any]] = field(default_factory=dict)
    numbers: list[int] | None = None
    exact: bool = True
    columns: Columns = field(default_factory=Columns)
    guessed: tuple[str, ...] = ()

    @classmethod
    def of_store(cls, store: Store, n: int, rng: np.random.Generator, texts: Corpus | None = None) -> "Specimen":
        """`n` rows from all over a store, with the texts of the store or those given, one a row of the store."""
        sample, told = store.look(n, rng), store.describe()
        behind = None if texts is None else texts.take(rows_behind(sample, told, texts)).texts
        return cls.of_sample(told, sample, behind)

    @classmethod
    def of_sample(cls, told: Description, sample: Sample, texts: list[str] | None) -> "Specimen":
        """Rows that were read already, with the texts of the store or those given, a row each."""
        own, beside = sample.texts, {**sample.attributes, **sample.payload}
        if own is not None and told.columns.texts is not None:
            beside = {told.columns.texts: own, **beside}
            own = None if "texts" in told.guessed and not read_as_text(own) else own
        if told.columns.ids is not None:
            beside[told.columns.ids] = sample.ids
        return cls(
            source=shown(told.place),
            rows=told.rows,
            form=told.form,
            vectors=sample.vectors,
            texts=own if texts is None else texts,
            beside=beside,
            numbers=sample.numbers,
            exact=told.exact,
            columns=told.columns,
            guessed=told.guessed,
        )

    @cached_property
    def sound(self) -> Integers:
        """The places of vectors that are numbers throughout, and not all zeros."""
        usable = np.asarray(np.isfinite(self.vectors).all(axis=1))
        usable[usable] &= np.abs(self.vectors[usable]).max(axis=1, initial=0) <= LARGEST
        usable[usable] &= self.vectors[usable].any(axis=1)
        return np.flatnonzero(usable)

    @cached_property
    def lengths(self) -> Vectors:
        """The length of each sound vector."""
        return np.asarray(np.linalg.norm(self.vectors[self.sound], axis=1), np.float32)

    @cached_property
    def directions(self) -> Vectors:
        """Each sound vector at unit length."""
        return np.asarray(self.vectors[self.sound] / self.lengths[:, None], np.float32)

    @property
    def dimension(self) -> int:
        """Columns of a vector."""
        return int(self.vectors.shape[1])

    def number(self, place: int) -> str:
        """Which row lies at this place of the sample, in words; never by its id, which may name a person."""
        return f"row {place} of the sample" if self.numbers is None else f"row {self.numbers[place]}"
