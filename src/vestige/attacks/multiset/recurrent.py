"""The published set decoders: an LSTM that receives the vector, then each word that it has just predicted."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from vestige.attacks.rows import split_blocks
from vestige.attacks.thresholding import RankedWords
from vestige.attacks.training_set import TrainingSet
from vestige.attacks.word_vectors import WordVectors, match_words
from vestige.types import Integers, Progress, Singles, Vectors

ROWS_AT_ONCE = 128


@dataclass(frozen=True)
class RecurrentRecipe:
    """The settings that a paper states. `patience` is epochs without a lower validation loss; None for no validation.

    A decoder that `ends` may predict an end and stops there, although nothing teaches it when.
    """

    units: int
    epochs: int
    batch: int
    rate: float
    weight_decay: float
    dropout: float
    patience: int | None
    ends: bool


RECIPES = {
    "song": RecurrentRecipe(300, 30, 256, 1e-3, 0.0, 0.0, None, ends=False),
    "coro": RecurrentRecipe(512, 100, 64, 4e-4, 1e-4, 0.2, 10, ends=True),
}


@dataclass(frozen=True)
class RecurrentDecoder:
    """A trained decoder and its number of steps: the mean number of words of a text that are in the vocabulary."""

    model: "SetDecoder"
    steps: int
    depth: int
    losses: list[float]

    def rank(self, vectors: Vectors, steps: int | None = None) -> RankedWords:
        """Roll out, by default for as many steps as in training. The probabilities are the model's, not calibrated."""
        steps = self.steps if steps is None else steps
        blocks = [self._block(block, count, steps) for block, count in split_blocks(vectors, ROWS_AT_ONCE)]
        if not blocks:
            return RankedWords(
                np.empty((0, self.depth), np.int64), np.empty((0, self.depth)), np.empty((0, self.depth), bool)
            )
        return RankedWords(
            *(np.concatenate([getattr(r, f) for r in blocks]) for f in ("words", "probabilities", "claimed"))
        )

    def _block(self, vectors: Vectors, count: int, steps: int) -> RankedWords:
        drawn, claimed = (part[:count] for part in roll_out(self.model, torch.from_numpy(vectors), steps))
        depth = min(max(self.depth, steps), drawn.shape[1])
        shown = torch.topk(drawn + claimed, depth, dim=1).indices
        order = drawn.gather(1, shown).argsort(dim=1, descending=True, stable=True)
        words = shown.gather(1, order)
        chances = drawn.gather(1, words).double().numpy()
        return RankedWords(words.numpy(), chances, claimed.gather(1, words).numpy())


