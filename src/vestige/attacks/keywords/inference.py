"""Keyword inference with a shadow corpus: does the text behind a vector contain a keyword that the adversary names?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, Self

import numpy as np
from scipy.special import expit

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import FEWEST_PAIRS, as_pairs, check_floor
from vestige.attacks.keywords.examples import Examples, Substitution, as_flags, as_keywords, check_both_classes
from vestige.attacks.keywords.kernel import choose_heads
from vestige.attacks.rows import split_blocks
from vestige.checks import as_vectors, check_choice
from vestige.engine.threads import one_core_each
from vestige.errors import NotFitted
from vestige.nn.device import Device, choose_device
from vestige.text.keywords import keyword_table
from vestige.types import Encoder, Flags, Floats, KeywordGuesses, Progress, Singles, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    import torch

    from vestige.attacks.keywords.networks import Networks

SUBSTITUTED = 2000
_ROWS_AT_ONCE = 256
UNITS, EPOCHS = 80, 5000
ENOUGH, PATIENCE = 0.01, 50
"""A perceptron is trained until its loss is so small, or has not fallen for so many epochs; at most `EPOCHS`."""
MOST_ITERATIONS = 20_000
FEWEST_SHADOW = 2


class KeywordInference:
    """Predicts for each of a list of keywords whether the text behind a vector contains it.

    The adversary sees: vectors of texts it knows (pairs), of the same kind as those under attack, and the target
    vectors; with an `encoder` it also queries vectors of texts into which it inserted the keywords. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns (m, K) probabilities.
    Paper: Pan et al., IEEE S&P 2020, Section VI, where the attack with a shadow corpus is called white-box.

    `recipe="default"` learns all keywords from one set: the pairs, and up to `substituted` texts with inserted
    keywords, each an example for every keyword. It is linear, or a kernel where that is better on held-out documents.
    `recipe="svm"` and `recipe="mlp"` are the published ones: each keyword has a corpus of its own, twice the pairs, so
    that n texts per keyword are queried. They are trained until they converge, perceptrons for at most `epochs` on
    `device`; `log_` says whether they did. `counted` is for pairs without an `encoder`: it says for which keyword a
    text is an example (`LabelledTexts.counted`).

    Probabilities assume that half of the texts contain the keyword: 0.5 is the boundary, however rare the keyword is.
    """

    info = AttackInfo(
        name="keywords",
        summary="infers whether a text contains a keyword, from texts of the same kind (Pan et al. 2020)",
        output=KeywordGuesses,
        access=("pairs",),
        paper="Pan et al., IEEE S&P 2020, Section VI",
        recipes=("default", "svm", "mlp"),
        named_recipes={"pan-svm": {"recipe": "svm"}, "pan-mlp": {"recipe": "mlp"}},
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "svm", "mlp"] = "default",
        substituted: int = SUBSTITUTED,
        epochs: int = EPOCHS,
        device: Device = "cpu",
    ) -> None:
        self.recipe = recipe
        self.substituted = substituted
        self.epochs = epochs
        self.device = device

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        keywords: Sequence[str],
        rng: np.random.Generator,
        encoder: Encoder | None = None,
        counted: Flags | None = None,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs, row i of `vectors` the embedding of `texts[i]`; without an `encoder` from them alone.

        `documents` names the document of each text, so that the choice of a classifier splits none.
        """
        check_choice("recipe", self.recipe, ("default", "svm", "mlp"))
        check_floor("substituted", self.substituted, 1)
        check_floor("epochs", self.epochs, 1)
        fewest = FEWEST_SHADOW if encoder is not None else FEWEST_PAIRS
        vectors = as_pairs(vectors, texts, documents, fewest=fewest)
        self.keywords_ = as_keywords(keywords)
        if encoder is None:
            examples = self._label(vectors, texts, counted)
        else:
            examples = self._query(vectors, texts, encoder, rng, progress)
        self.width_ = vectors.shape[1]
        owners = list(documents or map(str, range(len(texts))))
        self.classifier_ = self._train(examples, owners, rng, progress)
        return self

    @property
    def log_(self) -> TrainingLog | None:
        """How the published trainings ended; ours takes a fixed number of steps of a convex problem."""
        return getattr(self.classifier_, "log", None)

    def infer(self, vectors: Vectors) -> KeywordGuesses:
        """The probability that each text contains each keyword."""
        if not hasattr(self, "classifier_"):
            raise NotFitted(
                "KeywordInference.infer was called before fit; call fit(vectors, texts, keywords=..., rng=...) first"
            )
        vectors = as_vectors(vectors, self.width_)
        found = [self.classifier_.probabilities(block)[:count] for block, count in split_blocks(vectors, _ROWS_AT_ONCE)]
        return KeywordGuesses(self.keywords_, np.concatenate([np.empty((0, len(self.keywords_))), *found]))

    def _train(
        self, examples: Examples, documents: Sequence[str], rng: np.random.Generator, progress: Progress
    ) -> "KeywordClassifier":
        if self.recipe == "svm":
            return SupportVectorMachines(examples, rng, progress)
        if self.recipe == "mlp":
            return Perceptrons(examples, self.epochs, choose_device(self.device), rng, progress)
        with one_core_each():  # Threads that share small products spin, and collapse where a core is busy.
            return choose_heads(examples, documents, rng)

    def _label(self, vectors: Vectors, texts: Sequence[str], counted: Flags | None) -> Examples:
        labels = keyword_table(texts, self.keywords_)
        own = np.ones_like(labels) if counted is None else as_flags(counted, len(texts), self.keywords_)
        check_both_classes(labels, self.keywords_, "drop the keyword, or give an encoder to insert it with", own)
        return Examples(vectors, labels, own)

    def _query(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        encoder: Encoder,
        rng: np.random.Generator,
        progress: Progress,
    ) -> Examples:
        substitution = Substitution(texts, self.keywords_, encoder)
        if self.recipe != "default":
            return substitution.build_per_keyword(vectors, rng, progress)
        examples = substitution.build_shared(vectors, self.substituted, rng, progress)
        check_both_classes(examples.labels, self.keywords_, "drop the keyword, or give other texts")
        return examples


