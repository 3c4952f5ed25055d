"""Sentence-BERT (Reimers and Gurevych 2019): a transformer fine-tuned so that similar sentences have similar vectors.

As Corò 2022, Section 4.1.2 trains it: a siamese network, mean pooling, the squared difference between the cosine of two
vectors and their similarity. The thesis uses the STS benchmark in Italian; any pairs with a similarity from 0 to 1 will
do, such as the paraphrases of MSRP with 1 and 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vestige.encoders.hugging_face import HuggingFaceEncoder, load_hugging_face
from vestige.errors import InputError
from vestige.types import Progress, TrainingLog, silent

if TYPE_CHECKING:
    from torch import Tensor

FEWEST_HELD = 2


@dataclass(frozen=True)
class SimilarPair:
    """Two sentences, and how similar they are, from 0 to 1."""

    first: str
    second: str
    similarity: float


@dataclass(frozen=True)
class SentenceBertRecipe:
    """Corò 2022, Section 4.1.2: four epochs in batches of 16, Adam at 2e-5 after a warm-up over a tenth of the steps.

    Every `watch` steps, and at the end, the network is judged on held-out pairs by the rank correlation of cosines and
    similarities; the best one is kept. After the warm-up the rate declines linearly, the default of the library that
    the thesis uses.
    """

    epochs: int = 4
    batch: int = 16
    learning_rate: float = 2e-5
    warm_up: float = 0.1
    watch: int = 500

    def rate(self, step: int, total: int) -> float:
        """The learning rate of a step, counted from 1."""
        rising = max(1, round(self.warm_up * total))
        share = step / rising if step <= rising else (total - step) / max(total - rising, 1)
        return self.learning_rate * share

    def fine_tune(
        self,
        model: str,
        pairs: Sequence[SimilarPair],
        held_out: Sequence[SimilarPair],
        folder: Path,
        *,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> TrainingLog:
        """Fine-tune the model in a folder, or of a name on the hub, and save it: use it as "hf:FOLDER@mean".

        The log has the rank correlation on `held_out`. It has converged if the best network is not the last one judged.
        """
        import torch

        _check(pairs, held_out, folder)
        encoder = load_hugging_face(model)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**63)))
            log = self._train(encoder, pairs, held_out, rng, progress)
        encoder._model.save_pretrained(folder)
        encoder._tokenizer.save_pretrained(folder)
        return log

    def _train(
        self,
        encoder: HuggingFaceEncoder,
        pairs: Sequence[SimilarPair],
        held_out: Sequence[SimilarPair],
        rng: np.random.Generator,
        progress: Progress,
    ) -> TrainingLog:
        import torch

        network = encoder._model
        network.requires_grad_(True)
        optimizer = torch.optim.Adam(network.parameters())
        batches = list(self._draw_batches(len(pairs), rng))
        advance = progress("fine-tuning", len(batches))
        best = _Best(encoder, held_out)
        for step, rows in enumerate(batches, start=1):
            optimizer.param_groups[0]["lr"] = self.rate(step, len(batches))
            optimizer.zero_grad()
            _loss(encoder, [pairs[row] for row in rows]).backward()
            optimizer.step()
            if step % self.watch == 0 or step == len(batches):
                best.judge(step)
            advance(1)
        return best.restore(f"{self.epochs} epochs; converged if the best network is not the last one judged")

    def _draw_batches(self, count: int, rng: np.random.Generator) -> Iterator[list[int]]:
        for _ in range(self.epochs):
            order = rng.permutation(count).tolist()
            yield from (order[start : start + self.batch] for start in range(0, count, self.batch))


class _Best:
    """The weights with the highest rank correlation on held-out pairs so far."""

    def __init__(self, encoder: HuggingFaceEncoder, held_out: Sequence[SimilarPair]) -> None:
        self.encoder, self.held_out = encoder, held_out
        self.curve: list[tuple[int, float]] = []
        self.weights: dict[str, Any] = {}
        self.step = 0
        self.judge(0)

    def judge(self, step: int) -> None:
        score = correlate(self.encoder, self.held_out)
        self.encoder._model.train()
        if not self.curve or score > max(value for _, value in self.curve):
            self.weights = {name: weight.clone() for name, weight in self.encoder._model.state_dict().items()}
            self.step = step
        self.curve.append((step, score))

    def restore(self, rule: str) -> TrainingLog:
        network = self.encoder._model
        network.load_state_dict(self.weights)
        network.requires_grad_(False).eval()
        last = self.curve[-1][0]
        return TrainingLog(rule, self.step < last, last, tuple(self.curve))


def correlate(encoder: HuggingFaceEncoder, pairs: Sequence[SimilarPair]) -> float:
    """Spearman's correlation of the cosines of the vectors with the similarities."""
    from scipy.stats import spearmanr

    encoder._model.eval()
    first, second = (encoder.encode(texts) for texts in zip(*((one.first, one.second) for one in pairs), strict=True))
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosines = (first * second).sum(axis=1) / np.maximum(lengths, 1e-12)
    found = float(spearmanr(cosines, [one.similarity for one in pairs]).statistic)
    return found if np.isfinite(found) else 0.0


def _loss(encoder: HuggingFaceEncoder, pairs: Sequence[SimilarPair]) -> "Tensor":
    import torch

    first, second = (_embed(encoder, [getattr(one, side) for one in pairs]) for side in ("first", "second"))
    similarity = torch.tensor([one.similarity for one in pairs])
    return torch.nn.functional.mse_loss(torch.nn.functional.cosine_similarity(first, second), similarity)


def _embed(encoder: HuggingFaceEncoder, texts: list[str]) -> "Tensor":
    """The mean state of each text; padding does not count."""
    tokens = encoder._tokenizer(texts, truncation=True, max_length=encoder.longest, padding=True, return_tensors="pt")
    states: Tensor = encoder._model(**tokens).last_hidden_state
    inside = tokens["attention_mask"][..., None]
    means: Tensor = (states * inside).sum(dim=1) / inside.sum(dim=1).clamp(min=1)
    return means


def _check(pairs: Sequence[SimilarPair], held_out: Sequence[SimilarPair], folder: Path) -> None:
    if not pairs or len(held_out) < FEWEST_HELD:
        raise InputError(
            f"got {len(pairs)} pairs and {len(held_out)} held-out ones; expected at least 1 and {FEWEST_HELD}"
        )
    wrong = [one.similarity for one in [*pairs, *held_out] if not 0 <= one.similarity <= 1]
    if wrong:
        raise InputError(f"a similarity is {wrong[0]:g}, expected numbers from 0 to 1; divide those of STSb by 5")
    if folder.exists():
        raise InputError(f"{folder} already exists; choose another folder")
