"""The training of writer and editor: batches of one length, a sampled normaliser, the best epoch by held-out loss."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import groupby
from math import cos, pi

import numpy as np
import torch
from torch import Tensor

from vestige.attacks.prefix.network import END, START, UNKNOWN, PrefixTransformer, sampled_loss
from vestige.nn.stopping import LossWatch
from vestige.types import Advance, Integers, Singles

TOKENS, MOST_ROWS = 2048, 64
DRAWN = 1024
WIDTH, FASTEST = 384, 4.0
RATE, WARM_UP, DECAY, CLIP = 8e-4, 0.06, 0.02, 1.0


@dataclass(frozen=True, eq=False)
class EditExamples:
    """Texts with mistakes: `rows` is the row of the true text, `rest` what its vector has beyond that of the text."""

    rows: list[int] = field(default_factory=list)
    texts: list[list[int]] = field(default_factory=list)
    words: list[list[int]] = field(default_factory=list)
    gaps: list[list[int]] = field(default_factory=list)
    rest: Singles = field(default_factory=lambda: np.zeros((0, 0), np.float32))


@dataclass(frozen=True, eq=False)
class Lessons:
    """What there is to learn: inputs and texts of the pairs, and texts to correct."""

    inputs: Singles
    texts: list[list[int]]
    edits: EditExamples


def train(
    network: PrefixTransformer,
    lessons: Lessons,
    held: Lessons,
    watch: LossWatch,
    rng: np.random.Generator,
    advance: Advance,
) -> None:
    """Train for the epochs of `watch`, and keep the weights of the epoch with the lowest loss on held-out texts."""
    steps = watch.most * count_steps(lessons)
    rate = RATE * min(WIDTH / network.shape.width, FASTEST)
    optimiser = torch.optim.AdamW(_group(network), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step / max(steps, 1)))
    best: dict[str, Tensor] = {}
    ended = False
    while not ended:
        network.train()
        for batch in _batches(lessons, rng):
            loss = _loss(network, lessons, batch, _draw(network, rng))
            optimiser.zero_grad(set_to_none=False)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimiser.step()
            schedule.step()
            advance(1)
        network.eval()
        ended = watch.update(held_loss(network, held))
        if watch.losses[-1] == min(watch.losses):
            best = {name: weight.clone() for name, weight in network.state_dict().items()}
    network.load_state_dict(best)


def count_steps(lessons: Lessons) -> int:
    """The number of batches in an epoch."""
    return sum(1 for _ in _batches(lessons, np.random.default_rng(0)))


@torch.no_grad()
def held_loss(network: PrefixTransformer, held: Lessons) -> float:
    """The mean loss of a word of held-out texts, written from left to right, over all tokens."""
    total, count = 0.0, 0
    every = torch.arange(network.shape.tokens)
    for rows in _batch_rows(held.texts, np.random.default_rng(0)):
        features, wanted = _write(network, held, rows)
        total += float(sampled_loss(network, features, wanted, every)) * len(wanted)
        count += len(wanted)
    return total / max(count, 1)


@dataclass(frozen=True, slots=True)
class _Batch:
    rows: Integers
    edit: bool


def _batches(lessons: Lessons, rng: np.random.Generator) -> Iterator[_Batch]:
    """Writing and editing in random order."""
    batches = [_Batch(rows, False) for rows in _batch_rows(lessons.texts, rng)]
    batches += [_Batch(rows, True) for rows in _batch_rows(lessons.edits.texts, rng)]
    yield from (batches[place] for place in rng.permutation(len(batches)))


def _batch_rows(texts: Sequence[Sequence[int]], rng: np.random.Generator) -> Iterator[Integers]:
    """Rows in batches of one length, so that nothing is padded."""
    order = sorted(rng.permutation(len(texts)).tolist(), key=lambda row: len(texts[row]))
    for length, rows in groupby(order, key=lambda row: len(texts[row])):
        group = np.array(list(rows))
        step = max(1, min(MOST_ROWS * 4, TOKENS // (length + 1)))
        yield from (group[start : start + step] for start in range(0, len(group), step))


def _loss(network: PrefixTransformer, lessons: Lessons, batch: _Batch, drawn: Tensor) -> Tensor:
    with _fast():
        features, wanted = (_edit if batch.edit else _write)(network, lessons, batch.rows)
        return sampled_loss(network, features, wanted, drawn)


def _write(network: PrefixTransformer, lessons: Lessons, rows: Integers) -> tuple[Tensor, Tensor]:
    tokens = torch.tensor([[START, *lessons.texts[row], END] for row in rows])
    features = network.write_features(torch.from_numpy(lessons.inputs[rows]), tokens[:, :-1])
    return _known(features, tokens[:, 1:])


def _edit(network: PrefixTransformer, lessons: Lessons, rows: Integers) -> tuple[Tensor, Tensor]:
    edits = lessons.edits
    tokens = torch.tensor([[START, *edits.texts[row]] for row in rows])
    inputs = torch.from_numpy(lessons.inputs[[edits.rows[row] for row in rows]])
    replaced, inserted = network.edit_features(inputs, torch.from_numpy(edits.rest[rows]), tokens)
    words, gaps = (torch.tensor([each[row] for row in rows]) for each in (edits.words, edits.gaps))
    pairs = [_known(replaced, words), _known(inserted, gaps)]
    return torch.cat([pair[0] for pair in pairs]), torch.cat([pair[1] for pair in pairs])


def _known(features: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Drop the places where the wanted word is unknown: it can never be written."""
    known = wanted != UNKNOWN
    return features[known], wanted[known]


def _draw(network: PrefixTransformer, rng: np.random.Generator) -> Tensor:
    tokens = network.shape.tokens
    return torch.from_numpy(rng.choice(tokens, min(DRAWN, tokens), replace=False))


def _rate(done: float) -> float:
    """A short rise, then half a cosine."""
    return done / WARM_UP if done < WARM_UP else (1 + cos(pi * (done - WARM_UP) / (1 - WARM_UP))) / 2


def _group(network: PrefixTransformer) -> list[dict[str, object]]:
    matrices = [weight for name, weight in network.named_parameters() if weight.dim() > 1 and "words" not in name]
    others = [weight for name, weight in network.named_parameters() if weight.dim() < 2 or "words" in name]
    return [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]


def _fast() -> AbstractContextManager[object]:
    """Products in bf16 where the processor computes in it."""
    supported = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=supported)
