"""The open-world attack (C2, C3, C4): which words matter in a private document, from a few hundred queries."""

from collections.abc import Sequence
from typing import Literal, Protocol, Self

import numpy as np
from scipy import sparse

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import check_floor, check_whole
from vestige.attacks.scale import scale_of
from vestige.attacks.surrogate.carrying import Adapt, Carry, as_they_are, by_kernel, by_ridge
from vestige.attacks.surrogate.knowledge import Documents, Knowledge
from vestige.attacks.surrogate.selection import CLUSTERED, SELECTIONS
from vestige.attacks.surrogate.word_kernel import WordKernel
from vestige.attacks.surrogate.word_ridge import WordRidge
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.importance.record import Weigher
from vestige.types import Encoder, Floats, Progress, Singles, Vectors, WordGuesses, silent

RECIPES = {"vestige": ("coverage", "kernel", "kernel"), "chen": ("procrustes", "adversarial", "listnet")}
ADAPTATIONS = ("kernel", "ridge", "adversarial", "none")
OBJECTIVES = ("kernel", "ridge", "listnet", "mse", "bce")

_ROWS_AT_ONCE = 256
_DEPTH = 50


class Reader(Protocol):
    """Whatever tells how much each word matters behind a private vector."""

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1."""


class SurrogateAttack:
    """Ranks the words of a vocabulary by how much they matter in each private document.

    The adversary sees: the victims' vectors; a pool of documents of the same kind, of which it may have `budget`
    encoded by the private encoder; an encoder of its own, the surrogate, of any dimension; texts of elsewhere.
    Shapes: `fit` takes (m, d) targets and texts; `infer` takes (n, d) and gives n sets of `claimed` words and n lists.
    Paper: Chen, NTU 2023, Chapter 4. There the surrogate itself is trained on; here a layer behind it.

    `recipe` names what is not set: "vestige" queries the middles of clusters of the pool, carries the rest of it into
    the private space by kernel regression on the pairs, and learns the words there by kernel regression as well, in
    closed form; with `objective="ridge"` by a linear map, from external texts and single words too. "chen" is the
    published `selection`, `adaptation` and `objective`. `domain_weight` is alpha, and 0 leaves the domain classifier
    out; it and `steps`, which the paper does not state, matter to networks only. `clusters` narrows what is queried to
    the first so many clusters (Appendix C). With a budget below 2 the guess is the prior: the words that matter most in
    the pool.
    """

    def __init__(
        self,
        *,
        budget: int = 200,
        recipe: Literal["vestige", "chen"] = "vestige",
        selection: str | None = None,
        adaptation: Literal["kernel", "ridge", "adversarial", "none"] | None = None,
        objective: Literal["kernel", "ridge", "listnet", "mse", "bce"] | None = None,
        domain_weight: float = 10.0,
        steps: int = 3000,
        claimed: int = 5,
        clusters: int | None = None,
    ) -> None:
        self.budget = budget
        self.recipe = recipe
        self.selection = selection
        self.clusters = clusters
        self.adaptation = adaptation
        self.objective = objective
        self.domain_weight = domain_weight
        self.steps = steps
        self.claimed = claimed

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
        progress: Progress = silent,
    ) -> Self:
        """Spend the budget on documents of the `pool`, and learn; `encoder` is asked for nothing else."""
        selection, adaptation, objective = self._checked()
        targets = as_vectors(targets)
        if not len(targets) or not len(pool):
            raise InputError(f"{len(targets)} targets and {len(pool)} documents in the pool; fit needs some of both")
        documents = _documents(pool, surrogate, weigher, progress)
        if not documents.weights.sum() > 0:
            raise InputError(
                f"none of {len(pool)} documents of the pool holds one of the {len(weigher.words)} words; "
                "give a weigher whose vocabulary was learned from such documents"
            )
        budget = min(self.budget, len(pool))
        queried = SELECTIONS[selection](documents.vectors, targets, budget, self.clusters or max(budget, 1), rng)
        asked = [pool[row] for row in queried]
        answers = encoder.encode(asked, progress=progress) if asked else np.empty((0, targets.shape[1]), np.float32)
        if answers.shape[1] != targets.shape[1]:
            raise InputError(
                f"the encoder answers with {answers.shape[1]} columns and the targets have {targets.shape[1]}; "
                "ask the encoder that made the targets"
            )
        self.words_, self.dimension_, self.queried_ = tuple(weigher.words), targets.shape[1], queried
        self.scale_, own = scale_of(targets), scale_of(documents.vectors)
        used = () if objective == "kernel" else external
        others = _documents(used, surrogate, weigher, progress).scaled(own)
        known = Knowledge(self.scale_ * targets, documents.scaled(own), queried, self.scale_ * answers, others)
        adapt = self._adapt(adaptation, targets.shape[1], rng, progress)
        if objective == "kernel" and len(queried) > 1:
            self.reader_: Reader = WordKernel.of(known, adapt)
            return self
        carry = adapt(known.pool.vectors[queried], known.answers)
        if objective == "ridge" or len(queried) < 2:
            self.reader_ = WordRidge.of(known, own * surrogate.encode(self.words_, progress=progress), carry)
        else:
            from vestige.attacks.surrogate.retrieval import retrieval

            self.reader_ = retrieval(known, carry, objective, self.domain_weight, self.steps, rng, progress)
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The words that matter most, each with its share; the set holds the first `claimed` of them."""
        if not hasattr(self, "reader_"):
            raise NotFitted(
                "SurrogateAttack.infer was called before fit; "
                "call fit(targets, pool, encoder=..., surrogate=..., weigher=..., rng=...) first"
            )
        ranked: list[list[tuple[str, float]]] = []
        depth = max(_DEPTH, self.claimed)
        for block, count in blocks(self.scale_ * as_vectors(vectors, self.dimension_), _ROWS_AT_ONCE):
            chances = self.reader_.chances(block)[:count]
            for row, places in zip(chances, np.argsort(-chances, axis=1, kind="stable")[:, :depth], strict=True):
                ranked.append([(self.words_[place], float(row[place])) for place in places])
        return WordGuesses([frozenset(word for word, _ in row[: self.claimed]) for row in ranked], ranked)

    def _checked(self) -> tuple[str, str, str]:
        check_choice("recipe", self.recipe, tuple(RECIPES))
        chosen = [
            usual if given is None else given
            for given, usual in zip(
                (self.selection, self.adaptation, self.objective), RECIPES[self.recipe], strict=True
            )
        ]
        check_choice("selection", chosen[0], tuple(SELECTIONS))
        check_choice("adaptation", chosen[1], ADAPTATIONS)
        check_choice("objective", chosen[2], OBJECTIVES)
        check_whole("budget", self.budget, 0)
        check_floor("domain_weight", self.domain_weight, 0)
        check_whole("steps", self.steps, 1)
        check_whole("claimed", self.claimed, 1)
        if self.clusters is not None:
            check_whole("clusters", self.clusters, 1)
            check_choice("selection", chosen[0], CLUSTERED)
        return chosen[0], chosen[1], chosen[2]

    def _adapt(self, adaptation: str, width: int, rng: np.random.Generator, progress: Progress) -> Adapt:
        def adapt(seen: Singles, answers: Singles) -> Carry:
            if adaptation == "adversarial" and len(seen) >= 2:
                from vestige.attacks.surrogate.adversarial import by_adversary

                return by_adversary(seen, answers, self.steps, rng, progress)
            if adaptation == "none" and len(seen) >= 2:
                return as_they_are(width)
            return (by_ridge if adaptation == "ridge" else by_kernel)(seen, answers)

        return adapt


def _documents(texts: Sequence[str], surrogate: Encoder, weigher: Weigher, progress: Progress) -> Documents:
    if not len(weigher.words):
        raise InputError("the vocabulary holds no word; give a weigher with words, or more texts to find them in")
    if not len(texts):
        return Documents(np.empty((0, surrogate.dimension), np.float32), sparse.csr_array((0, len(weigher.words))))
    weights = weigher.weigh(texts).weights.copy()
    weights.eliminate_zeros()
    return Documents(surrogate.encode(texts, progress=progress), weights)
