"""Words from vectors under a secret map, by an adversary who has the encoder and no pair, or a few."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from vestige.attacks.alignment.align import Alignment, Pairs, align
from vestige.attacks.alignment.cells import CellAlignment, align_cells
from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.types import Vectors, WordGuesses


class AlignmentInverter:
    """Aligns the stolen vectors with those of its own texts, then infers words as from the public encoder.

    The adversary sees: (text, vector) pairs of its own texts by the public encoder, without the secret map; all stolen
    vectors, under the map; and, where it has any, `known` pairs of stolen vectors with the encoder's vectors of their
    texts.
    Shapes: `fit` takes (n, d) vectors, n texts and (s, e) victims; `infer` takes (m, e) and returns m sets and lists.
    `cells` above 1 is for a key per cluster: every cluster of stolen vectors is aligned by itself, without known pairs.
    After Grave et al. 2019, with a start of its own; the vec2vec of Jha et al. 2025 is for unknown encoders.
    """

    info = AttackInfo(
        name="alignment",
        summary="undoes a secret rotation without pairs, by aligning stolen vectors with those of own texts",
        output=WordGuesses,
        access=("pairs", "vectors"),
        paper="after Grave et al. 2019, Section 3",
    )

    def __init__(self, *, vocabulary_size: int = 8000, cells: int = 1) -> None:
        self.vocabulary_size = vocabulary_size
        self.cells = cells

    def fit(
        self,
        vectors: npt.ArrayLike,
        texts: Sequence[str],
        *,
        victims: npt.ArrayLike,
        rng: np.random.Generator,
        known: Pairs | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        """Learn words from the own pairs, and the map from the stolen vectors."""
        own, stolen = as_pairs(vectors, texts, documents), as_vectors(victims)
        if not len(stolen):
            raise InputError(
                "there are no stolen vectors to align; give those under attack, and as many others as there are"
            )
        rng = np.random.default_rng() if rng is None else rng
        self.alignment_ = self._align(stolen, own, rng, known)
        self.columns_ = stolen.shape[1]
        self.inner_ = MultiLabelInverter(vocabulary_size=self.vocabulary_size)
        self.inner_.fit(own, texts, documents=documents, rng=rng)
        return self

    def _align(
        self, stolen: Vectors, own: Vectors, rng: np.random.Generator, known: Pairs | None
    ) -> Alignment | CellAlignment:
        check_floor("cells", self.cells, 1)
        if self.cells == 1:
            return align(stolen, own, rng=rng, known=known)
        if known is not None:
            raise InputError("known pairs are not used where cells are aligned one by one; give either of both")
        return align_cells(stolen, own, self.cells, rng=rng)

    def infer(self, vectors: npt.ArrayLike) -> WordGuesses:
        """The words behind each stolen vector."""
        if not hasattr(self, "inner_"):
            raise NotFitted(
                "AlignmentInverter.infer was called before fit; call fit(vectors, texts, victims=...) first"
            )
        mapped: Vectors = self.alignment_(as_vectors(vectors, self.columns_))
        return self.inner_.infer(mapped)
