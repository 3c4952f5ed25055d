"""Index membership: is this text in a vector store that answers a search with scores alone?"""

from collections.abc import Callable, Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.nearest_text import unit_length
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, Floats, MembershipGuesses, Progress, ScoredIndex, Vectors, silent

FEWEST_TEXTS = 20
FALSE_ALARMS = 0.01
CROWD = 0.5
"""Weight of the others: at 1, a member among near copies of its own is missed; at 0, crowded texts raise alarms."""
ROUNDED = 1e-3
"""How far a cosine may be off, as half precision leaves it."""
SAME = 1e-4
"""A distance that is none: what half precision or rounding leaves of a copy."""


class IndexMembership:
    """Tells whether a store holds a candidate text, by the scores of its nearest neighbours.

    The adversary sees: the cosines of the best hits of a search (no text, no vector), what the encoder answers, and
    texts of its own that are known not to be in the store. It asks the encoder and the store once a candidate.
    Shapes: `infer` takes m texts and gives m scores.

    `recipe="default"` sets the distance to the best of so many `neighbours` against the mean distance to the others, at
    half its weight: a text that lies in a crowd has something near it in any case, yet a member may lie in one too. A
    hit without any distance is held against what the adversary's own texts have around them, since the store may hold
    a record many times. Where it is known how the store keeps a vector (`kept` in `fit`), scores are taken as shares of
    what a copy would score: kept in one bit a number it is far from cosine 1, yet no other code comes as near.
    `recipe="top"` is the best score as it is.

    `threshold_` is the score that 1% of the adversary's own texts reach, or one text of fewer than a hundred. A record
    whose exact copy is in the store under another name cannot be told from a member, nor can a candidate that was
    changed as much as a near copy was: these scores say that the text is there, and not whose it is.
    """

    def __init__(self, *, recipe: Literal["default", "top"] = "default", neighbours: int = 10) -> None:
        self.recipe = recipe
        self.neighbours = neighbours

    def fit(
        self,
        texts: Sequence[str],
        *,
        index: ScoredIndex,
        encoder: Encoder,
        kept: Callable[[Vectors], Vectors] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Ask for texts that are not in the store; `kept` gives what the store's form leaves of a vector."""
        check_choice("recipe", self.recipe, ("default", "top"))
        check_floor("neighbours", self.neighbours, 2)
        if len(texts) < FEWEST_TEXTS:
            raise InputError(
                f"{len(texts)} texts that are not in the store are too few to set a threshold by; "
                f"fit needs at least {FEWEST_TEXTS}"
            )
        self.index_, self.encoder_, self.kept_ = index, encoder, kept
        found = self._distances(texts, progress)
        self.usual_ = float(np.median(found[:, 1:]))
        self.threshold_ = float(np.quantile(self._scores(found), 1 - FALSE_ALARMS, method="higher"))
        return self

    def infer(self, texts: Sequence[str], *, progress: Progress = silent) -> MembershipGuesses:
        """The higher the score, the surer that the store holds the text; one score a candidate."""
        if not hasattr(self, "index_"):
            raise NotFitted("IndexMembership.infer was called before fit; call fit(texts, index=..., encoder=...)")
        return MembershipGuesses(self._scores(self._distances(texts, progress)))

    def _distances(self, texts: Sequence[str], progress: Progress) -> Floats:
        """From each text to its nearest in the store, as shares of what is not the cosine of a copy."""
        asked = unit_length(as_vectors(self.encoder_.encode(texts, progress=progress)))
        found = _as_cosines(self.index_.search(asked, self.neighbours), (len(asked), self.neighbours))
        return 1 - found / self._of_a_copy(asked)[:, None]

    def _scores(self, distances: Floats) -> Floats:
        best = np.maximum(distances[:, 0], 0)
        if self.recipe == "top":
            return 1 - distances[:, 0]
        others = np.where(best < SAME, self.usual_, distances[:, 1:].mean(axis=1))
        return CROWD * np.log(others + SAME) - np.log(best + SAME)

    def _of_a_copy(self, asked: Vectors) -> Floats:
        """What each would score if the store held it."""
        if self.kept_ is None or self.recipe == "top":
            return np.ones(len(asked))
        copies = unit_length(as_vectors(self.kept_(asked), asked.shape[1]))
        return np.asarray((asked * copies).sum(axis=1), np.float64)


def _as_cosines(found: Floats, shape: tuple[int, int]) -> Floats:
    """What a search answered, or a clear word on why it cannot be scores of a search."""
    scores = np.asarray(found, dtype=np.float64)
    if scores.shape != shape:
        raise InputError(
            f"the index answered with scores of shape {scores.shape}; expected {shape}, a row a query and a column a "
            "neighbour; ask for fewer neighbours where the store is small"
        )
    if not (np.abs(scores) <= 1 + ROUNDED).all():
        raise InputError(
            "the index answered with scores beyond -1 and 1; expected cosines; make its vectors unit length"
        )
    if (np.diff(scores, axis=1) > ROUNDED).any():
        raise InputError("the index answered with scores that rise along a row; expected cosines, the best first")
    return scores
