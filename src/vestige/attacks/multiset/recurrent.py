"""The published set decoders: an LSTM that receives the vector, then each word that it has just predicted."""

from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
import torch

from vestige.attacks.multiset.input_rows import ColumnReader
from vestige.attacks.multiset.recipes import RecurrentRecipe
from vestige.attacks.multiset.roll_out_gradient import RollOutGradient
from vestige.attacks.multiset.set_decoder import SetDecoder, WordsLeft, roll_out, roll_out_loss
from vestige.attacks.rows import split_blocks
from vestige.attacks.thresholding import RankedWords
from vestige.attacks.training_set import TrainingSet
from vestige.attacks.word_vectors import WordVectors, match_words
from vestige.nn.stopping import LossWatch
from vestige.types import Integers, Progress, TrainingLog, Vectors

ROWS_AT_ONCE = 128


@dataclass(frozen=True)
class RecurrentDecoder:
    """A trained decoder and its number of steps: the mean number of words of a text that are in the vocabulary."""

    model: SetDecoder
    reader: ColumnReader
    steps: int
    depth: int
    log: TrainingLog

    def rank(self, vectors: Vectors, steps: Integers | None = None) -> RankedWords:
        """Roll out each text for its steps, by default for the mean. The probabilities are the model's."""
        steps = np.full(vectors.shape[0], self.steps) if steps is None else steps
        depth = min(max(self.depth, int(steps.max(initial=0))), self.model.vocabulary)
        blocks = [
            self._block(vectors, rows, steps[rows], depth).take(count)
            for rows, count in split_blocks(np.arange(vectors.shape[0]), ROWS_AT_ONCE)
        ]
        return RankedWords.concatenate(blocks, depth)

    def _block(self, vectors: Vectors, rows: Integers, steps: Integers, depth: int) -> RankedWords:
        inputs = self.reader.read(vectors, rows)
        drawn, claimed = roll_out(self.model, inputs, torch.from_numpy(steps).to(self.reader.device))
        drawn, claimed = drawn.cpu(), claimed.cpu()
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
    end_token: bool,
    device: torch.device,
    rng: np.random.Generator,
    progress: Progress,
) -> RecurrentDecoder:
    """Train as a paper states; `end_token` adds the end to the words to be learned (Corò 2022, Appendix A.1)."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return _Training(pairs, recipe, single_words, end_token, device).run(rng, progress)


class _Training:
    def __init__(
        self,
        pairs: TrainingSet,
        recipe: RecurrentRecipe,
        single_words: WordVectors | None,
        end_token: bool,
        device: torch.device,
    ) -> None:
        vectors = None if single_words is None else match_words(single_words, pairs.vocabulary.words)
        if vectors is not None:
            recipe = replace(recipe, units=vectors[1].shape[1])
        self.pairs, self.recipe, self.end_token = pairs, recipe, end_token
        self.reader = ColumnReader.build(pairs.vectors, device)
        size, ends = len(pairs.vocabulary), recipe.ends or end_token
        self.model = SetDecoder(
            self.reader.dimension,
            self.reader.used,
            size,
            recipe.units,
            recipe.dropout,
            ends=ends,
            repeats=recipe.every_step,
        )
        if recipe.keras_start:
            self.model.start_as_keras()
        if vectors is not None:
            self.model.start_from(torch.from_numpy(vectors[0]), vectors[1])
        self.model.to(device)
        self.sizes = np.diff(pairs.labels.indptr)
        self.steps = max(1, round(float(self.sizes.mean())))

    def run(self, rng: np.random.Generator, progress: Progress) -> RecurrentDecoder:
        """Train epoch by epoch; with a patience, the parameters with the best F1 on held-out texts are kept."""
        recipe, watch = self.recipe, LossWatch(self.recipe.epochs, self.recipe.patience)
        gradient = RollOutGradient(self.model, listed=recipe.listed, summed=recipe.summed)
        optimiser = torch.optim.Adam(
            self.model.parameters(), lr=recipe.rate, weight_decay=recipe.weight_decay, fused=True
        )
        best_f1, best_state = -1.0, self.model.state_dict()
        advance = progress("fitting the attack as published", recipe.epochs)
        for _ in range(recipe.epochs):
            self._epoch(gradient, optimiser, rng)
            advance(1)
            loss, f1 = self._validate()
            if recipe.patience is not None and f1 > best_f1:
                best_f1, best_state = f1, deepcopy(self.model.state_dict())
            if watch.update(loss):
                break
        if recipe.patience is not None:
            self.model.load_state_dict(best_state)
        return RecurrentDecoder(self.model.eval(), self.reader, self.steps, self.pairs.depth, watch.log())

    def _epoch(self, gradient: RollOutGradient, optimiser: torch.optim.Optimizer, rng: np.random.Generator) -> None:
        self.model.train()
        for rows in self._batches(rng.permutation(self.pairs.train)):
            inputs = self.reader.read(self.pairs.vectors, rows)
            gradient.compute(inputs, self._left(rows), self._steps(rows))
            optimiser.step()
            self._shrink()
            inputs.clear_gradient(self.model.projection)

    @torch.no_grad()
    def _shrink(self) -> None:
        if self.recipe.shrinkage:
            for weight in (self.model.projection, self.model.cell.weight_ih, self.model.cell.weight_hh):
                weight.mul_(1 - self.recipe.shrinkage)

    @torch.no_grad()
    def _validate(self) -> tuple[float, float]:
        """The mean loss and the mean F1 of the held-out texts."""
        self.model.eval()
        losses, scores = 0.0, []
        for rows in self._batches(self.pairs.held_out):
            left, inputs = self._left(rows), self.reader.read(self.pairs.vectors, rows)
            how = {"listed": self.recipe.listed, "summed": self.recipe.summed}
            loss, claimed = roll_out_loss(self.model, inputs, left, self._steps(rows), **how)
            losses += float(loss.sum())
            hits = self.pairs.labels[rows].multiply(claimed.cpu().numpy()).sum(axis=1)
            scores.append(2 * hits / np.maximum(claimed.sum(dim=1).cpu().numpy() + self.sizes[rows], 1))
        return losses / len(self.pairs.held_out), float(np.concatenate(scores).mean())

    def _batches(self, order: Integers) -> list[Integers]:
        return np.split(order, range(self.recipe.batch, len(order), self.recipe.batch))

    def _left(self, rows: Integers) -> WordsLeft:
        """What is to be predicted at the start: each word with its weight, and the end if it is to be learned."""
        end = self.model.vocabulary if self.end_token else None
        return WordsLeft.build(self.pairs.labels[rows], self.pairs.weights, end).to(self.reader.device)

    def _steps(self, rows: Integers) -> torch.Tensor:
        """How long each text is rolled out: as many steps as it has words, or as the mean text has."""
        steps = self.sizes[rows] if self.recipe.own_length else np.full(len(rows), self.steps)
        return torch.from_numpy(steps + (self.end_token and self.recipe.own_length)).to(self.reader.device)
