"""What the probe `membership` stands on: texts to ask for, those of the stranger, and what embeds both."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vestige.case.case import Auxiliary, Case, Missing, Truth, Unread
from vestige.encoders.known import KnownTexts
from vestige.text.variants import VARIANTS, Change
from vestige.types import Encoder, Vectors

EXACT = "word for word"
BY_WORDS = "share more than 0.7 of their words with a text"
BY_VECTOR = "have the very vector of a text"


@dataclass(frozen=True)
class Ground:
    """`variants` are the ways in which the stranger may have a text; `near` says what a near copy does.

    Where the encoder is not at hand, a text is asked for by its vector as it was found, and `as_found` is True.
    """

    truth: Truth
    pairs: Auxiliary
    encoder: Encoder
    variants: Mapping[str, Change]
    near: str = BY_WORDS
    as_found: bool = False

    @classmethod
    def of(cls, case: Case) -> "Ground | Missing":
        """With the encoder, with texts alone, or with vectors alone."""
        if isinstance(case.unread, Unread):
            return cls._found(case.targets, case.unread.truth, case.unread.pairs, BY_VECTOR)
        if case.truth is None:
            return case.unread or case.missing["same-domain"]
        if case.encoder is not None:
            pairs = case.auxiliary.get("same-domain") or case.auxiliary["cross-domain"]
            return cls(case.truth, pairs, case.encoder, VARIANTS)
        if case.subject.encoder is not None or "same-domain" not in case.auxiliary:
            return case.unasked or case.missing["same-domain"]
        return cls._found(case.targets, case.truth, case.auxiliary["same-domain"], BY_WORDS)

    @classmethod
    def _found(cls, targets: Vectors, truth: Truth, pairs: Auxiliary, near: str) -> "Ground":
        """The encoder behind the search, of which no more is known than what it made of texts that are here."""
        known = KnownTexts([*truth.texts, *pairs.texts], np.concatenate([targets, pairs.vectors]))
        return cls(truth, pairs, known, {EXACT: VARIANTS[EXACT]}, near, as_found=True)
