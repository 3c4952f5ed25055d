"""Did this encoder make these vectors? Attacking with the wrong one would look like safety."""

import numpy as np

from vestige.audit.inputs import Inputs
from vestige.errors import InputError

FAITHFUL = 0.98
PROBES = 16


def probe_texts(inputs: Inputs) -> list[str]:
    """The texts that `check_encoder` encodes: a few, from all over the corpus."""
    if inputs.vectors is None or inputs.texts is None:
        return []
    return [inputs.texts.texts[row] for row in _rows(len(inputs.vectors))]


def check_encoder(inputs: Inputs) -> None:
    """Raise where the owner's vectors are not what the encoder makes of the owner's texts."""
    if inputs.vectors is None or inputs.encoder is None:
        return
    place, encoder = inputs.vectors_name, inputs.encoder
    if inputs.vectors.shape[1] != encoder.dimension:
        raise InputError(
            f"{place} has {inputs.vectors.shape[1]} columns, encoder '{encoder.name}' gives {encoder.dimension}; "
            "name the encoder that made them with --encoder"
        )
    texts = probe_texts(inputs)
    if not texts:
        return
    ours, theirs = encoder.encode(texts), inputs.vectors[_rows(len(inputs.vectors))]
    norms = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    cosines = (ours * theirs).sum(axis=1) / np.maximum(norms, 1e-12)
    if np.median(cosines) < FAITHFUL:
        raise InputError(
            f"{place} is not what encoder '{encoder.name}' makes of these texts: median cosine "
            f"{np.median(cosines):.3f} over {len(texts)} rows, expected at least {FAITHFUL}; "
            "name the encoder that made them, or check the row order"
        )


def _rows(count: int) -> list[int]:
    rows: list[int] = np.linspace(0, count - 1, num=min(PROBES, count), dtype=int).tolist()
    return rows
