"""The published set decoder: an LSTM that is fed the vector, then each word that it has just predicted."""

import torch
from torch import Tensor, nn

from vestige.types import Integers, Singles


class SetDecoder(nn.Module):
    """Projection of the vector, an LSTM cell with learned initial states, and one matrix of words for input and output.

    Corò, Section 4.2.3, Algorithm 1. A decoder that `ends` has an end token, the last row of `words`.
    """

    def __init__(self, dimension: int, vocabulary: int, units: int, dropout: float, *, ends: bool) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.projection = nn.Linear(dimension, units, bias=False)
        self.cell = nn.LSTMCell(units, units)
        self.words = nn.Parameter(torch.randn(vocabulary + ends, units) * units**-0.5)
        self.hidden = nn.Parameter(torch.zeros(units))
        self.memory = nn.Parameter(torch.zeros(units))
        self.dropout = nn.Dropout(dropout)

    def start_from(self, places: Integers, rows: Singles) -> None:
        """Put given word vectors, scaled as the others are, into the matrix of words (R8)."""
        with torch.no_grad():
            self.words[torch.from_numpy(places)] = torch.from_numpy(rows) * self.words.shape[1] ** -0.5

    def first(self, vectors: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The first input and state."""
        count = len(vectors)
        return self.projection(vectors), (self.hidden.expand(count, -1), self.memory.expand(count, -1))

    def step(self, inputs: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Logits over the rows of `words`, and the next state."""
        state = self.cell(self.dropout(inputs), state)
        return state[0] @ self.words.T, state


def multiset_loss(logits: Tensor, left: Tensor) -> Tensor:
    """One step of Equation 9 (Corò, Eq. 4.4): the mean of -log P over the words left, a value a text.

    `left` is (texts, words): 0 for what is not left to predict, else what the word is worth. Where nothing is left, 0.
    The words left are those *before* the prediction, as the equation and Welleck et al. (2018) have it. Both listings
    take the predicted word away first, which would push down every word that was rightly predicted.
    """
    total = left.sum(dim=1)
    loss = logits.logsumexp(dim=1) - (logits * left).sum(dim=1) / total.clamp_min(1e-12)
    return torch.where(total > 0, loss, 0)


def rolled_out_loss(model: SetDecoder, vectors: Tensor, left: Tensor, steps: int) -> Tensor:
    """Algorithm 1 on a batch: the model follows its own likeliest words; a text is done at the end token, if any."""
    inputs, state = model.first(vectors)
    total = vectors.new_zeros(len(vectors))
    going = torch.ones(len(vectors), dtype=torch.bool)
    for _ in range(steps):
        logits, state = model.step(inputs, state)
        total = total + torch.where(going, multiset_loss(logits, left), 0)
        words = logits.argmax(dim=1)
        left = left.scatter(1, words[:, None], 0.0)
        going = going & (words != model.vocabulary)
        # Not model.words[words]: two threads would add up its gradient in any order.
        inputs = nn.functional.embedding(words, model.words)
    return total.mean()


@torch.no_grad()
def rolled_out(model: SetDecoder, vectors: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """For each text and word the chance to be drawn at any step, and whether it was the likeliest at one of them."""
    inputs, state = model.first(vectors)
    missed = torch.ones(len(vectors), len(model.words))
    claimed = torch.zeros(len(vectors), len(model.words), dtype=torch.bool)
    going = torch.ones(len(vectors), 1, dtype=torch.bool)
    for _ in range(steps):
        logits, state = model.step(inputs, state)
        words = logits.argmax(dim=1, keepdim=True)
        missed = torch.where(going, missed * (1 - logits.softmax(dim=1)), missed)
        claimed |= going & torch.zeros_like(claimed).scatter_(1, words, True)
        going &= words != model.vocabulary
        inputs = model.words[words[:, 0]]
    return 1 - missed[:, : model.vocabulary], claimed[:, : model.vocabulary]
