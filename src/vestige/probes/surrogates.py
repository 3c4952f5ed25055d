"""The encoder of a stranger who cannot have the owner's: one that is installed, and quick."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vestige.encoders.load import READY, learner, load_encoder
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Vectors

STATIC = "static:potion-base-8M"
PACKAGED = ("wordllama", "glove-6b")
LEARNED = "lsa:tfidf:256"

SAME = 1e-3
"""Vectors that differ by less, in parts of their length, are of one encoder."""


def installed() -> tuple[str, ...]:
    """The quick encoders that are here, the one that reads best first: a static model in VESTIGE_MODELS, packages."""
    there = READY["static"].installed and _folder().joinpath("config.json").is_file()
    return (*([STATIC] if there else []), *(name for name in PACKAGED if READY[name].installed))


def surrogate(names: Sequence[str], texts: Sequence[str], vectors: Vectors) -> Encoder:
    """The first of the `names` that did not make these vectors of these texts.

    Where none is left, latent semantic analysis of the texts, which every stranger can do.
    """
    return next(
        (encoder for encoder in _loaded(names) if not _made(encoder, texts[:8], vectors[:8])),
        learner(LEARNED, Corpus("the stranger's texts", list(texts))),
    )


def _loaded(names: Sequence[str]) -> Iterator[Encoder]:
    return (load_encoder(f"static:{_folder()}" if name == STATIC else name) for name in names)


def _folder() -> Path:
    return Path(os.environ.get("VESTIGE_MODELS", ""), STATIC.partition(":")[2])


def _made(encoder: Encoder, texts: Sequence[str], vectors: Vectors) -> bool:
    """Whether the encoder gives these very vectors."""
    if encoder.dimension != vectors.shape[1]:
        return False
    return float(np.linalg.norm(encoder.encode(texts) - vectors)) < SAME * float(np.linalg.norm(vectors))
