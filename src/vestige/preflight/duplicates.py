"""Vectors that occur more than once, exactly or nearly."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check, CheckLevel
from vestige.types import Flags, Integers, Vectors

NEAR = 0.999
"""The cosine from which two different vectors count as near-duplicates."""

BLOCK = 256
"""Rows that are compared with all others at a time: their cosines take 20 MB for a sample of 20,000."""
MANY, FEW = 0.01, 0.001


def check_duplicates(sample: VectorSample) -> Iterator[Check]:
    """Equal and nearly equal vectors, and whether the texts of equal vectors are equal too."""
    if len(sample.valid) < 2:
        return
    texts = None if sample.texts is None else [sample.texts[place] for place in sample.valid]
    first = find_first_equal(sample.vectors[sample.valid])
    yield _check_equal(first, texts)
    yield check_near(sample, first)


def check_near(sample: VectorSample, first: Integers) -> Check:
    """Different vectors that are nearly equal; `first` is the first equal row of each."""
    near = find_near(sample.directions, first)
    share = float(near.mean())
    evidence = {"rows": int(near.sum()), "share": share, "cosine": NEAR}
    if near.any():
        sentence = (
            f"{int(near.sum()):,} of {len(near):,} vectors ({share:.1%}) have a cosine of {NEAR} or more with another. "
            "Treat such texts as one document in an audit."
        )
        return Check("near-duplicates", "note", sentence, evidence)
    return Check("near-duplicates", "ok", f"No two different vectors have a cosine of {NEAR} or more.", evidence)


def find_first_equal(vectors: Vectors) -> Integers:
    """For each row, the first row that is equal to it in every bit."""
    rows = np.ascontiguousarray(vectors + np.float32(0))
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, group = np.unique(whole, return_index=True, return_inverse=True)
    return np.asarray(first[group], np.int64)


def find_near(directions: Vectors, first: Integers) -> Flags:
    """Which rows have a different vector near them; products of blocks, so that each pair is compared once."""
    distinct = np.unique(first)
    rows = directions[distinct]
    near = np.zeros(len(rows), dtype=np.bool_)
    for start in range(0, len(rows), BLOCK):
        similar = rows[start : start + BLOCK] @ rows[start:].T >= NEAR
        if similar.sum() == len(similar):
            continue
        one, other = np.nonzero(similar)
        apart = one != other
        near[start + one[apart]] = near[start + other[apart]] = True
    flags = np.zeros(len(directions), dtype=np.bool_)
    flags[distinct] = near
    return flags[first]


def _check_equal(first: Integers, texts: Sequence[str] | None) -> Check:
    repeated = np.flatnonzero(first != np.arange(len(first)))
    if texts is None:
        return describe_equal(len(repeated), len(first), None)
    same = sum(fold_text(texts[row]) == fold_text(texts[int(first[row])]) for row in repeated.tolist())
    return describe_equal(len(repeated), len(first), same)


def describe_equal(repeated: int, rows: int, same: int | None, *, about: str = "") -> Check:
    """The check of equal vectors; `same` of the repeated ones have the text of the first, None if that is unknown."""
    share = repeated / rows
    evidence = {"rows": repeated, "share": share}
    if not repeated:
        return Check("duplicates", "ok", "No vector occurs twice.", evidence)
    problem = f"{about}{repeated:,} of {rows:,} vectors ({share:.1%}) repeat an earlier one"
    level: CheckLevel = "warning" if share >= MANY else "note"
    if same is None:
        return Check("duplicates", level, f"{problem}. Give the texts to see whether they repeat too.", evidence)
    evidence["same_text"] = same
    if same == repeated:
        remedy = "Name a document column for an audit, or drop them: a text on both sides of a split proves nothing."
        return Check("duplicates", level, f"{problem}, and so do their texts. {remedy}", evidence)
    return Check(
        "duplicates",
        "warning" if repeated - same >= max(2, FEW * rows) else level,
        f"{problem}, {repeated - same:,} of them with another text. One vector for different texts means that "
        "texts were truncated, were empty, or failed to encode.",
        evidence,
    )


def fold_text(text: str) -> list[str]:
    """The words without case and white space, which many encoders do not see."""
    return text.casefold().split()
