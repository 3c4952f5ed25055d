"""A tiny language of ordered sentences, and an encoder whose vectors keep the order."""

from functools import cache
from itertools import product

import numpy as np

from vestige.types import silent

SUBJECTS = ("anna", "the dog", "my bank", "a nurse", "our boss", "the film")
VERBS = ("likes", "sold", "broke", "lost", "found", "painted")
OBJECTS = ("two old cars", "a red house", "the money", "seven birds", "her key", "green tea")


@cache
def _direction(word, place):
    own, moved = (np.random.default_rng([*word.encode(), number]).standard_normal(48) for number in (99, place))
    return own + 0.5 * moved


class OrderedSum:
    """The sum of two random vectors per word, one of which depends on its place, at unit length."""

    name = "ordered-sum"
    identity = "ordered-sum of 48 dimensions"
    dimension = 48

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        rows = [
            sum((_direction(word, place) for place, word in enumerate(text.split())), np.zeros(48)) for text in texts
        ]
        rows = np.array(rows, np.float32).reshape(-1, 48)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def sentences():
    """All sentences of the language in random order."""
    whole = [" ".join(parts) for parts in product(SUBJECTS, VERBS, OBJECTS)]
    return [whole[place] for place in np.random.default_rng(0).permutation(len(whole))]
