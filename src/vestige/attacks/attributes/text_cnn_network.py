"""The layers of the convolutional reader."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class ConvolvedWords(nn.Module):
    """Word vectors, convolutions of several widths, the maximum over the text, dropout, a linear layer."""

    def __init__(self, words: int, dimension: int, filters: int, widths: Sequence[int], classes: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(words, dimension, padding_idx=0)
        self.convolutions = nn.ModuleList(nn.Conv1d(dimension, filters, width) for width in widths)
        self.dropout = nn.Dropout(0.5)
        self.output = nn.Linear(filters * len(widths), classes)

    def forward(self, rows: Tensor) -> Tensor:
        """From (texts, length) of word numbers to (texts, classes) of logits."""
        seen = self.vectors(rows).transpose(1, 2)
        found = [convolution(seen).relu().amax(dim=2) for convolution in self.convolutions]
        logits: Tensor = self.output(self.dropout(torch.cat(found, dim=1)))
        return logits
