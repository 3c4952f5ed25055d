"""Cross-domain keyword inference: learn from unrelated texts and transfer to the victims' vectors."""

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor
from vestige.attacks.keywords.examples import Examples, as_flags, as_keywords, check_both_classes
from vestige.attacks.rows import split_blocks
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.types import Flags, Floats, KeywordGuesses, Progress, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.keywords.networks import Networks, NetworkTraining


STEADY = 20
_ROWS_AT_ONCE = 256


class DomainAdversarialKeyword:
    """Predicts whether a text contains a keyword, from what unrelated vectors and the victims' have in common.

    The adversary sees: vectors of unrelated texts that it labelled itself (`text.substitution.external_examples`), and
    the vectors of the victims, without their texts. Black box.
    Shapes: `fit` takes (n, d) vectors, (n, K) labels and (v, d) victims; `infer` takes (m, d) and returns (m, K).
    Paper: Pan et al., IEEE S&P 2020, Section VI-B and Appendix I. Line 8 of its Algorithm 1 subtracts the keyword loss
    from itself; here the second gradient is that of the domain loss.

    One network per keyword: `shared` sigmoid units (25), a head for the keyword, and one for the domain whose gradient
    is reversed times `reversal` (1); Adam 1e-3, batches of 64, `epochs` (50). `adapt=False` is the same network without
    the second head. `infer` returns the mean of the networks' predictions after each epoch, `by_epoch` each of them.
    `counted` says for which keyword a vector is an example: in the paper texts with another keyword are none
    (`LabelledTexts.counted`), and batches are drawn from all examples and all victims alike. Without it every vector is
    an example for every keyword, and half of a batch is of either class and domain. `centred=True` is ours: it
    subtracts the mean of the unrelated vectors from these, and that of the victims from theirs.
    """

    info = AttackInfo(
        name="keywords-elsewhere",
        summary=(
            "infers whether a text contains a keyword, from cross-domain texts and the victims' vectors "
            "(Pan et al. 2020)"
        ),
        output=KeywordGuesses,
        access=("labels", "vectors"),
        paper="Pan et al., IEEE S&P 2020, Section VI-B and Appendix I",
        named_recipes={"pan-dann": {}},
    )

    def __init__(
        self,
        *,
        shared: int = 25,
        reversal: float = 1.0,
        epochs: int = 50,
        adapt: bool = True,
        centred: bool = False,
        device: Device = "cpu",
    ) -> None:
        self.shared = shared
        self.reversal = reversal
        self.epochs = epochs
        self.adapt = adapt
        self.centred = centred
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        labels: Flags,
        *,
        keywords: Sequence[str],
        victims: Vectors,
        rng: np.random.Generator,
        counted: Flags | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled vectors: `labels[i, k]` is whether text i contains keyword k."""
        from vestige.attacks.keywords.networks import NetworkTraining

        check_floor("shared", self.shared, 1)
        check_floor("reversal", self.reversal, 0)
        check_floor("epochs", self.epochs, 1)
        self.keywords_ = as_keywords(keywords)
        vectors = as_vectors(vectors)
        labels = as_flags(labels, len(vectors), self.keywords_)
        own = np.ones_like(labels) if counted is None else as_flags(counted, len(vectors), self.keywords_)
        check_both_classes(labels, self.keywords_, "give examples of both", own)
        victims = as_vectors(victims, vectors.shape[1])
        if not len(victims) and (self.adapt or self.centred):
            raise InputError("no victims to adapt to; give the vectors under attack")
        self.networks_: list[Networks] = []
        home, self.centre_ = (
            domain_centres(vectors, victims) if self.centred else np.zeros((2, vectors.shape[1]), np.float32)
        )
        examples = Examples(vectors - home, labels, own)
        device = choose_device(self.device)
        training = NetworkTraining(self.epochs, self.reversal, halves=counted is None, device=device)
        self.log_ = self._train(examples, victims - self.centre_, training, rng, progress)
        return self

    def infer(self, vectors: Vectors) -> KeywordGuesses:
        """The mean of the networks' predictions after each epoch."""
        found = self._probabilities(vectors)
        return KeywordGuesses(self.keywords_, found.mean(axis=0))

    def by_epoch(self, vectors: Vectors) -> list[KeywordGuesses]:
        """The networks' predictions after each epoch, first to last."""
        return [KeywordGuesses(self.keywords_, each) for each in self._probabilities(vectors)]

    def _train(
        self,
        examples: Examples,
        victims: Vectors,
        training: "NetworkTraining",
        rng: np.random.Generator,
        progress: Progress,
    ) -> TrainingLog:
        from vestige.attacks.keywords.networks import init_networks, train_networks

        return train_networks(
            init_networks(len(self.keywords_), len(self.centre_), self.shared, rng),
            examples,
            training,
            rng=rng,
            victims=victims if self.adapt else None,
            after_epoch=lambda trained: self.networks_.append(deepcopy(trained)),
            progress=progress,
        )

    def _probabilities(self, vectors: Vectors) -> Floats:
        """(epochs, m, K)."""
        if not hasattr(self, "networks_"):
            raise NotFitted(
                "DomainAdversarialKeyword.infer was called before fit; "
                "call fit(vectors, labels, keywords=..., victims=..., rng=...) first"
            )
        import torch

        found = np.empty((len(self.networks_), len(vectors), len(self.keywords_)))
        start = 0
        for block, count in split_blocks(as_vectors(vectors, len(self.centre_)) - self.centre_, _ROWS_AT_ONCE):
            given = torch.from_numpy(block)
            for epoch, networks in enumerate(self.networks_):
                found[epoch, start : start + count] = networks.probabilities(given)[:count]
            start += count
        return found


def domain_centres(vectors: Vectors, victims: Vectors) -> tuple[Vectors, Vectors]:
    """The mean of either domain; that of few victims is shrunk to the other's, which counts as `STEADY` victims."""
    home = vectors.mean(axis=0)
    away = (victims.sum(axis=0) + STEADY * home) / (len(victims) + STEADY)
    return home, np.asarray(away, dtype=np.float32)
