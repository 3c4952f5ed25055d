"""The network of the published set decoders, the loss of its roll-out, and the gradient of that loss."""

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
    """

    def __init__(self, dimension: int, used: int, vocabulary: int, units: int, dropout: float, *, ends: bool) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.projection = nn.Parameter(torch.empty(used, units).uniform_(-(dimension**-0.5), dimension**-0.5))
        self.cell = nn.LSTMCell(units, units)
        self.words = nn.Parameter(torch.randn(vocabulary + ends, units) * units**-0.5)
        self.hidden = nn.Parameter(torch.zeros(units))
        self.memory = nn.Parameter(torch.zeros(units))
        self.dropout = nn.Dropout(dropout)

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


def multiset_loss(logits: Tensor, left: WordsLeft) -> Tensor:
    """One step of Equation 9 (Corò 2022, Eq. 4.4): the mean of -log P over the remaining words, one value per text.

    Where no word remains, 0.
    """
    loss = logits.logsumexp(dim=1) - (logits.gather(1, left.words) * left.shares).sum(dim=1)
    return torch.where(left.any, loss, 0)


def roll_out_loss(
    model: SetDecoder, inputs: InputRows, left: WordsLeft, steps: Tensor, *, listed: bool
) -> tuple[Tensor, Tensor]:
    """Algorithm 1 on a batch: the loss of each text, and whether each word was predicted, (texts, words).

    The model follows its own likeliest words for as many `steps` as each text has; a text ends at the end token, if
    any. The remaining words of a step are those *before* the prediction, as in Song and Raghunathan's equation and in
    Welleck et al. (2018); both papers' listings remove the predicted word first, and so does this where it is `listed`.
    """
    entry, state = inputs.project(model.projection), model.first_state(len(inputs))
    total = torch.zeros(len(inputs), device=entry.device)
    claimed = torch.zeros(len(inputs), len(model.words), dtype=torch.bool, device=entry.device)
    going = steps > 0
    for step in range(int(steps.max())):
        state = model.step(entry, state)
        logits = model.logits(state[0])
        words = logits.argmax(dim=1)
        after = left.without(words)
        total = total + torch.where(going, multiset_loss(logits, after if listed else left), 0)
        claimed |= going[:, None] & torch.zeros_like(claimed).scatter_(1, words[:, None], True)
        left = after
        going = going & (words != model.vocabulary) & (step + 1 < steps)
        # Not model.words[words]: two threads would add up its gradient in any order.
        entry = nn.functional.embedding(words, model.words)
    return total, claimed[:, : model.vocabulary]


class RollOutGradient:
    """Computes the gradient of the mean of `roll_out_loss` in one pass, and leaves it in the parameters.

    The logits are the bulk of the work: one product with the matrix of words per step. Its gradient is written out, so
    that every step keeps one table of logits, which becomes its own gradient in place, and the gradients of all steps
    take two products at the end instead of two per step. A text leaves the batch when nothing remains to be predicted:
    what follows adds nothing to its loss.
    """

    def __init__(self, model: SetDecoder, *, listed: bool) -> None:
        self.model = model
        self.listed = listed
        self._tables = torch.empty(0, len(model.words))
        for parameter in (model.projection, model.words):
            parameter.grad = torch.zeros_like(parameter)

    def compute(self, inputs: InputRows, left: WordsLeft, steps: Tensor) -> float:
        """The mean loss of the batch; its gradient replaces that of the batch before."""
        model = self.model
        for parameter in (*model.cell.parameters(), model.hidden, model.memory):
            parameter.grad = None
        first = inputs.project(model.projection.detach()).requires_grad_()
        entry, state = first, model.first_state(len(inputs))
        entries: list[Tensor] = []
        chosen: list[Tensor] = []
        states: list[Tensor] = []
        loss, used, scale = 0.0, 0, 1 / len(inputs)
        going = left.any & (steps > 0)
        step = 0
        while bool(going.any()):
            if not going.all():
                entry, state = entry[going], (state[0][going], state[1][going])
                left, steps = left.take(going), steps[going]
            state = model.step(entry, state)
            table = self._table(used, len(state[0]))
            used += len(table)
            states.append(state[0])
            added, words, left = self._step(table, state[0].detach(), left, scale)
            loss += added
            step += 1
            going = left.any & (words != model.vocabulary) & (step < steps)
            entry = model.words.detach()[words].requires_grad_()
            entries.append(entry)
            chosen.append(words)
        self._propagate(states, entries, chosen, used)
        inputs.set_gradient(model.projection, first.grad)
        return loss

    def _table(self, used: int, rows: int) -> Tensor:
        """Room for the logits of a step, after those of the steps before."""
        if used + rows > len(self._tables):
            grown = torch.empty(2 * (used + rows), self._tables.shape[1], device=self.model.words.device)
            grown[:used] = self._tables[:used]
            self._tables = grown
        return self._tables[used : used + rows]

    @torch.no_grad()
    def _step(self, table: Tensor, hidden: Tensor, left: WordsLeft, scale: float) -> tuple[float, Tensor, WordsLeft]:
        """Fill the table with logits, then with the gradient in them; the loss, the words predicted, what remains."""
        torch.mm(hidden, self.model.words.T, out=table)
        words = table.argmax(dim=1)
        after = left.without(words)
        wanted = after if self.listed else left
        total = table.logsumexp(dim=1)
        active, shares = wanted.any, wanted.shares
        own = total - (table.gather(1, wanted.words) * shares).sum(dim=1)
        shift = torch.where(active, total - float(np.log(scale)), torch.inf)
        table.sub_(shift[:, None]).exp_()
        table.scatter_add_(1, wanted.words, -scale * shares)
        return scale * float(own[active].sum()), words, after

    def _propagate(self, states: list[Tensor], entries: list[Tensor], chosen: list[Tensor], used: int) -> None:
        """From the gradient in all logits to that in the parameters."""
        words = self.model.words
        assert words.grad is not None
        if not states:
            words.grad.zero_()
            return
        errors = self._tables[:used]
        with torch.no_grad():
            torch.mm(errors.T, torch.cat([state.detach() for state in states]), out=words.grad)
            slopes = (errors @ words).split([len(state) for state in states])
        torch.autograd.backward(states, list(slopes))
        fed = [(rows, entry.grad) for rows, entry in zip(chosen, entries, strict=True) if entry.grad is not None]
        for rows, gradient in fed:
            words.grad.index_add_(0, rows, gradient)


@torch.no_grad()
def roll_out(model: SetDecoder, inputs: InputRows, steps: Tensor) -> tuple[Tensor, Tensor]:
    """For each text and word the probability to be drawn at any step, and whether it was the likeliest at one."""
    entry, state = inputs.project(model.projection), model.first_state(len(inputs))
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
        entry = model.words[words[:, 0]]
    return 1 - missed[:, : model.vocabulary], claimed[:, : model.vocabulary]
