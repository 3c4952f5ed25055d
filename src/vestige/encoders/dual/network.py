"""The network of a dual encoder: initial word vectors, layers, and the mean over the words of a text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch import Tensor, nn

from vestige.encoders.dual.settings import Architecture, Block, WordStart

POSITION_SCALE = 0.1
SVD_PASSES = 2
SPREAD = 20.0


@dataclass(frozen=True)
class DualShape:
    """What the weights do not determine: which layers to build, and how many words of a text are encoded."""

    architecture: Architecture
    dimension: int
    layers: int
    heads: int
    longest: int
    normed: bool
    block: Block = "identity"
    grid: float = 0.0


class RecurrentLayer(nn.LSTM):
    """A forward LSTM: padding after the end of a text cannot affect its states."""

    def forward(self, states: Tensor, _past_end: Tensor | None) -> Tensor:  # type: ignore[override]
        """One state per word."""
        return super().forward(states)[0]


class AttentionLayer(nn.TransformerEncoderLayer):
    """A Transformer layer that masks padding.

    "vaswani" is the layer of Vaswani et al. 2017: norms after the sums, a feed-forward part of four times the width,
    Glorot's initial weights. "identity" normalizes first, is half as wide, and is the identity before training.
    """

    def __init__(self, shape: DualShape, dropout: float) -> None:
        published = shape.block == "vaswani"
        super().__init__(
            shape.dimension,
            shape.heads,
            (4 if published else 2) * shape.dimension,
            dropout=dropout if published else 0.0,
            batch_first=True,
            norm_first=not published,
        )
        if published:
            self._start_as_published()
        else:
            self._start_as_identity()

    def _start_as_published(self) -> None:
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

    def _start_as_identity(self) -> None:
        nn.init.zeros_(self.self_attn.out_proj.weight)
        nn.init.zeros_(self.linear2.weight)
        nn.init.zeros_(self.linear2.bias)

    def forward(self, states: Tensor, past_end: Tensor | None) -> Tensor:  # type: ignore[override]
        """One state per word."""
        return super().forward(states, src_key_padding_mask=past_end)


class DualNetwork(nn.Module):
    """Phi of Song and Raghunathan 2020: the same network encodes a sentence and its neighbour.

    If `normed`, the pooled state passes through a layer norm. Otherwise the length of a vector, which mostly depends on
    how short the text is, dominates the dot products of Equation 2; with it they start between about -`SPREAD` and
    `SPREAD`. With a `grid`, every number of a vector is rounded to a multiple of it.
    """

    def __init__(self, shape: DualShape, words: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(words, shape.dimension)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(_build_layers(shape, dropout))
        self.norm = _build_norm(shape.dimension) if shape.normed else nn.Identity()

    def forward(self, word_vectors: Tensor, lengths: Tensor | None = None, *, layer: int | None = None) -> Tensor:
        """From (texts, places, dimension) to one vector per text, or to the mean state of a `layer`.

        Without `lengths` every text fills all places.
        """
        past_end = None if lengths is None else torch.arange(word_vectors.shape[1]) >= lengths[:, None]
        states = word_vectors if layer == 0 else self._first_states(word_vectors)
        for above in self.layers[:layer]:
            states = above(states, past_end)
        pooled = _mean(states.float(), lengths, past_end)
        return self._round(self.norm(pooled)) if layer is None else pooled

    def _round(self, vectors: Tensor) -> Tensor:
        """To multiples of the grid; training adds noise of the same size. Gradients pass as if nothing were rounded."""
        grid = self.shape.grid
        if not grid:
            return vectors
        if self.training:
            return vectors + grid * (torch.rand_like(vectors) - 0.5)
        return vectors + (grid * torch.round(vectors / grid) - vectors).detach()

    def _first_states(self, word_vectors: Tensor) -> Tensor:
        """The input of the first layer; an LSTM has no positions."""
        _, places, width = word_vectors.shape
        states: Tensor
        if self.shape.architecture == "lstm":
            states = self.dropout(word_vectors)
        elif self.shape.block == "vaswani":
            states = self.dropout(width**0.5 * word_vectors + encode_positions(places, width))
        else:
            states = self.dropout(word_vectors) + POSITION_SCALE * encode_positions(places, width)
        return states

    def vectors(self, texts: Sequence[Sequence[int]], *, places: int) -> Tensor:
        """One vector per text, in the order given; texts of similar length are batched, `places` words at a time."""
        done, order = [], []
        for rows in _batch_similar_lengths([len(text) for text in texts], places):
            lengths = torch.tensor([len(texts[row]) for row in rows])
            padded = nn.utils.rnn.pad_sequence([torch.tensor(texts[row]) for row in rows], batch_first=True)
            done.append(self(self.words(padded), lengths))
            order += rows
        return torch.cat(done)[torch.argsort(torch.tensor(order))]


def _build_norm(dimension: int) -> nn.LayerNorm:
    norm = nn.LayerNorm(dimension)
    nn.init.constant_(norm.weight, (SPREAD / dimension) ** 0.5)
    return norm


def _mean(states: Tensor, lengths: Tensor | None, past_end: Tensor | None) -> Tensor:
    if lengths is None or past_end is None:
        return states.mean(dim=1)
    return states.masked_fill(past_end[..., None], 0.0).sum(dim=1) / lengths[:, None]


def encode_positions(places: int, width: int) -> Tensor:
    """The sinusoidal positions of a Transformer (Vaswani et al. 2017)."""
    angles = torch.arange(places)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)[:, :width]


def _build_layers(shape: DualShape, dropout: float) -> list[nn.Module]:
    if shape.architecture == "lstm":
        return [RecurrentLayer(shape.dimension, shape.dimension, batch_first=True) for _ in range(shape.layers)]
    return [AttentionLayer(shape, dropout) for _ in range(shape.layers)]


def _batch_similar_lengths(lengths: Sequence[int], places: int) -> Iterator[list[int]]:
    rows: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if rows and lengths[row] * (len(rows) + 1) > places:
            yield rows
            rows = []
        rows.append(row)
    yield rows


def initialize_words(
    texts: Sequence[Sequence[int]], count: int, dimension: int, start: WordStart, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """The initial word vectors, one row per word.

    "standard" ones are normal with variance 1. Otherwise, the rarer a word, the longer; the median length is
    sqrt(dimension). Directions are random, or the right singular vectors of the tf-idf matrix of the sentences (latent
    semantic analysis), which makes words that share sentences neighbours. With fewer sentences or words than dimensions
    they are random.
    """
    if start == "standard":
        return _draw(count, dimension, rng).astype(np.float32)
    present = _indicator(texts, count)
    rarity = np.log(len(texts) / np.maximum(present.sum(axis=0), 1)).clip(min=0.1)
    drawn = start == "random" or dimension > min(present.shape)
    directions = _draw(count, dimension, rng) if drawn else _singular(present, rarity, dimension, rng)
    lengths = np.linalg.norm(directions, axis=1).clip(min=1e-6)
    scale = np.sqrt(dimension) * rarity / np.median(rarity)
    return np.asarray(directions * (scale / lengths)[:, None], dtype=np.float32)


def _draw(count: int, dimension: int, rng: np.random.Generator) -> npt.NDArray[np.floating]:
    return rng.standard_normal((count, dimension))


def _indicator(texts: Sequence[Sequence[int]], count: int) -> sparse.csr_array:
    rows = [sorted(set(text)) for text in texts]
    columns = np.concatenate(rows)
    bounds = np.cumsum([0, *map(len, rows)])
    return sparse.csr_array((np.ones(len(columns), dtype=np.float32), columns, bounds), shape=(len(texts), count))


def _singular(
    present: sparse.csr_array, rarity: npt.NDArray[np.floating], dimension: int, rng: np.random.Generator
) -> npt.NDArray[np.floating]:
    from sklearn.preprocessing import normalize
    from sklearn.utils.extmath import randomized_svd

    weighed = normalize(present @ sparse.diags_array(rarity.astype(np.float32)))
    _, _, right = randomized_svd(weighed, dimension, n_iter=SVD_PASSES, random_state=int(rng.integers(2**32)))
    singular: npt.NDArray[np.floating] = right.T
    return singular
