"""The network of the published set decoders, the loss of its roll-out, and what it predicts."""

from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn

from vestige.attacks.multiset.input_rows import InputRows
from vestige.types import Singles

State = tuple[Tensor, Tensor]


class SetDecoder(nn.Module):
    """A projection of the vector, an LSTM cell with learned initial states, one matrix of words for input and output.

    Corò 2022, Section 4.2.3, Algorithm 1. A decoder that `ends` has an end token, the last row of `words`. The
    projection has one row per column of the vectors that is used; its start has the range of a layer of `dimension`.
    The projected vector is the first input; with `repeats` it is also added to the word that every later step receives.
    """

    def __init__(
        self,
        dimension: int,
        used: int,
        vocabulary: int,
        units: int,
        dropout: float,
        *,
        ends: bool,
        repeats: bool = False,
    ) -> None:
        super().__init__()
        self.dimension = dimension
        self.vocabulary = vocabulary
        self.repeats = repeats
        self.projection = nn.Parameter(torch.empty(used, units).uniform_(-(dimension**-0.5), dimension**-0.5))
        self.cell = nn.LSTMCell(units, units)
        self.words = nn.Parameter(torch.randn(vocabulary + ends, units) * units**-0.5)
        self.hidden = nn.Parameter(torch.zeros(units))
        self.memory = nn.Parameter(torch.zeros(units))
        self.dropout = nn.Dropout(dropout)

    def start_as_keras(self) -> None:
        """Start where the authors' released code of Song and Raghunathan 2020 does, with the defaults of Keras.

        The forget gate begins open, with a bias of one, and the recurrence orthogonal, so that the cell remembers its
        first input, the vector, from the first update on. Words start as ever: with 300 units, as wide as there.
        """
        cell, units = self.cell, self.cell.hidden_size
        with torch.no_grad():
            widest = (6 / (self.dimension + units)) ** 0.5
            self.projection.uniform_(-widest, widest)
            nn.init.xavier_uniform_(cell.weight_ih)
            nn.init.orthogonal_(cell.weight_hh)
            cell.bias_ih.zero_()
            cell.bias_hh.zero_()[units : 2 * units] = 1

    def start_from(self, places: Tensor, rows: Singles) -> None:
        """Put given word vectors, scaled as the others are, into the matrix of words."""
        with torch.no_grad():
            self.words[places] = torch.from_numpy(rows) * self.words.shape[1] ** -0.5

    def first_state(self, count: int) -> State:
        """The learned initial state, once per text."""
        return self.hidden.expand(count, -1), self.memory.expand(count, -1)

    def step(self, inputs: Tensor, state: State) -> State:
        """The next state."""
        following: State = self.cell(self.dropout(inputs), state)
        return following

    def logits(self, hidden: Tensor) -> Tensor:
        """One logit per row of `words`."""
        return hidden @ self.words.T

    def next_entry(self, predicted: Tensor, projected: Tensor) -> Tensor:
        """The input after these predictions."""
        # Not self.words[predicted]: two threads would add up its gradient in any order.
        entry = nn.functional.embedding(predicted, self.words)
        return entry + projected if self.repeats else entry


