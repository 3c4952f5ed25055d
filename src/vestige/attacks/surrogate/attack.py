"""The open-world attack: which words matter in a private document, from a few hundred queries."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol, Self, cast

import numpy as np
from scipy import sparse

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor, check_whole
from vestige.attacks.rows import length_scale, split_blocks
from vestige.attacks.surrogate.adaptation import Adapt, VectorMap, fit_kernel_map, fit_ridge_map, pad_to_width
from vestige.attacks.surrogate.queried_pool import QueriedPool, WeighedDocuments
from vestige.attacks.surrogate.selection import CLUSTERED, SELECTIONS
from vestige.attacks.surrogate.word_kernel import WordKernel
from vestige.attacks.surrogate.word_ridge import WordRidge
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.nn.device import Device, choose_device
from vestige.text.importance import Weigher
from vestige.types import Encoder, Floats, Progress, Singles, TrainingLog, Vectors, WordGuesses, silent

RECIPES = {"vestige": ("coverage", "kernel", "kernel"), "chen": ("procrustes", "adversarial", "listnet")}
ADAPTATIONS = ("kernel", "ridge", "adversarial", "fine-tuned", "none")
NETWORKS = ("listnet", "mse", "bce")
OBJECTIVES = ("kernel", "ridge", *NETWORKS)
_ROWS_AT_ONCE = 256
_DEPTH = 50


class SurrogateAttack:
    """Ranks the words of a vocabulary by how much they matter in each private document.

    The adversary sees: the victims' vectors; a pool of documents of the same kind, of which it may have `budget`
    encoded by the private encoder; an encoder of its own, the surrogate, of any dimension; and cross-domain texts.
    Shapes: `fit` takes (m, d) targets and texts; `infer` takes (n, d) and returns n sets of `claimed` words and n
    lists. Paper: Chen, NTU 2023, Chapter 4. There the surrogate itself is fine-tuned: so it is with
    `adaptation="fine-tuned"`, in `tuning_steps`, if it is a Hugging Face encoder; "adversarial" trains a layer on top
    of it, which any encoder allows.

    `recipe` supplies what is not set: "vestige" queries the centres of clusters of the pool, maps the rest of it into
    the private space by kernel regression on the pairs, and learns the words there by kernel regression as well, in
    closed form; with `objective="ridge"` by a linear map, also from external texts and single words. "chen" is the
    published `selection`, `adaptation` and `objective`. `domain_weight` is alpha, and 0 removes the domain classifier;
    it and `steps`, which the paper does not state, matter to networks only. `clusters` restricts the queries to the
    first so many clusters (Appendix C). Networks are trained on `device`; a fine-tuned surrogate stays where it is.
    With a budget below 2 the guess is the prior: the words that matter most in the
    pool.
    """

    info = AttackInfo(
        name="surrogate",
        summary="ranks the words that matter in a document, with few queries and a surrogate encoder (Chen 2023)",
        output=WordGuesses,
        access=("vectors", "texts", "queries"),
        paper="Chen, NTU 2023, Chapter 4",
        recipes=("vestige", "chen"),
        named_recipes={
            "chen": {"recipe": "chen"},
            "chen-fine-tuned": {"recipe": "chen", "adaptation": "fine-tuned"},
        },
    )

    def __init__(
        self,
        *,
        budget: int = 200,
        recipe: Literal["vestige", "chen"] = "vestige",
        selection: str | None = None,
        adaptation: Literal["kernel", "ridge", "adversarial", "fine-tuned", "none"] | None = None,
        objective: Literal["kernel", "ridge", "listnet", "mse", "bce"] | None = None,
        domain_weight: float = 10.0,
        steps: int = 3000,
        tuning_steps: int = 100,
        claimed: int = 5,
        clusters: int | None = None,
        device: Device = "cpu",
    ) -> None:
        self.budget = budget
        self.recipe = recipe
        self.selection = selection
        self.clusters = clusters
        self.adaptation = adaptation
        self.objective = objective
        self.domain_weight = domain_weight
        self.steps = steps
        self.tuning_steps = tuning_steps
        self.claimed = claimed
        self.device = device

    def fit(
        self,
        targets: Vectors,
        pool: Sequence[str],
        *,
        encoder: Encoder,
        surrogate: Encoder,
        weigher: Weigher,
        rng: np.random.Generator,
        external: Sequence[str] = (),
        validation: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Self:
        """Spend the budget on documents of the `pool`, and learn; the `encoder` is queried for nothing else.

        Published networks then query the documents of `validation` too, which the budget of the paper does not count,
        and choose their best epoch on them; without any, on a fifth of the queried documents. `log_` is their record.
        """
        selection, adaptation, objective = self._check()
        targets = as_vectors(targets)
        documents = _weigh_pool(targets, pool, surrogate, weigher, progress)
        budget = min(self.budget, len(pool))
        queried = SELECTIONS[selection](documents.vectors, targets, budget, self.clusters or max(budget, 1), rng)
        answers = _query(encoder, [pool[row] for row in queried], targets.shape[1], progress)
        self.words_, self.dimension_, self.queried_ = tuple(weigher.words), targets.shape[1], queried
        self.scale_, own = length_scale(targets), length_scale(documents.vectors)
        used = () if objective == "kernel" else external
        adapted = surrogate
        if adaptation == "fine-tuned" and len(queried) > 1:
            known_texts = [pool[row] for row in queried]
            adapted = self._fine_tune(surrogate, known_texts, self.scale_ / own * answers, rng, progress)
        others = _weigh(used, adapted, weigher, progress).scaled(own)
        known = QueriedPool(self.scale_ * targets, documents.scaled(own), queried, self.scale_ * answers, others)
        if len(validation) and objective in NETWORKS:
            further = _query(encoder, validation, targets.shape[1], progress)
            weighed = WeighedDocuments(self.scale_ * further, weigher.weigh(validation).weights)
            known = replace(known, validation=weighed)
        adapt = self._adapt(adaptation, targets.shape[1], rng, progress)
        if objective == "kernel" and len(queried) > 1:
            self.ranker_: WordRanker = WordKernel.fit(known, adapt)
            return self
        to_private = adapt(known.pool.vectors[queried], known.answers)
        if objective == "ridge" or len(queried) < 2:
            single_words = own * surrogate.encode(self.words_, progress=progress)
            self.ranker_ = WordRidge.fit(known, single_words, to_private)
        else:
            from vestige.attacks.surrogate.networks import RetrieverTraining, train_retriever

            training = RetrieverTraining(objective, self.domain_weight, self.steps, choose_device(self.device))
            self.ranker_ = train_retriever(known, to_private, training, rng, progress)
        return self

    @property
    def log_(self) -> TrainingLog | None:
        """How the training of a network ended; None for a closed form."""
        return getattr(self.ranker_, "log", None)

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The words that matter most, each with its share; the set holds the first `claimed` of them."""
        if not hasattr(self, "ranker_"):
            raise NotFitted(
                "SurrogateAttack.infer was called before fit; "
                "call fit(targets, pool, encoder=..., surrogate=..., weigher=..., rng=...) first"
            )
        ranked: list[list[tuple[str, float]]] = []
        depth = max(_DEPTH, self.claimed)
        for block, count in split_blocks(self.scale_ * as_vectors(vectors, self.dimension_), _ROWS_AT_ONCE):
            chances = self.ranker_.chances(block)[:count]
            for row, places in zip(chances, np.argsort(-chances, axis=1, kind="stable")[:, :depth], strict=True):
                ranked.append([(self.words_[place], float(row[place])) for place in places])
        return WordGuesses([frozenset(word for word, _ in row[: self.claimed]) for row in ranked], ranked)

    def _check(self) -> tuple[str, str, str]:
        check_choice("recipe", self.recipe, tuple(RECIPES))
        chosen = [
            default if given is None else given
            for given, default in zip(
                (self.selection, self.adaptation, self.objective), RECIPES[self.recipe], strict=True
            )
        ]
        check_choice("selection", chosen[0], tuple(SELECTIONS))
        check_choice("adaptation", chosen[1], ADAPTATIONS)
        check_choice("objective", chosen[2], OBJECTIVES)
        check_whole("budget", self.budget, 0)
        check_floor("domain_weight", self.domain_weight, 0)
        check_whole("steps", self.steps, 1)
        check_whole("tuning_steps", self.tuning_steps, 1)
        check_whole("claimed", self.claimed, 1)
        if self.clusters is not None:
            check_whole("clusters", self.clusters, 1)
            check_choice("selection", chosen[0], CLUSTERED)
        return chosen[0], chosen[1], chosen[2]

    def _fine_tune(
        self,
        surrogate: Encoder,
        texts: Sequence[str],
        answers: Singles,
        rng: np.random.Generator,
        progress: Progress,
    ) -> Encoder:
        from vestige.attacks.surrogate.networks import fine_tune_surrogate

        copy = getattr(surrogate, "copy_trainable", None)
        if copy is None:
            raise InputError(
                f"the weights of the surrogate '{surrogate.name}' cannot be trained here; give a Hugging Face encoder "
                "(hf:FOLDER), or adaptation='adversarial', which trains a layer behind any encoder"
            )
        trained = copy()
        fine_tune_surrogate(trained, texts, answers, self.tuning_steps, rng, progress)
        return cast("Encoder", trained)

    def _adapt(self, adaptation: str, width: int, rng: np.random.Generator, progress: Progress) -> Adapt:
        def adapt(seen: Singles, answers: Singles) -> VectorMap:
            if adaptation == "adversarial" and len(seen) >= 2:
                from vestige.attacks.surrogate.networks import fit_adversarial_map

                return fit_adversarial_map(seen, answers, self.steps, rng, progress, choose_device(self.device))
            if adaptation in ("none", "fine-tuned") and len(seen) >= 2:
                return pad_to_width(width)
            return (fit_ridge_map if adaptation == "ridge" else fit_kernel_map)(seen, answers)

        return adapt


