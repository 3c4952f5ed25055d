"""The gradient of the loss of a roll-out, written out: most of its work becomes a few large products at the end."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from vestige.attacks.multiset.input_rows import InputRows
from vestige.attacks.multiset.set_decoder import SetDecoder, State, WordsLeft


@dataclass(frozen=True)
class _CellStep:
    """One step of a cell: what went in, the four gates (in, forget, candidate, out), and tanh of the new memory."""

    entry: Tensor
    hidden: Tensor
    memory: Tensor
    gates: Tensor
    squashed: Tensor

    def differentiate(self, slope: Tensor, memory_slope: Tensor) -> Tensor:
        """Turn the gates into the gradient before their activations; the gradient in the old memory."""
        let, forget, candidate, out = self.gates.chunk(4, dim=1)
        memory_slope = memory_slope + slope * out * (1 - self.squashed.square())
        before = memory_slope * forget
        out.mul_(1 - out).mul_(slope * self.squashed)
        forget.mul_(1 - forget).mul_(memory_slope * self.memory)
        rise = memory_slope * candidate
        candidate.square_().neg_().add_(1).mul_(memory_slope * let)
        let.mul_(1 - let).mul_(rise)
        return before


class CellTrace:
    """The steps of an LSTM cell, and their gradient: one product per step, and three for all steps together.

    Texts may leave between two steps: `kept` of a step says which rows of the step before are in it, None for all.
    """

    def __init__(self, cell: nn.LSTMCell) -> None:
        self.cell = cell
        self._steps: list[_CellStep] = []
        self._kept: list[Tensor | None] = []
        self._bias = cell.bias_ih + cell.bias_hh

    def advance(self, entry: Tensor, state: State, kept: Tensor | None) -> State:
        """The next state."""
        hidden, memory = state
        gates = torch.addmm(self._bias, entry, self.cell.weight_ih.T).addmm_(hidden, self.cell.weight_hh.T)
        let, forget, candidate, out = gates.chunk(4, dim=1)
        for gate in (let, forget, out):
            gate.sigmoid_()
        candidate.tanh_()
        following = torch.addcmul(forget * memory, let, candidate)
        squashed = following.tanh()
        self._steps.append(_CellStep(entry, hidden, memory, gates, squashed))
        self._kept.append(kept)
        return out * squashed, following

    def propagate(self, slopes: Sequence[Tensor]) -> tuple[Tensor, State]:
        """From the gradient in each step's state to that in all inputs, step after step, and in the first state.

        Replaces the gradient in the parameters of the cell.
        """
        cell = self.cell
        carried = (torch.zeros_like(slopes[-1]), torch.zeros_like(slopes[-1]))
        for place in reversed(range(len(self._steps))):
            step, kept = self._steps[place], self._kept[place]
            before = step.differentiate(slopes[place] + carried[0], carried[1])
            carried = (step.gates @ cell.weight_hh, before)
            if kept is not None:
                carried = (_spread(carried[0], kept), _spread(carried[1], kept))
        errors = torch.cat([step.gates for step in self._steps])
        cell.weight_ih.grad = errors.T @ torch.cat([step.entry for step in self._steps])
        cell.weight_hh.grad = errors.T @ torch.cat([step.hidden for step in self._steps])
        cell.bias_ih.grad = errors.sum(dim=0)
        cell.bias_hh.grad = cell.bias_ih.grad.clone()
        return errors @ cell.weight_ih, carried


def _spread(rows: Tensor, kept: Tensor) -> Tensor:
    spread = torch.zeros(len(kept), rows.shape[1], device=rows.device)
    spread[kept] = rows
    return spread


@dataclass
class _RollOut:
    """What a roll-out leaves for its gradient, step by step: texts, words fed in, dropout, and states."""

    texts: list[Tensor]
    fed: list[Tensor]
    dropped: list[Tensor]
    states: list[Tensor]
    used: int = 0
    loss: float = 0.0


class RollOutGradient:
    """Computes the gradient of the mean of `roll_out_loss` in one pass, and leaves it in the parameters.

    Every step keeps one table of logits, which becomes its own gradient in place; the gradients of all steps take two
    products at the end instead of two per step, and so do those of the cell. A text leaves the batch when nothing
    remains to be predicted: what follows adds nothing to its loss.
    """

    def __init__(self, model: SetDecoder, *, listed: bool, summed: bool = False) -> None:
        self.model = model
        self.listed = listed
        self.summed = summed
        self._tables = torch.empty(0, len(model.words))
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)

    @torch.no_grad()
    def compute(self, inputs: InputRows, left: WordsLeft, steps: Tensor) -> float:
        """The mean loss of the batch; its gradient replaces that of the batch before."""
        projected = inputs.project(self.model.projection)
        trace = CellTrace(self.model.cell)
        rolled = self._roll_out(trace, projected, left, steps)
        if not rolled.states:
            for parameter in self.model.parameters():
                parameter.grad = torch.zeros_like(parameter)
            return 0.0
        inputs.set_gradient(self.model.projection, self._propagate(trace, rolled, projected))
        return rolled.loss

    def _roll_out(self, trace: CellTrace, projected: Tensor, left: WordsLeft, steps: Tensor) -> _RollOut:
        model, rolled, scale = self.model, _RollOut([], [], [], []), 1 / len(projected)
        texts, going = torch.arange(len(projected), device=projected.device), left.any & (steps > 0)
        entry, state, words = projected, model.first_state(len(projected)), texts[:0]
        step = 0
        while bool(going.any()):
            kept = None if bool(going.all()) else going
            if kept is not None:
                entry, state, texts = entry[kept], (state[0][kept], state[1][kept]), texts[kept]
                left, steps, words = left.take(kept), steps[kept], words[kept] if step else words
            dropout = model.dropout(torch.ones_like(entry))
            state = trace.advance(entry * dropout, state, kept)
            table = self._table(rolled.used, len(texts))
            rolled.texts.append(texts)
            rolled.fed.append(words)
            rolled.dropped.append(dropout)
            rolled.states.append(state[0])
            added, words, left = self._step(table, state[0], left, scale)
            rolled.used += len(texts)
            rolled.loss += added
            step += 1
            going = left.any & (words != model.vocabulary) & (step < steps)
            entry = model.next_entry(words, projected[texts])
        return rolled

    def _table(self, used: int, rows: int) -> Tensor:
        """Room for the logits of a step, after those of the steps before."""
        if used + rows > len(self._tables):
            grown = torch.empty(2 * (used + rows), self._tables.shape[1], device=self.model.words.device)
            grown[:used] = self._tables[:used]
            self._tables = grown
        return self._tables[used : used + rows]

    def _step(self, table: Tensor, hidden: Tensor, left: WordsLeft, scale: float) -> tuple[float, Tensor, WordsLeft]:
        """Fill the table with logits, then with the gradient in them; the loss, the words predicted, what remains."""
        torch.mm(hidden, self.model.words.T, out=table)
        words = table.argmax(dim=1)
        after = left.without(words)
        wanted = after if self.listed else left
        total = table.logsumexp(dim=1)
        active, amounts = wanted.any, wanted.weights if self.summed else wanted.shares
        mass = amounts.sum(dim=1)
        own = mass * total - (table.gather(1, wanted.words) * amounts).sum(dim=1)
        shift = torch.where(active, total - mass.log() - float(np.log(scale)), torch.inf)
        table.sub_(shift[:, None]).exp_()
        table.scatter_add_(1, wanted.words, -scale * amounts)
        return scale * float(own[active].sum()), words, after

    def _propagate(self, trace: CellTrace, rolled: _RollOut, projected: Tensor) -> Tensor:
        """From the gradient in all logits to that in the parameters, and in the projected vectors."""
        model, sizes = self.model, [len(texts) for texts in rolled.texts]
        errors = self._tables[: rolled.used]
        assert model.words.grad is not None
        torch.mm(errors.T, torch.cat(rolled.states), out=model.words.grad)
        entries, first = trace.propagate((errors @ model.words).split(sizes))
        model.hidden.grad, model.memory.grad = first[0].sum(dim=0), first[1].sum(dim=0)
        entries = entries * torch.cat(rolled.dropped)
        later = entries[sizes[0] :]
        model.words.grad.index_add_(0, torch.cat(rolled.fed[1:] or rolled.fed[:1]), later)
        fed = (torch.cat(rolled.texts), entries) if model.repeats else (rolled.texts[0], entries[: sizes[0]])
        return torch.zeros_like(projected).index_add_(0, *fed)
