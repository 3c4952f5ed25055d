"""The toy encoder of conftest, opened: its words, their vectors, and their mean made unit length."""

from zlib import crc32

import numpy as np
import torch

from vestige.text.words import words

SYLLABLES = ("ba", "co", "du", "fe", "gi", "ka", "lo", "mu", "ne", "po")


class ToyBox:
    """White box of `WordSum`. Its one layer is the mean, turned by a fixed rotation if asked, at unit length."""

    layers = 1

    def __init__(self, *, turned: bool = False) -> None:
        self.words = [first + second + "x" for first in SYLLABLES for second in SYLLABLES]
        rows = [np.random.default_rng(crc32(word.encode())).standard_normal(64) for word in self.words]
        self.word_matrix = torch.tensor(np.array(rows), dtype=torch.float32)
        self.rotation = torch.linalg.qr(torch.randn(64, 64, generator=torch.Generator().manual_seed(3)))[0]
        self.turned = turned
        self._row = {word: row for row, word in enumerate(self.words)}

    def word_ids(self, text):
        return [self._row[word] for word in words(text) if word in self._row]

    def embed(self, word_vectors, *, layer=None):
        mean = word_vectors.mean(dim=1)
        if layer == 0:
            return mean
        return torch.nn.functional.normalize(mean @ self.rotation if self.turned else mean, dim=1)

    def encode(self, texts):
        return np.concatenate([self.embed(self.word_matrix[self.word_ids(text)][None]).numpy() for text in texts])
