"""What the owner fits a defense on: its own texts, except those under attack."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vestige.case.case import Auxiliary, Case, Missing
from vestige.case.inputs import Inputs
from vestige.case.randomness import stream
from vestige.defend.candidates import Candidate
from vestige.defend.redacted import redact_case
from vestige.defenses.defense import Defense, Pairs
from vestige.errors import InputError, MissingExtra
from vestige.text.keywords import keyword_table
from vestige.text.labels import read_labels
from vestige.text.perturbed import remove_words, substitute_words
from vestige.types import Encoder

CHANGED, SHORTENED = 500, 100
"""Texts in which a word is changed, or from which words are removed, to estimate how far one word moves a vector."""


@dataclass(frozen=True, eq=False)
class DefenseFitter:
    """The owner's own pairs, the sensitive keywords, and the encoder if it can be queried.

    How far one word moves a vector is estimated on `texts`, and only once, so that the defense that is fitted for use
    has the noise that was judged. A redaction is applied to all texts of the `case`: it learns nothing from them.
    """

    pairs: Auxiliary
    texts: Sequence[str]
    keywords: tuple[str, ...]
    attributes: tuple[str, ...]
    encoder: Encoder | None
    seed: int
    case: Case | None = None

    def fit(self, candidate: Candidate, rng: np.random.Generator | None) -> Defense | Missing:
        """The fitted defense, or why it cannot be fitted. Without an `rng` its randomness is secret."""
        try:
            if candidate.redacts:
                assert self.case is not None
                return redact_case(self.case, candidate.build_redactor(self.keywords))
            defense = candidate.build()
            if defense.info.needs == "labels":
                rows, labels = self._labels(candidate)
                return defense.fit(self.pairs.vectors[rows], labels, rng=rng)
            pairs = self._build_pairs(defense) if defense.info.needs == "pairs" else None
            return defense.fit(self.pairs.vectors, pairs=pairs, rng=rng)
        except MissingExtra as missing:
            reason, _, remedy = str(missing).partition("; ")
            return Missing(reason, remedy)
        except InputError as refused:
            reason, _, remedy = str(refused).partition("; ")
            return Missing(reason.rstrip("."), remedy or "give a setting that fits these vectors")

    def choose_hidden(self, candidate: Candidate) -> str | None:
        """The labels that a defense is fitted to hide: those named, else the keywords, else the first attribute."""
        if candidate.needs != "labels":
            return None
        return candidate.hides or next(iter((*(["keywords"] if self.keywords else []), *self.attributes)), None)

    def _labels(self, candidate: Candidate) -> tuple[Sequence[int], npt.NDArray[np.generic]]:
        hidden = self.choose_hidden(candidate)
        if hidden == "keywords" and self.keywords:
            table = keyword_table(self.pairs.texts, self.keywords)
            both = table.any(axis=0) & ~table.all(axis=0)
            if both.any():
                return range(len(table)), table[:, both]
        if hidden not in self.pairs.attributes:
            raise InputError(
                f"there is nothing called '{hidden or 'keywords'}' to hide; "
                "name keywords with --keywords or a column with --attribute"
            )
        column = self.pairs.attributes[hidden]
        rows = [row for row, label in enumerate(column) if label is not None]
        return rows, np.array([column[row] for row in rows])

    def _build_pairs(self, defense: Defense) -> Pairs | None:
        if defense.get_params().get("sensitivity") is not None:
            return None
        if self.encoder is None:
            raise InputError(
                "the sensitivity to one word is estimated with the encoder, and there is none to query; name the "
                "encoder with --encoder, or the sensitivity (laplace:EPSILON,sensitivity=S)"
            )
        return self._removed if defense.get_params().get("estimate") == "mean" else self._substituted

    @cached_property
    def _substituted(self) -> Pairs:
        assert self.encoder is not None
        made = substitute_words(self.texts, pairs=CHANGED, rng=stream(self.seed, "substituted"))
        return self.encoder.encode(made.original), self.encoder.encode(made.perturbed)

    @cached_property
    def _removed(self) -> Pairs:
        assert self.encoder is not None
        made = remove_words(self.texts, documents=SHORTENED, rng=stream(self.seed, "removed"))
        return self.encoder.encode(made.original), self.encoder.encode(made.perturbed)


def draw_own_half(pairs: Auxiliary, seed: int) -> Auxiliary:
    """The pairs of half of the documents.

    So the adversary, who holds all pairs, also learns from texts that the defense was not fitted on. On those that it
    was fitted on, a defense hides best.
    """
    names = sorted(set(pairs.documents))
    drawn = set(stream(seed, "owner").permutation(names)[: -(-len(names) // 2)].tolist())
    return pairs.take([row for row, name in enumerate(pairs.documents) if name in drawn])


def collect_all(case: Case, inputs: Inputs) -> Auxiliary:
    """All of the owner's vectors, including those under attack: what a defense for use is fitted on."""
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
