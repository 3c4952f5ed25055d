"""Does a column hold texts, or labels and numbers?"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from vestige.text.words import unspaced_share

FEWEST_WORDS = 3
FEWEST_SIGNS, UNSPACED = 6, 0.3
FEWEST_DIFFERENT = 0.2

_SPOKEN = re.compile(r"(?:^|\s)\W*[^\W\d_]")


def read_as_text(values: Sequence[Any]) -> bool:
    """Whether a column reads as text and not as labels: some words a row, and not the same few rows again and again."""
    filled = [value for value in values if isinstance(value, str) and value.strip()]
    if not filled or len(set(filled)) < FEWEST_DIFFERENT * len(filled):
        return False
    few = filled[:1000]
    if unspaced_share(few) > UNSPACED:
        return bool(np.mean([len(value) for value in few]) >= FEWEST_SIGNS)
    return bool(np.mean([len(_SPOKEN.findall(value)) for value in few]) >= FEWEST_WORDS)
