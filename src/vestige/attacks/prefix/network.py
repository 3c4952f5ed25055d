"""One transformer with two attention masks: it writes a text from left to right, and it edits a text at all places.

The vector comes first, as a few states that every word attends to. As a writer, a word attends to the words before it;
as an editor, to all words. An editor is given the difference between the target and the vector of its text as well.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

START, END, UNKNOWN, DELETE, NOTHING = range(5)
RESERVED = 5
"""Tokens that are no words. `DELETE` in the place of a word means none; `NOTHING` in a gap, that none is missing."""

PREFIX = 4
EPSILON = 1e-12

Cache = list[tuple[Tensor, Tensor]]


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The sizes of the network: tokens and columns of a vector, and what the transformer consists of."""

    tokens: int
    dimension: int
    width: int = 384
    layers: int = 3
    heads: int = 12
    longest: int = 64


class TransformerLayer(nn.Module):
    """Attention and a layer of four times the width, each followed by a normalisation, as in BERT."""

    def __init__(self, shape: NetworkShape, dropout: float) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.attend = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.mixed = nn.LayerNorm(width, EPSILON)
        self.inner = nn.Linear(width, 4 * width)
        self.outer = nn.Linear(4 * width, width)
        self.done = nn.LayerNorm(width, EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, causal: bool, past: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Cache]:
        """The states of the next layer, and the keys and values seen so far."""
        texts, length, width = states.shape
        parts = self.attend(states).view(texts, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = parts
        if past is not None:
            key, value = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
        mixed = self.mix(mixed.transpose(1, 2).reshape(texts, length, width))
        states = self.mixed(states + self.dropout(mixed))
        inner = self.outer(functional.gelu(self.inner(states)))
        return self.done(states + self.dropout(inner)), [(key, value)]


class Condition(nn.Module):
    """From a vector to the states of a prefix, and to what is added to the state of each word; zero at first."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.width = shape.width
        self.prefix = nn.Linear(shape.dimension, PREFIX * shape.width)
        self.each = nn.Linear(shape.dimension, shape.width)
        self.done = nn.LayerNorm(shape.width, EPSILON)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """States (texts, `PREFIX`, width) and shifts (texts, width)."""
        return self.done(self.prefix(vectors).view(len(vectors), PREFIX, self.width)), self.each(vectors)


class Head(nn.Module):
    """From a state to what is compared with the words."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.map = nn.Linear(width, width)
        self.done = nn.LayerNorm(width, EPSILON)

    def forward(self, states: Tensor) -> Tensor:
        """Features of unit variance."""
        features: Tensor = self.done(functional.gelu(self.map(states)))
        return features


class PrefixTransformer(nn.Module):
    """Writer and editor. One matrix of words serves input and output."""

    def __init__(self, shape: NetworkShape, dropout: float = 0.1) -> None:
        super().__init__()
        width = shape.width
        self.shape = shape
        self.words = nn.Embedding(shape.tokens, width)
        self.places = nn.Embedding(shape.longest, width)
        self.target, self.aim, self.rest = (Condition(shape) for _ in range(3))
        self.first = nn.LayerNorm(width, EPSILON)
        self.blocks = nn.ModuleList(TransformerLayer(shape, dropout) for _ in range(shape.layers))
        self.write, self.replace, self.insert = (Head(width) for _ in range(3))
        self.bias = nn.Parameter(torch.zeros(shape.tokens))
        self.dropout = nn.Dropout(dropout)
        self.apply(_initialise)
        for condition in (self.target, self.aim, self.rest):
            nn.init.zeros_(condition.each.weight)

    def write_features(self, vectors: Tensor, tokens: Tensor) -> Tensor:
        """Features (texts, length, width) that predict the token after each of these, of which the first is START."""
        states = self._join([self.target(vectors)], tokens)
        for block in self.blocks:
            states, _ = block(states, True)
        features: Tensor = self.write(states[:, PREFIX:])
        return features

    def begin(self, vectors: Tensor) -> tuple[Tensor, Cache]:
        """Features that predict the first word, and the cache to continue with."""
        tokens = torch.full((len(vectors), 1), START, device=vectors.device)
        return self._step(self._join([self.target(vectors)], tokens), True, None)

    def follow(self, vectors: Tensor, tokens: Tensor, place: int, cache: Cache) -> tuple[Tensor, Cache]:
        """Features that predict the token after these, which are at this place; START is at place 0."""
        states = (
            self.first(self.words(tokens)[:, None] + self.places.weight[place]) + self.target.each(vectors)[:, None]
        )
        return self._step(states, False, cache)

    def _step(self, states: Tensor, causal: bool, cache: Cache | None) -> tuple[Tensor, Cache]:
        grown: Cache = []
        for number, block in enumerate(self.blocks):
            states, past = block(states, causal, None if cache is None else cache[number])
            grown += past
        return self.write(states[:, -1]), grown

    def edit_features(self, vectors: Tensor, rest: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Features of replacements, one per word, and of insertions, one per gap; the first token is START.

        `rest` is what is missing to the target: its difference from the vector of this text.
        """
        states = self._join([self.aim(vectors), self.rest(rest)], tokens)
        for block in self.blocks:
            states, _ = block(states, False)
        states = states[:, 2 * PREFIX :]
        return self.replace(states[:, 1:]), self.insert(states)

    def logits(self, features: Tensor, tokens: Tensor | slice = slice(None)) -> Tensor:
        """Logits of some tokens, or of all."""
        return features @ self.words.weight[tokens].T + self.bias[tokens]

    def _join(self, conditions: list[tuple[Tensor, Tensor]], tokens: Tensor) -> Tensor:
        words = self.first(self.words(tokens) + self.places.weight[: tokens.shape[1]])
        for _, shift in conditions:
            words = words + shift[:, None]
        states: Tensor = self.dropout(torch.cat([*(prefix for prefix, _ in conditions), words], dim=1))
        return states


def _initialise(part: nn.Module) -> None:
    """As in BERT."""
    if isinstance(part, nn.Linear | nn.Embedding):
        nn.init.normal_(part.weight, std=0.02)
    if isinstance(part, nn.Linear):
        nn.init.zeros_(part.bias)


def sampled_loss(network: PrefixTransformer, features: Tensor, wanted: Tensor, drawn: Tensor) -> Tensor:
    """The mean of -log P of the wanted tokens, with a normaliser over the tokens of the batch and the drawn ones.

    The drawn ones, uniform among all, are weighted to stand for those that are in neither.
    """
    distinct, places = wanted.unique(return_inverse=True)
    others = drawn[~torch.isin(drawn, distinct)]
    logits = network.logits(features, torch.cat([distinct, others])).float()
    share = (network.shape.tokens - len(distinct)) / max(len(others), 1)
    weight = torch.cat([logits.new_zeros(len(distinct)), logits.new_full((len(others),), share).log()])
    return functional.cross_entropy(logits + weight, places)
