"""Splits by document: what the adversary studies never comes from a document under attack."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.text.sentences import split_sentences
from vestige.text.words import words


@dataclass(frozen=True)
class Split:
    """Row numbers on either side of the wall, each in rising order."""

    auxiliary: list[int]
    target: list[int]


def split_documents(
    documents: Sequence[str], target_share: float, rng: np.random.Generator, *, fewest: int = 1
) -> Split:
    """Give a share of the *documents*, and at least `fewest`, to the target side; a document's rows all go with it."""
    names = sorted(set(documents))
    count = max(fewest, round(target_share * len(names)))
    chosen = {names[place] for place in rng.permutation(len(names))[:count]}
    target = [row for row, name in enumerate(documents) if name in chosen]
    auxiliary = [row for row, name in enumerate(documents) if name not in chosen]
    return Split(auxiliary, target)


def sample_rows(rows: Sequence[int], most: int, rng: np.random.Generator) -> list[int]:
    """At most `most` of the rows, drawn uniformly, in rising order."""
    if len(rows) <= most:
        return list(rows)
    return sorted(int(row) for row in rng.choice(np.asarray(rows), size=most, replace=False))


def copies(texts: Sequence[str], forbidden: Sequence[str]) -> list[int]:
    """The rows whose text is, word for word, one of the forbidden ones or a sentence of one.

    Case and punctuation do not count.
    """
    known = {tuple(words(part)) for text in forbidden for part in (text, *split_sentences(text))}
    return [row for row, text in enumerate(texts) if tuple(words(text)) in known]
