"""One seed, a stream for each purpose: what one step draws never moves what another draws."""

from zlib import crc32

import numpy as np


def stream(seed: int, purpose: str) -> np.random.Generator:
    """The generator for one purpose."""
    return np.random.default_rng([seed, crc32(purpose.encode())])