def train_recurrent(
    pairs: TrainingSet,
    recipe: RecurrentRecipe,
    *,
    single_words: WordVectors | None,
    epochs: int | None,
    end_token: bool,
    rng: np.random.Generator,
    progress: Progress,
) -> RecurrentDecoder:
    """Train as a paper states; `end_token` adds the end to the words to be learned (Corò 2022, Appendix A.1)."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        epochs = recipe.epochs if epochs is None else epochs
        return _Training(pairs, recipe, single_words, epochs, end_token).run(rng, progress)


class _Training:
    def __init__(
        self,
        pairs: TrainingSet,
        recipe: RecurrentRecipe,
        single_words: WordVectors | None,
        epochs: int,
        end_token: bool,
    ) -> None:
        self.pairs, self.recipe, self.epochs, self.end_token = pairs, recipe, epochs, end_token
        vectors = None if single_words is None else match_words(single_words, pairs.vocabulary.words)
        units = recipe.units if vectors is None else vectors[1].shape[1]
        self.model = SetDecoder(
            pairs.vectors.shape[1], len(pairs.vocabulary), units, recipe.dropout, ends=recipe.ends or end_token
        )
        if vectors is not None:
            self.model.start_from(*vectors)
        self.sizes = np.diff(pairs.labels.indptr)
        self.steps = max(1, round(float(self.sizes.mean())))
        self.inputs = torch.from_numpy(pairs.vectors)
        validated = recipe.patience is not None
        self.train = pairs.train if validated else np.arange(len(pairs.vectors))

    def run(self, rng: np.random.Generator, progress: Progress) -> RecurrentDecoder:
        """Train epoch by epoch; with validation, the parameters with the best F1 are kept."""
        optimiser = torch.optim.Adam(
            self.model.parameters(), lr=self.recipe.rate, weight_decay=self.recipe.weight_decay, fused=True
        )
        losses: list[float] = []
        best_f1, best_state = -1.0, self.model.state_dict()
        advance = progress("fitting the attack as published", self.epochs)
        for _ in range(self.epochs):
            self._epoch(optimiser, rng)
            advance(1)
            if self.recipe.patience is None:
                continue
            loss, f1 = self._validate()
            losses.append(loss)
            if f1 > best_f1:
                best_f1, best_state = f1, deepcopy(self.model.state_dict())
            if len(losses) - 1 - int(np.argmin(losses)) >= self.recipe.patience:
                break
        if self.recipe.patience is not None:
            self.model.load_state_dict(best_state)
        return RecurrentDecoder(self.model.eval(), self.steps, self.pairs.depth, losses)

    def _epoch(self, optimiser: torch.optim.Optimizer, rng: np.random.Generator) -> None:
        self.model.train()
        for rows in self._batches(rng.permutation(self.train)):
            loss = roll_out_loss(self.model, self.inputs[torch.from_numpy(rows)], self._left(rows), self.steps)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()

    @torch.no_grad()
    def _validate(self) -> tuple[float, float]:
        self.model.eval()
        losses, scores = 0.0, []
        for rows in self._batches(self.pairs.held_out):
            vectors, left = self.inputs[torch.from_numpy(rows)], self._left(rows)
            losses += float(roll_out_loss(self.model, vectors, left, self.steps)) * len(rows)
            claimed = roll_out(self.model, vectors, self.steps)[1]
            hits = (claimed & (left[:, : claimed.shape[1]] > 0)).sum(dim=1).numpy()
            scores.append(2 * hits / np.maximum(claimed.sum(dim=1).numpy() + self.sizes[rows], 1))
        return losses / len(self.pairs.held_out), float(np.concatenate(scores).mean())

    def _batches(self, order: Integers) -> list[Integers]:
        return np.split(order, range(self.recipe.batch, len(order), self.recipe.batch))

    def _left(self, rows: Integers) -> torch.Tensor:
        """What is to be predicted at the start: each word with its weight, and the end if it is to be learned."""
        words = self.pairs.labels[rows].toarray() * self.pairs.weights
        end = np.full((len(rows), len(self.model.words) - words.shape[1]), float(self.end_token))
        return torch.from_numpy(np.concatenate([words, end], axis=1).astype(np.float32))


class SetDecoder(nn.Module):
    """A projection of the vector, an LSTM cell with learned initial states, one matrix of words for input and output.

    Corò 2022, Section 4.2.3, Algorithm 1. A decoder that `ends` has an end token, the last row of `words`.
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
        """Put given word vectors, scaled as the others are, into the matrix of words."""
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
    """One step of Equation 9 (Corò 2022, Eq. 4.4): the mean of -log P over the remaining words, one value per text.

    `left` is (texts, words): 0 for a word that is no longer to be predicted, else its weight. Where no word remains, 0.
    The remaining words are those *before* the prediction, as in the equation and in Welleck et al. (2018). Both
    listings remove the predicted word first, which would push down every word that was predicted correctly.
    """
    total = left.sum(dim=1)
    loss = logits.logsumexp(dim=1) - (logits * left).sum(dim=1) / total.clamp_min(1e-12)
    return torch.where(total > 0, loss, 0)


def roll_out_loss(model: SetDecoder, vectors: Tensor, left: Tensor, steps: int) -> Tensor:
    """Algorithm 1 on a batch: the model follows its own likeliest words; a text ends at the end token, if any."""
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
def roll_out(model: SetDecoder, vectors: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """For each text and word the probability to be drawn at any step, and whether it was the likeliest at one."""
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