@dataclass(frozen=True)
class WordsLeft:
    """The words that remain to be predicted: (texts, most) rows of the matrix of words, and their weights.

    The weight is 0 for a word that is no longer to be predicted, and where a text has fewer words than `most`.
    """

    words: Tensor
    weights: Tensor

    @classmethod
    def build(cls, labels: sparse.csr_array, weights: Singles, end: int | None) -> "WordsLeft":
        """All words of each text; with an `end`, its row is among them."""
        counts = np.diff(labels.indptr)
        filled = np.arange(max(1, counts.max(initial=0)) + 1) < (counts + (end is not None))[:, None]
        words = np.zeros(filled.shape, np.int64)
        own = np.zeros(filled.shape, np.float32)
        given = np.arange(filled.shape[1]) < counts[:, None]
        words[given] = labels.indices
        own[given] = weights[labels.indices]
        if end is not None:
            words[np.arange(len(counts)), counts] = end
            own[np.arange(len(counts)), counts] = 1
        return cls(torch.from_numpy(words), torch.from_numpy(own))

    def to(self, device: torch.device) -> "WordsLeft":
        """The same on a device."""
        return WordsLeft(self.words.to(device), self.weights.to(device))

    def without(self, predicted: Tensor) -> "WordsLeft":
        """Without the word that was predicted for each text."""
        return WordsLeft(self.words, self.weights.masked_fill(self.words == predicted[:, None], 0.0))

    def take(self, rows: Tensor) -> "WordsLeft":
        """Some of the texts."""
        return WordsLeft(self.words[rows], self.weights[rows])

    @property
    def shares(self) -> Tensor:
        """The weight of each remaining word, with a sum of one, or of zero where none remains."""
        return self.weights / self.weights.sum(dim=1, keepdim=True).clamp_min(1e-12)

    @property
    def any(self) -> Tensor:
        """Which texts have a word left."""
        return (self.weights > 0).any(dim=1)


def multiset_loss(logits: Tensor, left: WordsLeft, *, summed: bool = False) -> Tensor:
    """One step of Equation 9 (Corò 2022, Eq. 4.4): the mean of -log P over the remaining words, one value per text.

    Where no word remains, 0. If `summed`, their sum.
    """
    amounts = left.weights if summed else left.shares
    loss = amounts.sum(dim=1) * logits.logsumexp(dim=1) - (logits.gather(1, left.words) * amounts).sum(dim=1)
    return torch.where(left.any, loss, 0)


def roll_out_loss(
    model: SetDecoder, inputs: InputRows, left: WordsLeft, steps: Tensor, *, listed: bool, summed: bool = False
) -> tuple[Tensor, Tensor]:
    """Algorithm 1 on a batch: the loss of each text, and whether each word was predicted, (texts, words).

    The model follows its own likeliest words for as many `steps` as each text has; a text ends at the end token, if
    any. The remaining words of a step are those *before* the prediction, as in Song and Raghunathan's equation and in
    Welleck et al. (2018); both papers' listings remove the predicted word first, and so does this where it is `listed`.
    """
    projected = inputs.project(model.projection)
    entry, state = projected, model.first_state(len(inputs))
    total = torch.zeros(len(inputs), device=entry.device)
    claimed = torch.zeros(len(inputs), len(model.words), dtype=torch.bool, device=entry.device)
    going = steps > 0
    for step in range(int(steps.max())):
        state = model.step(entry, state)
        logits = model.logits(state[0])
        words = logits.argmax(dim=1)
        after = left.without(words)
        total = total + torch.where(going, multiset_loss(logits, after if listed else left, summed=summed), 0)
        claimed |= going[:, None] & torch.zeros_like(claimed).scatter_(1, words[:, None], True)
        left = after
        going = going & (words != model.vocabulary) & (step + 1 < steps)
        entry = model.next_entry(words, projected)
    return total, claimed[:, : model.vocabulary]


@torch.no_grad()
def roll_out(model: SetDecoder, inputs: InputRows, steps: Tensor) -> tuple[Tensor, Tensor]:
    """For each text and word the probability to be drawn at any step, and whether it was the likeliest at one."""
    projected = inputs.project(model.projection)
    entry, state = projected, model.first_state(len(inputs))
    missed = torch.ones(len(inputs), len(model.words), device=entry.device)
    claimed = torch.zeros(len(inputs), len(model.words), dtype=torch.bool, device=entry.device)
    going = (steps > 0)[:, None]
    for step in range(int(steps.max())):
        state = model.step(entry, state)
        logits = model.logits(state[0])
        words = logits.argmax(dim=1, keepdim=True)
        missed = torch.where(going, missed * (1 - logits.softmax(dim=1)), missed)
        claimed |= going & torch.zeros_like(claimed).scatter_(1, words, True)
        going = going & (words != model.vocabulary) & (step + 1 < steps)[:, None]
        entry = model.next_entry(words[:, 0], projected)
    return 1 - missed[:, : model.vocabulary], claimed[:, : model.vocabulary]
