"""Our learned similarity: a ratio of Gaussians, the dot product and the lengths, weighed by logistic regression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vestige.attacks.membership.gaussian import GaussianRatio
from vestige.attacks.membership.neighbours import Pairs
from vestige.types import Flags, Floats, Integers, Vectors

FOLDS = 5


@dataclass(frozen=True)
class Evidence:
    """What speaks for a member, and the weight of each piece of it, as log odds.

    With vectors of a `reference` encoder that did not learn from the pair, their dot product and lengths are weighed
    as well: they say how similar the two sentences are without having been learned.
    """

    ratio: GaussianRatio
    weights: Floats
    bias: float

    @classmethod
    def of(
        cls,
        vectors: Vectors,
        pairs: Pairs,
        members: Flags,
        documents: Sequence[str],
        *,
        reference: Pairs | None,
        rng: np.random.Generator,
    ) -> Self:
        """Weights from ratios that each document had no part in; `documents` and `members` are those of the pairs."""
        from sklearn.linear_model import LogisticRegression

        folds = _folds(documents, members, rng)
        ratios = np.empty(len(members))
        for fold in range(folds.max() + 1):
            held = folds == fold
            ratios[held] = GaussianRatio.of(vectors, pairs.take(~held), members[~held]).scores(pairs.take(held))
        columns = _columns(ratios, pairs, reference)
        centre, scale = columns.mean(axis=0), columns.std(axis=0).clip(min=np.finfo(np.float64).tiny)
        weighed = LogisticRegression().fit((columns - centre) / scale, members)
        weights: Floats = weighed.coef_[0] / scale
        bias = float(weighed.intercept_[0] - centre @ weights)
        return cls(GaussianRatio.of(vectors, pairs, members), weights, bias)

    def scores(self, pairs: Pairs, reference: Pairs | None = None) -> Floats:
        """The log odds of each pair."""
        values: Floats = _columns(self.ratio.scores(pairs), pairs, reference) @ self.weights + self.bias
        return values


def _columns(ratios: Floats, pairs: Pairs, reference: Pairs | None) -> Floats:
    known = [pairs] if reference is None else [pairs, reference]
    return np.column_stack([ratios, *(column for each in known for column in (each.products, each.squares))])


def _folds(documents: Sequence[str], members: Flags, rng: np.random.Generator) -> Integers:
    """The fold of each pair; documents are dealt out, those of either side on their own."""
    fold: dict[str, int] = {}
    named = list(zip(documents, members.tolist(), strict=True))
    sides = [sorted({name for name, member in named if member == side}) for side in (True, False)]
    count = min(FOLDS, *map(len, sides))
    for names in sides:
        fold |= {names[place]: turn % count for turn, place in enumerate(rng.permutation(len(names)))}
    return np.array([fold[name] for name in documents], dtype=np.int64)
