"""Redaction as a defense: the vectors of a case as they are if its texts are redacted before they are encoded."""

from collections.abc import Sequence

import numpy as np

from vestige.case.case import Case, Missing
from vestige.defend.recorded import RecordedMap
from vestige.encoders.endpoint.encoder import is_remote
from vestige.encoders.wrapper import Wrapper
from vestige.text.redaction import Redactor
from vestige.types import Encoder, Progress, Vectors, silent

NO_ENCODER = Missing(
    "redacted texts must be encoded again, and there is no encoder to do so",
    "name the encoder with --encoder, and allow queries",
)
REMOTE = Missing(
    "redacted texts would be sent to the service of the encoder again",
    "redact with `vestige redact`, encode, and compare with `vestige judge`",
)


class RedactingEncoder(Wrapper):
    """An encoder that redacts every text before it encodes it, as a service behind a redactor would."""

    def __init__(self, encoder: Encoder, redactor: Redactor) -> None:
        super().__init__(encoder)
        self.redactor = redactor

    @property
    def identity(self) -> str:
        """The encoder and the redactor."""
        return f"{self.encoder.identity} behind {self.redactor}"

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Redact, then encode."""
        return self.encoder.encode(self.redactor.redact_texts(texts), progress=progress)


class RedactedMap(RecordedMap):
    """The vectors of redacted texts, row by row; search queries are redacted too.

    The adversary keeps its own texts as they were, and has the vectors of the redacted ones.
    Guarantee: none beyond that of the redactor.
    """

    def __init__(self, raw: Vectors, protected: Vectors, redactor: Redactor) -> None:
        super().__init__(raw, protected)
        self.redactor = redactor

    def __repr__(self) -> str:
        return f"RedactedMap({self.redactor})"

    def wrap(self, encoder: Encoder) -> Encoder:
        """The encoder as an adversary may query it."""
        return RedactingEncoder(encoder, self.redactor)


def redact_case(case: Case, redactor: Redactor) -> RedactedMap | Missing:
    """Encode again every text of the case that redaction changes; the others keep their vectors."""
    if case.encoder is None:
        return NO_ENCODER
    if is_remote(case.encoder):
        return REMOTE
    assert case.truth is not None
    pairs = case.auxiliary.values()
    texts = [*case.truth.texts, *(text for each in pairs for text in each.texts)]
    documents = [*case.truth.documents, *(name for each in pairs for name in each.documents)]
    raw = np.concatenate([case.targets, *(each.vectors for each in pairs)])
    redacted = redactor.redact(texts, documents)
    rows = [row for row, each in enumerate(redacted) if each.mentions]
    protected = raw.copy()
    if rows:
        protected[rows] = case.encoder.encode([redacted[row].text for row in rows])
    return RedactedMap(raw, protected, redactor)
