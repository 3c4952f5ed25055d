"""Align stolen vectors with vectors of one's own text, without any pair or with a few.

The stolen vectors are those of unknown texts under a secret map that preserves cosines, such as a rotation. The own
vectors are those of other texts of the same kind, by the same encoder, which is public. Both clouds then have the same
shape. First, directions that correspond are found from numbers that no rotation changes (`descriptors.py`), or from
known pairs. Then the two clouds are matched by optimal transport in the few directions that agree best, the matches
give an orthogonal map, and more directions are used in every round (Wasserstein-Procrustes, after Grave et al. 2019).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.alignment.columns import assign_columns, compare_columns, match_columns
from vestige.attacks.alignment.descriptors import find_anchors
from vestige.attacks.rows import unit_length
from vestige.types import Floats, Singles, Vectors

FEWEST = 50
FIRST = ((4, 10, 5), (6, 10, 10), (8, 10, 10), (12, 12, 10), (16, 15, 10))
THEN = ((24, 15, 10), (32, 20, 10), (64, 20, 10), (128, 25, 10))
"""Directions that are compared, the sharpness of the matching, and the steps, round by round."""

TRIES, MORE_TRIES, MANY = 4, 10, 1000
"""Starts without pairs, each from other rows, of which the one that fits best after the first rounds is continued. With
fewer stolen rows than `MANY` more starts fail, and a start takes less time."""

LAST = (2**20, 20, 40)
"""The last round, in all directions: its matches are averaged over the steps."""

MEMORY = 0.8
"""The share of earlier matches in that average."""

MATCHED, SCORED, SEARCHED = 2000, 1000, 4000
"""Rows of each side in a step; stolen rows in a score, and own rows that they search."""

DRAWN = 0.8
"""The share of the rows that a start is made of."""

BALANCES = 5
HELD_OUT = 5
"""Every fifth stolen row decides between maps, and is not fitted to."""

ENOUGH = 0.9
"""A simple map is right if mapped rows are nearly as close to own rows as own rows are to each other."""

KNOWN = 10.0
"""The weight of a known pair; a row that is matched by transport has weight 1, and is matched to a mixture."""

FEW = 50
"""With fewer known pairs than this, a search without them is tried as well."""

REMATCHED = 5
"""How often the columns of a permutation are assigned again, from rows that it matches."""

Pairs = tuple[Vectors, Vectors]
"""Stolen vectors of known texts and, row by row, the own vectors of these texts."""


@dataclass(frozen=True)
class Alignment:
    """`map(x) = (x - centre) @ matrix + offset`, from stolen vectors to the space of one's own.

    `score` is the mean cosine of a mapped row to the nearest own row, `expected` that between two halves of the own
    rows: if the first comes close to the second, the map is right, and the adversary knows it.
    """

    centre: Singles
    matrix: Singles
    offset: Singles
    score: float
    expected: float

    def __call__(self, vectors: Vectors) -> Singles:
        """One row in, one row out."""
        return np.asarray((vectors - self.centre) @ self.matrix + self.offset, dtype=np.float32)


@dataclass(frozen=True)
class Clouds:
    """Both sides around their means, as wide as the wider one, at a mean length of 1."""

    stolen: Singles
    own: Singles

    def match(self, crossed: Floats, directions: int, sharpness: float, rng: np.random.Generator) -> Floats:
        """The cross-covariance of rows that are matched in the best of the corresponding directions."""
        left, _, right = np.linalg.svd(crossed)
        stolen, own = (rows[rng.permutation(len(rows))[:MATCHED]] for rows in (self.stolen, self.own))
        ours, theirs = unit_length(own @ right[:directions].T), unit_length(stolen @ left[:, :directions])
        plan = transport((theirs @ ours.T).astype(np.float32), sharpness)
        matched: Floats = stolen.T @ (plan @ own)
        return matched.astype(np.float64)

    def score(self, matrix: Floats) -> float:
        """The mean cosine of a mapped stolen row to the nearest own row."""
        return _mean_nearest(self.stolen[:SCORED] @ matrix, self.own[:SEARCHED])

    @property
    def expected(self) -> float:
        """The same between own rows, a quarter of them at most against the others."""
        scored = min(SCORED, max(len(self.own) // 4, 1))
        return _mean_nearest(self.own[-scored:], self.own[:-scored][:SEARCHED])


def align(stolen: Vectors, own: Vectors, *, rng: np.random.Generator, known: Pairs | None = None) -> Alignment:
    """The orthogonal map, up to scale and the two means, under which the stolen rows lie among the own ones.

    Maps that are not fitted to the stolen rows come first: the identity, a matching of columns, and what `known` pairs
    determine by themselves. One of them is taken if it explains the rows. Otherwise they compete with maps that are
    fitted to stolen rows, on rows that these were not fitted to: on their own rows, fitted maps look better than they
    are. Known pairs are where a search starts, and count in every step.
    """
    clouds, scale = _centre(stolen, own)
    pairs = None if known is None or not len(known[0]) else _centre_pairs(known, stolen, own)
    simple = [np.eye(clouds.own.shape[1]), match_columns(clouds.stolen, clouds.own)]
    simple += [] if pairs is None else [_rotate(_cross(pairs)), assign_columns(compare_columns(*pairs))]
    best = max(simple, key=clouds.score)
    if clouds.score(best) < ENOUGH * clouds.expected:
        unseen = np.zeros(len(stolen), bool)
        unseen[::HELD_OUT] = len(stolen) >= 2 * HELD_OUT
        seen, judge = (replace(clouds, stolen=clouds.stolen[rows]) for rows in (~unseen, unseen | (not unseen.any())))
        fitted = [matrix for each in _refine_all(stolen[~unseen], own, seen, pairs, rng) for matrix in each]
        best = max([*simple, *fitted], key=judge.score)
    matrix = scale * best[: stolen.shape[1], : own.shape[1]]
    return Alignment(
        stolen.mean(axis=0), matrix.astype(np.float32), own.mean(axis=0), clouds.score(best), clouds.expected
    )


def align_pairs(known: Pairs) -> Alignment:
    """The same from known pairs alone: orthogonal Procrustes (Schönemann 1966)."""
    clouds, scale = _centre(*known)
    best = _rotate((clouds.stolen.T @ clouds.own).astype(np.float64))
    matrix = scale * best[: known[0].shape[1], : known[1].shape[1]]
    return Alignment(known[0].mean(axis=0), matrix.astype(np.float32), known[1].mean(axis=0), np.nan, np.nan)


def transport(cosines: Singles, sharpness: float) -> Singles:
    """Which row goes to which, in shares: the rows of the result add up to about 1, the columns to the same number.

    Sinkhorn's balancing of exp(sharpness · cosine); without it a few rows would be nearest to everything.
    """
    plan = np.exp(sharpness * (cosines - cosines.max(axis=1, keepdims=True)))
    tiny, columns = np.float32(1e-30), np.ones(plan.shape[1], np.float32)
    for _ in range(BALANCES):
        rows = 1 / (plan @ columns + tiny)
        columns = np.float32(len(plan) / plan.shape[1]) / (plan.T @ rows + tiny)
    balanced: Singles = plan * rows[:, None] * columns
    return balanced


def _centre(stolen: Vectors, own: Vectors) -> tuple[Clouds, float]:
    """Both clouds, and the factor between their scales."""
    width = max(stolen.shape[1], own.shape[1])
    centred = [np.pad(rows - rows.mean(axis=0), ((0, 0), (0, width - rows.shape[1]))) for rows in (stolen, own)]
    lengths = [max(float(np.linalg.norm(rows, axis=1).mean()), 1e-12) for rows in centred]
    clouds = Clouds(*((rows / length).astype(np.float32) for rows, length in zip(centred, lengths, strict=True)))
    return clouds, lengths[1] / lengths[0]


def _refine_all(
    stolen: Vectors, own: Vectors, clouds: Clouds, pairs: Pairs | None, rng: np.random.Generator
) -> Iterator[list[Floats]]:
    """From known pairs, and from directions that correspond if there are few or none: a rotation, and permutations."""
    width = clouds.own.shape[1]
    pad = (0, width - stolen.shape[1]), (0, width - own.shape[1])
    if pairs is not None:
        paired = KNOWN * _cross(pairs)
        found = _run_rounds(clouds, (*FIRST, *THEN), paired, rng, paired)
        yield _finish_both(clouds, found, rng, paired)
    if (pairs is None or len(pairs[0]) < FEW) and min(len(stolen), len(own)) >= FEWEST:
        tries = TRIES if len(stolen) >= MANY * (1 - 1 / HELD_OUT) else MORE_TRIES
        starts = [_run_rounds(clouds, FIRST, _start(stolen, own, pad, rng), rng) for _ in range(tries)]
        best = max(starts, key=lambda crossed: clouds.score(_rotate(crossed)))
        yield _finish_both(clouds, _run_rounds(clouds, THEN, best, rng), rng)


def _finish_both(
    clouds: Clouds, crossed: Floats, rng: np.random.Generator, paired: Floats | float = 0.0
) -> list[Floats]:
    """The rotation, and the signed permutations nearest to it and to the distributions, each matched again."""
    rotation = _rotate(_finish(clouds, crossed, rng, paired))
    permutations = [assign_columns(rotation), match_columns(clouds.stolen, clouds.own)]
    for _ in range(REMATCHED):
        permutations = [assign_columns(clouds.match(each, *LAST[:2], rng) + paired) for each in permutations]
    return [rotation, *permutations]


def _centre_pairs(known: Pairs, stolen: Vectors, own: Vectors) -> Pairs:
    """The pairs around the means of their clouds, at length 1, as wide as the wider side."""
    width = max(stolen.shape[1], own.shape[1])
    there, here = (
        np.pad(unit_length(rows - cloud.mean(axis=0)), ((0, 0), (0, width - rows.shape[1])))
        for rows, cloud in zip(known, (stolen, own), strict=True)
    )
    return there, here


def _cross(pairs: Pairs) -> Floats:
    crossed: Floats = (pairs[0].T @ pairs[1]).astype(np.float64)
    return crossed


def _start(stolen: Vectors, own: Vectors, pad: tuple[tuple[int, int], ...], rng: np.random.Generator) -> Floats:
    """The cross-covariance of corresponding directions, from some of the rows."""
    theirs, ours = (rows[rng.permutation(len(rows))[: max(FEWEST, int(DRAWN * len(rows)))]] for rows in (stolen, own))
    return np.pad(find_anchors(theirs, ours, rng), pad)


def _run_rounds(
    clouds: Clouds,
    rounds: Sequence[tuple[int, float, int]],
    crossed: Floats,
    rng: np.random.Generator,
    paired: Floats | float = 0.0,
) -> Floats:
    """The cross-covariance after these rounds; that of known pairs, `paired`, is part of it in every step."""
    for directions, sharpness, steps in rounds:
        for _ in range(steps):
            crossed = clouds.match(crossed, directions, sharpness, rng) + paired
    return crossed


def _finish(clouds: Clouds, crossed: Floats, rng: np.random.Generator, paired: Floats | float = 0.0) -> Floats:
    directions, sharpness, steps = LAST
    for _ in range(steps):
        fresh = clouds.match(crossed, directions, sharpness, rng) + paired
        crossed = MEMORY * crossed + (1 - MEMORY) * fresh
    return crossed


def _rotate(crossed: Floats) -> Floats:
    """The orthogonal matrix nearest to a cross-covariance."""
    left, _, right = np.linalg.svd(crossed)
    rotation: Floats = left @ right
    return rotation


def _mean_nearest(rows: Floats | Singles, among: Vectors) -> float:
    rows = np.asarray(rows, np.float32)
    return float((unit_length(rows) @ unit_length(among).T).max(axis=1).mean())
