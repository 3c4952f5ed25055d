"""Vectors that come more than once, and such as nearly do."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check, CheckLevel
from vestige.types import Flags, Integers, Vectors

NEAR = 0.999
BLOCK = 1024
MANY, FEW = 0.01, 0.001


def check_duplicates(specimen: Specimen) -> Iterator[Check]:
    """Equal vectors and near-equal ones, and whether their texts are equal too."""
    if len(specimen.sound) < 2:
        return
    texts = None if specimen.texts is None else [specimen.texts[place] for place in specimen.sound]
    first = first_equal(specimen.vectors[specimen.sound])
    yield _equal(first, texts)
    near = near_another(specimen.directions, first)
    share = float(near.mean())
    evidence = {"rows": int(near.sum()), "share": share, "cosine": NEAR}
    if near.any():
        said = f"{int(near.sum()):,} of {len(near):,} vectors ({share:.1%}) have another at a cosine of {NEAR} or more."
        yield Check("near-duplicates", "note", f"{said} Count such texts as one document in an audit.", evidence)
    else:
        yield Check("near-duplicates", "ok", f"No two different vectors have a cosine of {NEAR} or more.", evidence)


def first_equal(vectors: Vectors) -> Integers:
    """For each row the first that is equal to it in every bit."""
    rows = np.ascontiguousarray(vectors + np.float32(0))
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, group = np.unique(whole, return_index=True, return_inverse=True)
    return np.asarray(first[group], np.int64)


def near_another(directions: Vectors, first: Integers) -> Flags:
    """Which rows have a different vector near them, by products of blocks; each pair is looked at once."""
    kept = np.unique(first)
    rows = directions[kept]
    near = np.zeros(len(rows), dtype=np.bool_)
    for start in range(0, len(rows), BLOCK):
        cosines = rows[start : start + BLOCK] @ rows[start:].T
        if (cosines >= NEAR).sum() == len(cosines):
            continue
        one, other = np.nonzero(cosines >= NEAR)
        apart = one != other
        near[start + one[apart]] = near[start + other[apart]] = True
    found = np.zeros(len(directions), dtype=np.bool_)
    found[kept] = near
    return found[first]


def _equal(first: Integers, texts: Sequence[str] | None) -> Check:
    again = np.flatnonzero(first != np.arange(len(first)))
    share = len(again) / len(first)
    evidence = {"rows": len(again), "share": share}
    if not len(again):
        return Check("duplicates", "ok", "No vector comes twice.", evidence)
    said = f"{len(again):,} of {len(first):,} vectors ({share:.1%}) repeat an earlier one"
    level: CheckLevel = "warning" if share >= MANY else "note"
    if texts is None:
        return Check(
            "duplicates", level, f"{said}. Whether their texts are equal too cannot be told without them.", evidence
        )
    same = sum(_spoken(texts[row]) == _spoken(texts[int(first[row])]) for row in again.tolist())
    evidence["same_text"] = same
    if same == len(again):
        remedy = "Give an audit a document column, or drop them: a text on both sides of a split is no test."
        return Check("duplicates", level, f"{said}, and so do their texts. {remedy}", evidence)
    return Check(
        "duplicates",
        "warning" if len(again) - same >= max(2, FEW * len(first)) else level,
        f"{said}, {len(again) - same:,} of them with another text: one vector stands for different texts, as where "
        "texts are cut, empty, or failed to encode.",
        evidence,
    )


def _spoken(text: str) -> list[str]:
    """Capitals and white space, which many encoders do not see, make no difference."""
    return text.casefold().split()
