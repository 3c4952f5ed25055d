"""What the owner of the vectors fits a defense on: texts of its own, apart from those under attack."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vestige.case.case import Auxiliary, Case, Missing
from vestige.case.inputs import Inputs
from vestige.case.randomness import stream
from vestige.defend.plan import Candidate
from vestige.defenses.defense import Defense, Pairs
from vestige.errors import InputError, MissingExtra
from vestige.text.changed import removed, substituted
from vestige.text.keywords import keyword_table
from vestige.text.labels import read_labels
from vestige.types import Encoder

CHANGED, SHORTENED = 500, 100
"""Texts in which a word is changed, and texts that lose words, to estimate how far one word moves a vector."""


@dataclass(frozen=True, eq=False)
class Owner:
    """The owner's own pairs, the keywords that it fears for, and the encoder where there is one to ask.

    How far one word moves a vector is estimated on `texts`: once, so that what is fitted for use has the noise that was
    judged.
    """

    pairs: Auxiliary
    texts: Sequence[str]
    keywords: tuple[str, ...]
    attributes: tuple[str, ...]
    encoder: Encoder | None
    seed: int

    def fitted(self, candidate: Candidate, rng: np.random.Generator | None) -> Defense | Missing:
        """The defense, fitted; or why it cannot be. Without an `rng` its chance is secret."""
        defense = candidate.made()
        try:
            if defense.needs == "labels":
                rows, labels = self._labels(candidate)
                return defense.fit(self.pairs.vectors[rows], labels, rng=rng)
            pairs = self._changed(defense) if defense.needs == "pairs" else None
            return defense.fit(self.pairs.vectors, pairs=pairs, rng=rng)
        except MissingExtra as missing:
            reason, _, remedy = str(missing).partition("; ")
            return Missing(reason, remedy)
        except InputError as refused:
            reason, _, remedy = str(refused).partition("; ")
            return Missing(reason.rstrip("."), remedy or "give a setting that fits these vectors")

    def hides(self, candidate: Candidate) -> str | None:
        """The labels that a defense is fitted to hide: those named, else the keywords, else the first attribute."""
        if candidate.made().needs != "labels":
            return None
        return candidate.hides or next(iter((*(["keywords"] if self.keywords else []), *self.attributes)), None)

    def _labels(self, candidate: Candidate) -> tuple[Sequence[int], npt.NDArray[np.generic]]:
        hides = self.hides(candidate)
        if hides == "keywords" and self.keywords:
            table = keyword_table(self.pairs.texts, self.keywords)
            both = table.any(axis=0) & ~table.all(axis=0)
            if both.any():
                return range(len(table)), table[:, both]
        if hides not in self.pairs.attributes:
            raise InputError(
                f"there is nothing called '{hides or 'keywords'}' to hide; "
                "name keywords with --keywords or a column with --attribute"
            )
        column = self.pairs.attributes[hides]
        rows = [row for row, label in enumerate(column) if label is not None]
        return rows, np.array([column[row] for row in rows])

    def _changed(self, defense: Defense) -> Pairs | None:
        if defense.get_params().get("sensitivity") is not None:
            return None
        if self.encoder is None:
            raise InputError(
                "how far one word moves a vector is told by the encoder, and there is none to ask; name the encoder "
                "with --encoder, or the sensitivity (laplace:EPSILON,sensitivity=S)"
            )
        return self._removed if defense.get_params().get("estimate") == "mean" else self._substituted

    @cached_property
    def _substituted(self) -> Pairs:
        assert self.encoder is not None
        made = substituted(self.texts, pairs=CHANGED, rng=stream(self.seed, "substituted"))
        return self.encoder.encode(made.original), self.encoder.encode(made.changed)

    @cached_property
    def _removed(self) -> Pairs:
        assert self.encoder is not None
        made = removed(self.texts, documents=SHORTENED, rng=stream(self.seed, "removed"))
        return self.encoder.encode(made.original), self.encoder.encode(made.changed)


def own_half(pairs: Auxiliary, seed: int) -> Auxiliary:
    """The pairs of half of the documents.

    A stranger, who has all pairs, so learns from texts that a defense was not fitted on as well: on those that it was
    fitted on, what it learned to hide is hidden best.
    """
    names = sorted(set(pairs.documents))
    drawn = set(stream(seed, "owner").permutation(names)[: -(-len(names) // 2)].tolist())
    return pairs.take([row for row, name in enumerate(pairs.documents) if name in drawn])


def everything(case: Case, inputs: Inputs) -> Auxiliary:
    """All of the owner's vectors, those under attack as well: what a defense for use is fitted on."""
    pairs, truth = case.auxiliary["same-domain"], case.truth
    assert truth is not None
    assert inputs.texts is not None
    if inputs.vectors is not None:
        read = {name: read_labels(inputs.texts.attributes[name]) for name in pairs.attributes}
        labels = {name: column.labels for name, column in read.items() if column is not None}
        return replace(pairs, vectors=inputs.vectors, texts=inputs.texts.texts, documents=[], attributes=labels)
    return replace(
        pairs,
        vectors=np.concatenate([pairs.vectors, case.targets]),
        texts=[*pairs.texts, *truth.texts],
        documents=[],
        attributes={name: [*labels, *truth.attributes[name]] for name, labels in pairs.attributes.items()},
    )
