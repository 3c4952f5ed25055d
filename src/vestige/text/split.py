"""Splits by document: the adversary's texts never come from a document under attack."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.text.sentences import split_sentences
from vestige.text.words import words


@dataclass(frozen=True)
class Split:
    """The rows of the auxiliary and of the target texts, each in ascending order."""

    auxiliary: list[int]
    target: list[int]


def split_documents(
    documents: Sequence[str], target_share: float, rng: np.random.Generator, *, fewest: int = 1
) -> Split:
    """Assign a random share of the *documents*, but at least `fewest`, with all of their rows to the target side."""
    names = sorted(set(documents))
    count = max(fewest, round(target_share * len(names)))
    chosen = {names[place] for place in rng.permutation(len(names))[:count]}
    target = [row for row, name in enumerate(documents) if name in chosen]
    auxiliary = [row for row, name in enumerate(documents) if name not in chosen]
    return Split(auxiliary, target)


def sample_rows(rows: Sequence[int], most: int, rng: np.random.Generator) -> list[int]:
    """At most `most` of the rows, sampled uniformly without replacement, in ascending order."""
    if len(rows) <= most:
        return list(rows)
    return sorted(int(row) for row in rng.choice(np.asarray(rows), size=most, replace=False))


def find_copies(texts: Sequence[str], forbidden: Sequence[str]) -> list[int]:
    """The rows whose text equals one of the forbidden texts, or a sentence of one, word for word.

    Case and punctuation are ignored.
    """
    known = {tuple(words(part)) for text in forbidden for part in (text, *split_sentences(text))}
    return [row for row, text in enumerate(texts) if tuple(words(text)) in known]
