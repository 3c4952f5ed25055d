"""Random numbers of a law, row by row, out of streams of words. In single precision, but for what is one a row."""

import numpy as np

from vestige.defenses.streams import Streams, Words
from vestige.types import Floats, Singles

_LONGEST = np.float32(32 * np.log(2))
"""What a word of zeros says of an exponential number: it is longer."""


def normals(streams: Streams, columns: int) -> Singles:
    """Standard normal numbers, (rows, `columns`), by Box and Muller 1958."""
    half = -(-columns // 2)
    words = streams.words(2 * half)
    lengths = np.sqrt(2 * _exponentials(words[:, :half], streams))
    angles = words[:, half:].view(np.int32).astype(np.float32)
    angles *= np.float32(np.pi / 2**31)
    found = np.empty((len(streams), 2 * half), np.float32)
    np.multiply(np.cos(angles), lengths, out=found[:, :half])
    np.multiply(np.sin(angles), lengths, out=found[:, half:])
    return found[:, :columns]


def exponentials(streams: Streams, columns: int) -> Singles:
    """Exponential numbers of mean 1, (rows, `columns`)."""
    return _exponentials(streams.words(columns), streams)


def laplaces(streams: Streams, columns: int) -> Singles:
    """Laplace numbers of scale 1, (rows, `columns`): exponential ones, the sign of each by a bit of its own."""
    found, words = exponentials(streams, columns), streams.words(-(-columns // 32))
    signs = (words[..., None] << np.arange(32, dtype=np.uint32)) & np.uint32(2**31)
    found.view(np.uint32)[...] ^= signs.reshape(len(found), -1)[:, :columns]
    return found


def uniforms(streams: Streams) -> Floats:
    """A number a row between 0 and 1, neither of them, of 52 bits."""
    low, high = streams.words(2).astype(np.float64).T
    found: Floats = (np.floor(low / 2**12) * 2**32 + high + 0.5) / 2**52
    return found


def _exponentials(words: Words, streams: Streams) -> Singles:
    """By the logarithm of a number made of each word; the law has no memory, so beyond the longest it begins anew.

    Without that no number would be beyond 22.5, nor a normal one beyond 6.7: what then never occurs tells a guess from
    the truth, where a guarantee says that nothing does.
    """
    found = words.astype(np.float32)
    found += np.float32(0.5)
    found *= np.float32(2**-32)
    np.log(found, out=found)
    np.negative(found, out=found)
    if not words.all():
        beyond = np.flatnonzero(~words.all(axis=1))
        more = _LONGEST + exponentials(streams.below(beyond), words.shape[1])
        found[beyond] = np.where(words[beyond] == 0, more, found[beyond])
    return found
