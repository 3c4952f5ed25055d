"""SADE (Chen 2023) on documents whose importance is known and whose vectors can be computed by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.metrics.keyword_ranking import ndcg_at, precision_at
from vestige.nn.listnet import listnet
from vestige.text.importance import Importance
from vestige.types import Floats, silent

WORDS = tuple("abcdefghijklmnopqrst")
WEIGHTS = (0.6, 0.5, 0.4, 0.35, 0.3)
"""A document is five letters, the most important one first."""


def draw_documents(count: int, seed: int, letters: str = "".join(WORDS)) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(letters), size=5, replace=False)) for _ in range(count)]


def weigh(texts: Sequence[str]) -> Floats:
    table = np.zeros((len(texts), len(WORDS)))
    for row, text in enumerate(texts):
        table[row, [WORDS.index(letter) for letter in text]] = WEIGHTS
    return table


class Letters:
    """The importance of letters, as it is written."""

    words = WORDS

    def weigh(self, texts: Sequence[str]) -> Importance:
        return Importance(WORDS, sparse.csr_array(weigh(texts)))


class Linear:
    """A vector is the importance of the letters, seen through an orthogonal matrix."""

    name = identity = "linear"
    dimension = len(WORDS)

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.axes = np.linalg.qr(rng.standard_normal((len(WORDS), len(WORDS))))[0]

    def encode(self, texts: Sequence[str], *, progress=silent):  # noqa: ARG002
        return (weigh(texts) @ self.axes).astype(np.float32)


POOL, SECRET = draw_documents(150, 1), draw_documents(100, 2)
PRIVATE = Linear(0)


def run_sade(encoder=PRIVATE, *, external=(), **settings):
    return SurrogateAttack(recipe="chen", budget=100, steps=2500, **settings).fit(
        PRIVATE.encode(SECRET),
        POOL,
        encoder=encoder,
        surrogate=PRIVATE,
        weigher=Letters(),
        external=external,
        rng=np.random.default_rng(0),
    )


def score(attack) -> tuple[float, float]:
    ranked = attack.infer(PRIVATE.encode(SECRET)).ranked
    truth = Letters().weigh(SECRET)
    return float(precision_at(ranked, truth, 5).mean()), float(ndcg_at(ranked, truth, 5).mean())


def test_a_vector_by_hand():
    assert PRIVATE.encode(["bcaed"])[0] @ PRIVATE.axes.T == pytest.approx(
        [0.4, 0.6, 0.5, 0.3, 0.35, *[0] * 15], abs=1e-6
    )


def test_listnet_is_least_where_the_scores_are_the_weights():
    """Up to a constant: its gradient, the difference of two softmaxes, is zero there."""
    weights = torch.tensor(weigh(["bcaed"]))
    scores = (weights + 3).requires_grad_()
    listnet(scores, weights).backward()
    assert scores.grad is not None
    assert scores.grad.abs().max() < 1e-9
    scores = torch.zeros_like(weights).requires_grad_()
    listnet(scores, weights).backward()
    assert scores.grad is not None
    # A step downhill raises the five letters in the order of their importance, and lowers all others.
    assert scores.grad[0].argsort()[:5].tolist() == [1, 2, 0, 4, 3]
    assert bool((scores.grad[0, :5] < 0).all())
    assert bool((scores.grad[0, 5:] > 0).all())


@pytest.mark.parametrize("objective", ["listnet", "mse"])
def test_sade_ranks_known_importance_and_guessing_does_not(objective):
    """Five of twenty letters, all equally usual: guessing finds a quarter."""
    prior = MeanImportance().fit(Letters().weigh(POOL))
    assert score(prior)[0] == pytest.approx(0.25, abs=0.06)
    assert min(score(run_sade(objective=objective))) > 0.8
    others = draw_documents(150, 3)
    assert min(score(run_sade(objective=objective, external=others))) > 0.8


def test_the_control_is_no_better_than_guessing():
    class Scrambled(Linear):
        def encode(self, texts, *, progress=silent):
            return np.random.default_rng(5).permutation(super().encode(texts, progress=progress))

    assert score(run_sade(Scrambled(0)))[0] < 0.35
