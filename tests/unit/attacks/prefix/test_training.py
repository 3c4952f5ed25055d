"""The training: batches, the held-out loss, and the best epoch."""

import numpy as np
import torch

from vestige.attacks.prefix.network import RESERVED, UNKNOWN, NetworkShape, PrefixTransformer
from vestige.attacks.prefix.training import EditExamples, Lessons, count_steps, held_loss, train
from vestige.nn.stopping import LossWatch
from vestige.types import silent

SHAPE = NetworkShape(tokens=RESERVED + 6, dimension=4, width=32, layers=1, heads=2, longest=8)
A, B = RESERVED, RESERVED + 1


def build_lessons(count, seed):
    """The sign of the first column decides whether a text is A A A or B."""
    inputs = np.random.default_rng(seed).standard_normal((count, 4)).astype(np.float32)
    return Lessons(inputs, [[A] * 3 if row[0] > 0 else [B] for row in inputs], EditExamples())


def test_what_a_column_decides_is_learned_and_every_step_is_reported():
    torch.manual_seed(0)
    network, lessons, held = PrefixTransformer(SHAPE), build_lessons(600, 0), build_lessons(50, 1)
    steps = []
    watch = LossWatch(30, patience=30)
    train(network, lessons, held, watch, np.random.default_rng(0), steps.append)
    assert sum(steps) == 30 * count_steps(lessons)
    assert min(watch.losses) < 0.3 * watch.losses[0]
    assert held_loss(network, held) == min(watch.losses)


def test_the_weights_of_the_best_epoch_remain():
    """Noise has nothing to learn: the loss rises at some time, and the patience ends the training."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    texts = [[int(word)] for word in rng.integers(RESERVED, SHAPE.tokens, 60)]
    lessons = Lessons(rng.standard_normal((60, 4)).astype(np.float32), texts, EditExamples())
    held = Lessons(rng.standard_normal((60, 4)).astype(np.float32), texts, EditExamples())
    network, watch = PrefixTransformer(SHAPE, dropout=0.0), LossWatch(400, patience=5)
    train(network, lessons, held, watch, rng, silent("", 0))
    assert len(watch.losses) < 400
    assert held_loss(network, held) == min(watch.losses) < watch.losses[-1]


def test_unknown_words_do_not_count():
    torch.manual_seed(0)
    network = PrefixTransformer(SHAPE).eval()
    inputs = np.zeros((1, 4), np.float32)
    known, unknown = (Lessons(inputs, [[A, word]], EditExamples()) for word in (B, UNKNOWN))
    assert held_loss(network, known) != held_loss(network, unknown)
    only = Lessons(inputs, [[UNKNOWN]], EditExamples())
    assert np.isfinite(held_loss(network, only))
