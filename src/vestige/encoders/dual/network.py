"""The networks inside a dual encoder: word vectors, the layers above them, and the mean over the words of a text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from vestige.encoders.dual.choices import Architecture

POSITION_SCALE = 0.1
SPREAD = 20.0


@dataclass(frozen=True)
class Shape:
    """What the weights alone do not tell: which layers to build, and how many words of a text they read."""

    architecture: Architecture
    dimension: int
    layers: int
    heads: int
    longest: int
    normed: bool


class Recurrent(nn.LSTM):
    """An LSTM that reads forwards, so that words past the end of a text cannot touch those within it."""

    def forward(self, states: Tensor, _past_end: Tensor | None) -> Tensor:  # type: ignore[override]
        """One state a word."""
        return super().forward(states)[0]


class Attentive(nn.TransformerEncoderLayer):
    """A Transformer layer in which no word attends to places past the end of its text. Untrained, it adds nothing."""

    def __init__(self, dimension: int, heads: int) -> None:
        super().__init__(dimension, heads, 2 * dimension, dropout=0.0, batch_first=True, norm_first=True)
        nn.init.zeros_(self.self_attn.out_proj.weight)
        nn.init.zeros_(self.linear2.weight)
        nn.init.zeros_(self.linear2.bias)

    def forward(self, states: Tensor, past_end: Tensor | None) -> Tensor:  # type: ignore[override]
        """One state a word."""
        return super().forward(states, src_key_padding_mask=past_end)


class DualNetwork(nn.Module):
    """Phi of Song & Raghunathan: the same network reads a sentence and the sentence next to it.

    Where `normed`, the pooled state passes a layer norm. Without, the length of a vector, which mostly tells how short
    the text is, decides the dot products of Eq. 2; with it they start between about -`SPREAD` and `SPREAD`.
    """

    def __init__(self, shape: Shape, words: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(words, shape.dimension)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(_layers(shape))
        self.norm = _norm(shape.dimension) if shape.normed else nn.Identity()

    def forward(self, word_vectors: Tensor, lengths: Tensor | None = None, *, layer: int | None = None) -> Tensor:
        """From (texts, places, dimension) to one vector a text, or with a `layer` to the mean of its states.

        Without `lengths` every text fills all places.
        """
        past_end = None if lengths is None else torch.arange(word_vectors.shape[1]) >= lengths[:, None]
        states = self.dropout(word_vectors)
        if layer != 0 and self.shape.architecture == "transformer":
            states = states + positions(word_vectors.shape[1], self.shape.dimension)
        for above in self.layers[:layer]:
            states = above(states, past_end)
        pooled = _mean(states.float(), lengths, past_end)
        normed: Tensor = self.norm(pooled)
        return normed if layer is None else pooled

    def vectors(self, texts: Sequence[Sequence[int]], *, places: int) -> Tensor:
        """One vector a text, in the order given; texts of like length travel together, `places` words at a time."""
        done, order = [], []
        for rows in _of_like_length([len(text) for text in texts], places):
            lengths = torch.tensor([len(texts[row]) for row in rows])
            padded = nn.utils.rnn.pad_sequence([torch.tensor(texts[row]) for row in rows], batch_first=True)
            done.append(self(self.words(padded), lengths))
            order += rows
        return torch.cat(done)[torch.argsort(torch.tensor(order))]


def _norm(dimension: int) -> nn.LayerNorm:
    norm = nn.LayerNorm(dimension)
    nn.init.constant_(norm.weight, (SPREAD / dimension) ** 0.5)
    return norm


def _mean(states: Tensor, lengths: Tensor | None, past_end: Tensor | None) -> Tensor:
    if lengths is None or past_end is None:
        return states.mean(dim=1)
    return states.masked_fill(past_end[..., None], 0.0).sum(dim=1) / lengths[:, None]


def positions(places: int, width: int) -> Tensor:
    """The sines and cosines that tell a Transformer where a word stands (Vaswani et al. 2017), short beside a word."""
    angles = torch.arange(places)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    return POSITION_SCALE * torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)[:, :width]


def _layers(shape: Shape) -> list[nn.Module]:
    if shape.architecture == "lstm":
        return [Recurrent(shape.dimension, shape.dimension, batch_first=True) for _ in range(shape.layers)]
    return [Attentive(shape.dimension, shape.heads) for _ in range(shape.layers)]


def _of_like_length(lengths: Sequence[int], places: int) -> Iterator[list[int]]:
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if rows and lengths[row] * (len(rows) + 1) > places:
            yield rows
            rows = []
        rows.append(row)
    yield rows
