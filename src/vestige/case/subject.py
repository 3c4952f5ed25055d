"""What was audited, as a report tells it."""

from hashlib import sha256

import numpy as np

from vestige.case.findings import Subject
from vestige.case.inputs import Inputs
from vestige.text.corpus import Corpus
from vestige.types import Vectors


def subject_of(inputs: Inputs, units: Corpus, documents: list[str], targets: Vectors, *, left_out: int = 0) -> Subject:
    """The names of what was given, how many texts that makes, and how many are attacked, of which `documents`."""
    beside = inputs.stored is not None and inputs.stored.texts
    return Subject(
        vectors=inputs.vectors_name if inputs.vectors is not None else None,
        corpus=None if inputs.texts is None or beside else inputs.texts.name,
        encoder=inputs.encoder.name if inputs.encoder is not None else None,
        auxiliary=inputs.auxiliary.name if inputs.auxiliary is not None else None,
        trained_on=inputs.trained_on.name if inputs.trained_on is not None else None,
        named=inputs.named,
        text_column=units.text_column,
        document_column=units.document_column,
        dimension=int(targets.shape[1]),
        left_out=left_out,
        texts=len(units),
        documents=len(set(units.documents)),
        target_texts=len(targets),
        target_documents=len(set(documents)),
        digest=sha256(np.ascontiguousarray(targets).tobytes()).hexdigest()[:12],
        stored=inputs.stored,
    )
