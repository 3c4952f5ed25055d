"""Attribute inference: the class of each text, such as its author, from a few labelled vectors per class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.attack import AttackInfo
from vestige.attacks.attributes.class_kernel import choose_kernel
from vestige.attacks.attributes.class_model import Folds, choose_settings
from vestige.attacks.attributes.labels import as_labels
from vestige.attacks.checks import as_table, check_floor
from vestige.attacks.rows import split_blocks
from vestige.attacks.sparse_columns import KeptColumns
from vestige.checks import check_choice
from vestige.engine.threads import one_core_each
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.nn.stopping import LossWatch
from vestige.types import Integers, LabelGuesses, Progress, Singles, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    import torch

_ROWS_AT_ONCE = 512
EPOCHS, RATE, BATCH = 30, 1e-3, 128


class AttributeInference:
    """Infers which of many classes a text belongs to: who wrote it, where its author lives, what it is about.

    The adversary sees: vectors with the attribute of each, ten to fifty per class, and the target vectors. It does not
    need the texts. Black box. Shapes: `fit` takes (n, d) vectors and n labels; `infer` takes (m, d) and returns (m,
    classes) probabilities. Paper: Song and Raghunathan, CCS 2020, Section 4, Algorithm 3.

    `recipe="default"` is a closed form: Gaussian classes with Gaussian means, or a kernel where that is better on
    held-out documents, which also give settings and calibration. `recipe="song"` is the published linear softmax
    (Section 6.3), trained for 30 `epochs` or as many as are given, on the `device`; `log_` says how its training ended.
    Of a sparse table (CSR) it takes the 4,096 columns that most labelled rows use. A row without a label (None, NaN,
    blank) is skipped; `missing_` counts them. The prior of a class is its frequency among the labels.
    """

    info = AttackInfo(
        name="attributes",
        summary=(
            "infers the author, or any other label, from a few labelled vectors per class (Song and Raghunathan 2020)"
        ),
        output=LabelGuesses,
        access=("labels",),
        paper="Song and Raghunathan, CCS 2020, Section 4, Algorithm 3",
        recipes=("default", "song"),
        named_recipes={"song-attributes": {"recipe": "song"}},
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "song"] = "default",
        epochs: int | None = None,
        device: Device = "cpu",
    ) -> None:
        self.recipe = recipe
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        labels: Sequence[str | None],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled vectors; `documents` names the document of each, so that calibration splits none."""
        epochs, table = self._check(), as_table(vectors)
        self.columns_ = KeptColumns.choose(table)
        vectors = self.columns_.take(table)
        known = as_labels(labels, len(vectors))
        if documents is not None:
            if len(documents) != len(vectors):
                raise InputError(f"{len(vectors)} vectors but {len(documents)} documents; give the document of each")
            documents = [documents[row] for row in known.rows]
        known_vectors, classes, names = vectors[known.rows], known.classes, len(known.names)
        if self.recipe == "song":
            device = choose_device(self.device)
            trained = train_softmax(
                known_vectors, classes, names, epochs=epochs, device=device, rng=rng, progress=progress
            )
            self.scorer_: ClassScorer = trained.scorer
            self.log_: TrainingLog | None = trained.log
        else:
            with one_core_each():  # Threads that share small products spin, and collapse where a core is busy.
                folds = Folds.split(known_vectors, classes, rng=rng, documents=documents)
                gaussian, kernel = choose_settings(folds, progress), choose_kernel(folds.documents)
                beaten = kernel is not None and kernel.strength.loss < gaussian.strength.loss
                self.choice_ = kernel if kernel is not None and beaten else gaussian
                self.scorer_ = self.choice_.fit(known_vectors, classes, names)
            self.log_ = None
        self.labels_, self.missing_ = known.names, known.missing
        return self

    def _check(self) -> int:
        """How many epochs to train, once all settings are valid."""
        check_choice("recipe", self.recipe, ("default", "song"))
        if self.epochs is None:
            return EPOCHS
        if self.recipe == "default":
            raise InputError("The 'epochs' parameter must be omitted with recipe 'default', which trains nothing.")
        check_floor("epochs", self.epochs, 1)
        return self.epochs

    def infer(self, vectors: Vectors) -> LabelGuesses:
        """The probability of each class for each vector."""
        if not hasattr(self, "scorer_"):
            raise NotFitted("AttributeInference.infer was called before fit; call fit(vectors, labels, rng=...) first")
        vectors = self.columns_.take(as_table(vectors, self.columns_.width))
        found = np.empty((len(vectors), len(self.labels_)))
        for place, (block, count) in enumerate(split_blocks(vectors, _ROWS_AT_ONCE)):
            found[place * _ROWS_AT_ONCE :][:count] = softmax(
                self.scorer_.logits(block)[:count].astype(np.float64), axis=1
            )
        return LabelGuesses(self.labels_, found)


class ClassScorer(Protocol):
    """Scores classes."""

    def logits(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""


@dataclass(frozen=True)
class LinearSoftmax:
    """`logits(x) = x @ weights + bias`."""

    weights: Singles
    bias: Singles

    def logits(self, vectors: Vectors) -> Singles:
        """One row per vector, one column per class."""
        return np.asarray(vectors @ self.weights + self.bias)


@dataclass(frozen=True)
class TrainedSoftmax:
    """A softmax, and how its training ended."""

    scorer: LinearSoftmax
    log: TrainingLog


def train_softmax(
    vectors: Vectors,
    classes: Integers,
    names: int,
    *,
    rng: np.random.Generator,
    device: "torch.device",
    epochs: int = EPOCHS,
    progress: Progress = silent,
) -> TrainedSoftmax:
    """Song and Raghunathan 2020, Section 6.3: Adam 1e-3, batches of 128, 30 epochs; no penalty, no schedule.

    Labels are too few to hold some out, so that the training loss says whether it has converged.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        model = torch.nn.Linear(vectors.shape[1], names).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE, fused=True)
    inputs, truth = torch.from_numpy(vectors).to(device), torch.from_numpy(classes).to(device)
    watch, advance = LossWatch(epochs, of="training loss"), progress("fitting the attack as published", epochs)
    for _ in range(epochs):
        total = 0.0
        for rows in torch.from_numpy(rng.permutation(len(vectors))).to(device).split(BATCH):
            loss = torch.nn.functional.cross_entropy(model(inputs[rows]), truth[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(rows)
        watch.update(total / len(vectors))
        advance(1)
    scorer = LinearSoftmax(model.weight.detach().cpu().numpy().T.copy(), model.bias.detach().cpu().numpy().copy())
    return TrainedSoftmax(scorer, watch.log())


class MajorityLabel:
    """Guesses by frequency, the same for every text: the most frequent label first.

    The adversary sees: labels only.
    """

    info = AttackInfo(
        name="majority-label",
        summary="prior of attributes: the most frequent label, without the vectors",
        output=LabelGuesses,
        access=("labels",),
        role="prior",
    )

    def fit(self, labels: Sequence[str | None]) -> Self:
        """Count the labels."""
        known = as_labels(labels, len(labels), of="texts")
        self.labels_, self.shares_ = known.names, known.counts / len(known.rows)
        return self

    def infer(self, vectors: Vectors | Sequence[str]) -> LabelGuesses:
        """The shares, once per vector; only the number of vectors is used."""
        if not hasattr(self, "shares_"):
            raise NotFitted("MajorityLabel.infer was called before fit; call fit(labels) first")
        return LabelGuesses(self.labels_, np.tile(self.shares_, (len(vectors), 1)))
