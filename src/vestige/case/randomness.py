"""One seed, and a stream of random numbers per purpose: the draws of one step never shift those of another."""

from zlib import crc32

import numpy as np


def stream(seed: int, purpose: str) -> np.random.Generator:
    """The generator for one purpose."""
    return np.random.default_rng([seed, crc32(purpose.encode())])