class KeywordClassifier(Protocol):
    """Predicts how likely each text contains each keyword."""

    def probabilities(self, vectors: Vectors) -> Floats:
        """One row per vector, one column per keyword."""


class SupportVectorMachines:
    """One linear support vector machine per keyword, both classes with the same weight (Pan et al. 2020)."""

    def __init__(self, examples: Examples, rng: np.random.Generator, progress: Progress = silent) -> None:
        from sklearn.svm import LinearSVC

        advance = progress("fitting support vector machines", len(examples.sides))
        self._weights, self._bias, iterations = [], [], []
        for sides in examples.sides:
            machine = LinearSVC(
                class_weight="balanced", random_state=int(rng.integers(2**31)), dual="auto", max_iter=MOST_ITERATIONS
            )
            held = np.repeat([False, True], [len(side) for side in sides])
            machine.fit(examples.vectors[np.concatenate(sides)], held)
            self._weights.append(machine.coef_[0])
            self._bias.append(machine.intercept_[0])
            iterations.append(int(machine.n_iter_))
            advance(1)
        rule = f"until scikit-learn's tolerance of 1e-4 is met, at most {MOST_ITERATIONS:,} iterations"
        self.log = TrainingLog(rule, max(iterations) < MOST_ITERATIONS, max(iterations))

    def probabilities(self, vectors: Vectors) -> Floats:
        """The logistic function of the margins: one half at the boundary, otherwise not calibrated."""
        found: Floats = expit(vectors.astype(np.float64) @ np.transpose(self._weights) + self._bias)
        return found


class Perceptrons:
    """One network per keyword: 80 sigmoid units, Adam 1e-3, batches of 64; trained until they converge.

    The paper reports perceptrons "after their learning processes converge" without a rule; this one is ours.
    """

    def __init__(
        self,
        examples: Examples,
        epochs: int,
        device: "torch.device",
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> None:
        from vestige.attacks.keywords.networks import NetworkTraining, init_networks, train_networks

        self._networks: Networks = init_networks(len(examples.sides), examples.vectors.shape[1], UNITS, rng)
        training = NetworkTraining(epochs, enough=ENOUGH, patience=PATIENCE, device=device)
        self.log = train_networks(self._networks, examples, training, rng=rng, progress=progress)

    def probabilities(self, vectors: Vectors) -> Floats:
        """The softmax of the networks."""
        import torch

        return self._networks.probabilities(torch.from_numpy(vectors))

    def hidden(self, vectors: Vectors, keyword: int = 0) -> Singles:
        """The output of the sigmoid layer of one keyword, (n, 80): where the two classes are separated."""
        import torch

        layer = self._networks.hidden
        with torch.no_grad():
            given = torch.from_numpy(vectors).to(layer.weight.device)
            found: Singles = (given @ layer.weight[keyword] + layer.bias[keyword]).sigmoid().cpu().numpy()
        return found
