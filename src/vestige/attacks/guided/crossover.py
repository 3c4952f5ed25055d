"""Spans of other texts in the place of one's own: how a search leaves a local optimum."""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import numpy as np

from vestige.attacks.guided.lexicon import Palette, Text
from vestige.types import Vectors


def cross(text: Text, other: Text) -> Iterator[Text]:
    """The text with one span taken from the other; spans are what differs between words that the two share."""
    for kind, begin, end, first, last in SequenceMatcher(None, text, other, autojunk=False).get_opcodes():
        if kind != "equal":
            yield (*text[:begin], *other[first:last], *text[end:])


def rank_children(
    text: Text, vector: Vectors, target: Vectors, others: Iterable[Text], palette: Palette, weight: float
) -> list[tuple[float, Text]]:
    """The children of a text with others, by the cosine that the effects of their words let expect, and fluency."""
    base = vector - palette.effects[list(text)].sum(axis=0) / np.sqrt(len(text))
    children = dict.fromkeys(child for other in others for child in cross(text, other) if child)
    found = []
    for child in children:
        moved = base + palette.effects[list(child)].sum(axis=0) / np.sqrt(len(child))
        cosine = float(moved @ target) / max(float(np.linalg.norm(moved)), 1e-6)
        found.append((cosine + weight * float(palette.fluency(np.array([child]))[0]), child))
    return sorted(found, key=lambda pair: -pair[0])
