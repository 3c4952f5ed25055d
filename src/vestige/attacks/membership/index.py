"""Index membership: is this text in a vector store that answers a search with scores alone?"""

from collections.abc import Callable, Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor
from vestige.attacks.rows import unit_length
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, Floats, MembershipGuesses, Progress, ScoredIndex, Vectors, silent

FEWEST_TEXTS = 20
FALSE_ALARMS = 0.01
CROWD_WEIGHT = 0.5
"""Weight of the other neighbours: at 1, a member among near copies is missed; at 0, crowded texts raise false alarms.
"""
ROUNDING = 1e-3
"""How far a cosine may be off in half precision."""
COPY_DISTANCE = 1e-4
"""A distance that counts as none: what half precision or rounding leaves of a copy."""


class IndexMembership:
    """Infers whether a store holds a candidate text, from the scores of its nearest neighbours.

    The adversary sees: the cosines of the best hits of a search (no text, no vector), the encoder's vectors of its
    queries, and texts of its own that are known not to be in the store. It queries the encoder and the store once per
    candidate. Shapes: `infer` takes m texts and returns m scores.

    `recipe="default"` compares the distance to the best of so many `neighbours` with the mean distance to the others,
    at half its weight: a text in a crowd always has something near it, yet a member may be in one too. A hit at
    distance zero is compared with the usual neighbourhood of the adversary's own texts, since the store may hold a
    record many times. If it is known how the store represents a vector (`stored_form` in `fit`), scores are taken as
    shares of what a copy would score: stored in one bit per number a copy is far from cosine 1, yet no other code comes
    as near. `recipe="top"` is the best score as it is.

    `threshold_` is the score that 1% of the adversary's own texts reach, or one text of fewer than a hundred. A record
    whose exact copy is in the store under another name cannot be distinguished from a member, nor can a candidate that
    was changed as much as a near copy was: these scores show that the text is in the store, not whose it is.
    """

    info = AttackInfo(
        name="index-membership",
        summary="infers whether a vector store holds a text, from the scores of a search alone",
        output=MembershipGuesses,
        access=("queries", "scores", "texts"),
        recipes=("default", "top"),
    )

    def __init__(self, *, recipe: Literal["default", "top"] = "default", neighbours: int = 10) -> None:
        self.recipe = recipe
        self.neighbours = neighbours

    def fit(
        self,
        texts: Sequence[str],
        *,
        index: ScoredIndex,
        encoder: Encoder,
        stored_form: Callable[[Vectors], Vectors] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Query texts that are not in the store; `stored_form` maps a vector to what the store's form leaves of it."""
        check_choice("recipe", self.recipe, ("default", "top"))
        check_floor("neighbours", self.neighbours, 2)
        if len(texts) < FEWEST_TEXTS:
            raise InputError(
                f"{len(texts)} texts that are not in the store are too few to set a threshold; "
                f"fit needs at least {FEWEST_TEXTS}"
            )
        self.index_, self.encoder_, self.stored_form_ = index, encoder, stored_form
        found = self._distances(texts, progress)
        self.typical_ = float(np.median(found[:, 1:]))
        self.threshold_ = float(np.quantile(self._scores(found), 1 - FALSE_ALARMS, method="higher"))
        return self

    def infer(self, texts: Sequence[str], *, progress: Progress = silent) -> MembershipGuesses:
        """One score per candidate; the higher, the likelier that the store holds the text."""
        if not hasattr(self, "index_"):
            raise NotFitted("IndexMembership.infer was called before fit; call fit(texts, index=..., encoder=...)")
        return MembershipGuesses(self._scores(self._distances(texts, progress)))

    def _distances(self, texts: Sequence[str], progress: Progress) -> Floats:
        """From each text to its nearest in the store: one minus the share of the cosine of a copy."""
        queries = unit_length(as_vectors(self.encoder_.encode(texts, progress=progress)))
        found = _as_cosines(self.index_.search(queries, self.neighbours), (len(queries), self.neighbours))
        return 1 - found / self._copy_scores(queries)[:, None]

    def _scores(self, distances: Floats) -> Floats:
        best = np.maximum(distances[:, 0], 0)
        if self.recipe == "top":
            return 1 - distances[:, 0]
        others = np.where(best < COPY_DISTANCE, self.typical_, distances[:, 1:].mean(axis=1))
        return CROWD_WEIGHT * np.log(others + COPY_DISTANCE) - np.log(best + COPY_DISTANCE)

    def _copy_scores(self, queries: Vectors) -> Floats:
        """The score of each query if the store held it."""
        if self.stored_form_ is None or self.recipe == "top":
            return np.ones(len(queries))
        copies = unit_length(as_vectors(self.stored_form_(queries), queries.shape[1]))
        return np.asarray((queries * copies).sum(axis=1), np.float64)


def _as_cosines(found: Floats, shape: tuple[int, int]) -> Floats:
    """Check that the answer of a search can be cosines."""
    scores = np.asarray(found, dtype=np.float64)
    if scores.shape != shape:
        raise InputError(
            f"the index answered with scores of shape {scores.shape}; expected {shape}, one row per query and "
            "one column per neighbour; use fewer neighbours if the store is small"
        )
    if not (np.abs(scores) <= 1 + ROUNDING).all():
        raise InputError(
            "the index answered with scores beyond -1 and 1; expected cosines; make its vectors unit length"
        )
    if (np.diff(scores, axis=1) > ROUNDING).any():
        raise InputError("the index answered with scores that rise along a row; expected cosines, the best first")
    return scores