class WordRanker(Protocol):
    """Predicts how much each word matters behind a private vector."""

    def chances(self, vectors: Singles) -> Floats:
        """One row per vector that adds up to 1."""


def _weigh_pool(
    targets: Vectors, pool: Sequence[str], surrogate: Encoder, weigher: Weigher, progress: Progress
) -> WeighedDocuments:
    if not len(targets) or not len(pool):
        raise InputError(f"{len(targets)} targets and {len(pool)} documents in the pool; fit needs some of both")
    documents = _weigh(pool, surrogate, weigher, progress)
    if not documents.weights.sum() > 0:
        raise InputError(
            f"none of {len(pool)} documents of the pool contains one of the {len(weigher.words)} words; "
            "give a weigher whose vocabulary was learned from such documents"
        )
    return documents


def _weigh(texts: Sequence[str], surrogate: Encoder, weigher: Weigher, progress: Progress) -> WeighedDocuments:
    if not len(weigher.words):
        raise InputError("the vocabulary is empty; give a weigher with words, or more texts to find them in")
    if not len(texts):
        return WeighedDocuments(
            np.empty((0, surrogate.dimension), np.float32), sparse.csr_array((0, len(weigher.words)))
        )
    weights = weigher.weigh(texts).weights.copy()
    weights.eliminate_zeros()
    return WeighedDocuments(surrogate.encode(texts, progress=progress), weights)


def _query(encoder: Encoder, texts: Sequence[str], columns: int, progress: Progress) -> Vectors:
    if not texts:
        return np.empty((0, columns), np.float32)
    answers = encoder.encode(texts, progress=progress)
    if answers.shape[1] != columns:
        raise InputError(
            f"the encoder answers with {answers.shape[1]} columns and the targets have {columns}; "
            "query the encoder that made the targets"
        )
    return answers
