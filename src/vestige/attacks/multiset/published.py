"""The two published trainings of the recurrent set decoder, full softmax and all."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch

from vestige.attacks.blocks import blocks
from vestige.attacks.candidates import Read
from vestige.attacks.lesson import Lesson
from vestige.attacks.multiset.recurrent import SetDecoder, rolled_out, rolled_out_loss
from vestige.attacks.multiset.word_vectors import WordVectors, rows_of
from vestige.types import Integers, Progress, Vectors

ROWS_AT_ONCE = 128


@dataclass(frozen=True)
class Recipe:
    """What a paper states. `patience` is epochs without a lower validation loss; None for no validation.

    `ends` says that the decoder may predict an end and stops there, though nothing teaches it when.
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
    "song": Recipe(300, 30, 256, 1e-3, 0.0, 0.0, None, ends=False),
    "coro": Recipe(512, 100, 64, 4e-4, 1e-4, 0.2, 10, ends=True),
}


@dataclass(frozen=True)
class Recurrent:
    """A trained decoder and how many steps it takes: the mean number of words of a text that are in the vocabulary."""

    model: SetDecoder
    steps: int
    depth: int
    losses: list[float]

    def read(self, vectors: Vectors, steps: int | None = None) -> Read:
        """Roll out, for as many steps as in training unless told. The probabilities are the model's, not calibrated."""
        steps = self.steps if steps is None else steps
        reads = [self._block(block, count, steps) for block, count in blocks(vectors, ROWS_AT_ONCE)]
        if not reads:
            return Read(np.empty((0, self.depth), np.int64), np.empty((0, self.depth)), np.empty((0, self.depth), bool))
        return Read(*(np.concatenate([getattr(r, f) for r in reads]) for f in ("words", "probabilities", "claimed")))

    def _block(self, vectors: Vectors, count: int, steps: int) -> Read:
        drawn, claimed = (part[:count] for part in rolled_out(self.model, torch.from_numpy(vectors), steps))
        depth = min(max(self.depth, steps), drawn.shape[1])
        shown = torch.topk(drawn + claimed, depth, dim=1).indices
        order = drawn.gather(1, shown).argsort(dim=1, descending=True, stable=True)
        words = shown.gather(1, order)
        chances = drawn.gather(1, words).double().numpy()
        return Read(words.numpy(), chances, claimed.gather(1, words).numpy())


def published(
    lesson: Lesson,
    recipe: Recipe,
    *,
    word_vectors: WordVectors | None,
    epochs: int | None,
    end_token: bool,
    rng: np.random.Generator,
    progress: Progress,
) -> Recurrent:
    """Train as a paper states; `end_token` puts the end among the words to be learned (Corò, Appendix A.1)."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        epochs = recipe.epochs if epochs is None else epochs
        return _Training(lesson, recipe, word_vectors, epochs, end_token).run(rng, progress)


class _Training:
    def __init__(
        self, lesson: Lesson, recipe: Recipe, word_vectors: WordVectors | None, epochs: int, end_token: bool
    ) -> None:
        self.lesson, self.recipe, self.epochs, self.end_token = lesson, recipe, epochs, end_token
        vectors = None if word_vectors is None else rows_of(word_vectors, lesson.vocabulary.words)
        units = recipe.units if vectors is None else vectors[1].shape[1]
        self.model = SetDecoder(
            lesson.vectors.shape[1], len(lesson.vocabulary), units, recipe.dropout, ends=recipe.ends or end_token
        )
        if vectors is not None:
            self.model.start_from(*vectors)
        self.sizes = np.diff(lesson.labels.indptr)
        self.steps = max(1, round(float(self.sizes.mean())))
        self.inputs = torch.from_numpy(lesson.vectors)
        validated = recipe.patience is not None
        self.kept = lesson.kept if validated else np.arange(len(lesson.vectors))

    def run(self, rng: np.random.Generator, progress: Progress) -> Recurrent:
        """Epoch after epoch; where there is validation, the parameters of the best F1 are kept."""
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
        return Recurrent(self.model.eval(), self.steps, self.lesson.depth, losses)

    def _epoch(self, optimiser: torch.optim.Optimizer, rng: np.random.Generator) -> None:
        self.model.train()
        for rows in self._batches(rng.permutation(self.kept)):
            loss = rolled_out_loss(self.model, self.inputs[torch.from_numpy(rows)], self._left(rows), self.steps)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()

    @torch.no_grad()
    def _validate(self) -> tuple[float, float]:
        self.model.eval()
        losses, scores = 0.0, []
        for rows in self._batches(self.lesson.held):
            vectors, left = self.inputs[torch.from_numpy(rows)], self._left(rows)
            losses += float(rolled_out_loss(self.model, vectors, left, self.steps)) * len(rows)
            claimed = rolled_out(self.model, vectors, self.steps)[1]
            hits = (claimed & (left[:, : claimed.shape[1]] > 0)).sum(dim=1).numpy()
            scores.append(2 * hits / np.maximum(claimed.sum(dim=1).numpy() + self.sizes[rows], 1))
        return losses / len(self.lesson.held), float(np.concatenate(scores).mean())

    def _batches(self, order: Integers) -> list[Integers]:
        return np.split(order, range(self.recipe.batch, len(order), self.recipe.batch))

    def _left(self, rows: Integers) -> torch.Tensor:
        """What is to be predicted at the start: the words by what they are worth, and the end or not."""
        words = self.lesson.labels[rows].toarray() * self.lesson.worth
        end = np.full((len(rows), len(self.model.words) - words.shape[1]), float(self.end_token))
        return torch.from_numpy(np.concatenate([words, end], axis=1).astype(np.float32))
