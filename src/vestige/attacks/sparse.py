"""Sparse inversion: which few words of the encoder's own word matrix make up a vector?"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.convergence import Convergence
from vestige.attacks.dictionary import Guess, TokenizedTexts, mean_word_vectors, tokenize_texts
from vestige.attacks.ridge import LinearMap, ridge_map
from vestige.attacks.rows import split_blocks
from vestige.attacks.thresholding import Decision, ScoredCandidates, decide
from vestige.attacks.training_set import hold_out
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox, WordGuesses, silent

if TYPE_CHECKING:
    from torch import Tensor


STRENGTHS = (0.75, 0.9, 1.05)
MOST_HELD = 512
PENALTY, THRESHOLD, STEPS = 0.1, 0.01, 5000
_ROWS_AT_ONCE = 256
Scores = Callable[[Vectors], Iterator[tuple[Integers, Singles]]]
_PUBLISHED = Decision(1.0, THRESHOLD, lambda codes: np.minimum(codes, 1).astype(np.float64))


class SparseInverter:
    """Infers the words of a text as the few atoms of the word matrix that make up its vector.

    The adversary sees: vectors of texts it knows, the target vectors, and the encoder's weights, of which only the word
    matrix and the tokenizer are used. White box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equation 7 and Algorithm 1.

    `guess="words"` infers content words, each atom the sum of its pieces' vectors; the pieces of stop words are atoms
    that are never guessed. `guess="pieces"` infers the pieces of the encoder's tokenizer, stop words included, as in
    the paper. Both take the `vocabulary_size` most frequent ones of the auxiliary texts.

    `recipe="paper"`: a linear map M from the vector to the mean of its words' vectors, then non-negative sparse coding
    by Adam 1e-3 with projection until convergence, penalty 0.1, words with a coefficient above 0.01. The paper leaves
    open where the descent starts (here: at zero), what convergence is (here: a loss that changes by less than one part
    in 10,000 over 50 steps, or at most `steps`, by default 5,000), and the penalty of M (chosen on held-out documents).
    Its `ranked` holds coefficients, cut at one, not calibrated. `recipe="default"` inverts the map: from words to
    vectors, where the noise can be measured and whitened. It corrects each word's atom by the texts that contain it,
    uses its frequency as prior, and finds the code by variational inference over a shortlist. Weight of the evidence,
    threshold and calibration are chosen on a tenth of the pairs.
    """

    info = AttackInfo(
        name="sparse",
        summary=(
            "white box: finds the few words of the encoder's own matrix that make up a vector "
            "(Song and Raghunathan 2020)"
        ),
        output=WordGuesses,
        access=("pairs", "weights"),
        paper="Song and Raghunathan, CCS 2020, Section 3.1, Equation 7 and Algorithm 1",
        recipes=("default", "paper"),
        audited=True,
        description="sparse inversion over the encoder's own word vectors (after Song and Raghunathan 2020, Eq. 7)",
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        guess: Guess = "words",
        vocabulary_size: int = 8000,
        steps: int | None = None,
    ) -> None:
        self.recipe = recipe
        self.guess = guess
        self.vocabulary_size = vocabulary_size
        self.steps = steps

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        box: WhiteBox,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]` by the encoder that `box` opens.

        `documents` names the document of each text, so that the held-out tenth shares no document with the rest.
        """
        self._check()
        vectors = as_pairs(vectors, texts, documents)
        advance = progress("fitting the attack", 2)
        tokenized = tokenize_texts(box, texts, self.guess, self.vocabulary_size)
        advance(1)
        matrix = box.word_matrix.detach().float().numpy()
        train, held_out = hold_out(len(texts), documents, rng)
        self.columns_ = vectors.shape[1]
        self.dictionary_ = tokenized.dictionary
        if self.recipe == "paper":
            down = ridge_map(vectors, mean_word_vectors(matrix, tokenized.ids), train, held_out)
            atoms = tokenized.dictionary.vectors(matrix)
            steps = STEPS if self.steps is None else self.steps
            self.scores_: Scores = lambda targets: _codes(down, atoms, targets, steps)
            self.decision_ = _PUBLISHED
        else:
            self.scores_, self.decision_ = _mixture(vectors, tokenized, matrix, train, held_out, rng)
        advance(1)
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with their probabilities, and the set of those above the threshold."""
        if not hasattr(self, "scores_"):
            raise NotFitted(
                "SparseInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        guesses = WordGuesses([], [])
        for places, scores in self.scores_(as_vectors(vectors, self.columns_)):
            for row, values in zip(places, scores, strict=True):
                self._append(row, values, guesses)
        return guesses

    def _append(self, places: Integers, scores: Singles, guesses: WordGuesses) -> None:
        possible = self.dictionary_.claimable[places]
        places, scores = places[possible], scores[possible]
        order = np.argsort(-scores, kind="stable")
        words = [self.dictionary_.names[place] for place in places[order]]
        chances = self.decision_.probability(scores[order]).tolist()
        guesses.ranked.append(list(zip(words, chances, strict=True)))
        guesses.sets.append(frozenset(words[: int((scores > self.decision_.threshold).sum())]))

    def _check(self) -> None:
        check_choice("recipe", self.recipe, ("default", "paper"))
        check_choice("guess", self.guess, ("words", "pieces"))
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        if self.steps is None:
            return
        if self.recipe == "default":
            raise InputError("The 'steps' parameter must be omitted with recipe 'default'.")
        check_floor("steps", self.steps, 1)


def _mixture(
    vectors: Vectors,
    tokenized: TokenizedTexts,
    matrix: Singles,
    train: Integers,
    held_out: Integers,
    rng: np.random.Generator,
) -> tuple[Scores, Decision]:
    """The default: a mixture of words, its strength, threshold and calibration chosen on the held-out rows."""
    mixture = fit_mixture(vectors, tokenized, matrix, train, held_out)
    rows = np.array(sample_rows(held_out.tolist(), MOST_HELD, rng))
    scored = list(mixture.scores(vectors[rows], STRENGTHS))
    places = np.concatenate([block for block, _ in scored])
    decision = decide(
        {
            strength: _scored(tokenized, rows, places, np.concatenate([scores[index] for _, scores in scored]))
            for index, strength in enumerate(STRENGTHS)
        }
    )

    def scores(targets: Vectors) -> Iterator[tuple[Integers, Singles]]:
        return ((places, logits[0]) for places, logits in mixture.scores(targets, [decision.strength]))

    return scores, decision


def _scored(tokenized: TokenizedTexts, rows: Integers, places: Integers, logits: Singles) -> ScoredCandidates:
    contains = tokenized.contains[rows]
    truth = np.split(contains.indices, contains.indptr[1:-1])
    hits = np.array([np.isin(row, true) for row, true in zip(places, truth, strict=True)])
    possible = tokenized.dictionary.claimable[places]
    return ScoredCandidates(
        np.where(possible, logits, -np.inf).astype(np.float32), hits & possible, tokenized.sizes[rows]
    )


def _codes(down: LinearMap, atoms: Singles, targets: Vectors, steps: int) -> Iterator[tuple[Integers, Singles]]:
    """Algorithm 1 as published."""
    import torch

    for block, count in split_blocks(targets, _ROWS_AT_ONCE):
        codes = projected_adam(torch.from_numpy(atoms), torch.from_numpy(down(block)), penalty=PENALTY, steps=steps)
        likeliest = torch.topk(codes, min(200, len(atoms)), dim=1)
        yield likeliest.indices.numpy()[:count], likeliest.values.numpy()[:count]


def projected_adam(
    atoms: "Tensor", targets: "Tensor", *, penalty: float, rate: float = 1e-3, steps: int = 5000
) -> "Tensor":
    """Minimise |z·atoms - target|² + penalty·|z|₁ over z >= 0 (Song and Raghunathan 2020, Equation 7).

    Adam from z = 0, every negative coefficient set to zero after each step, until convergence, or for `steps` at most.
    Every target is solved by itself: (targets, d) in, (targets, atoms) out.
    """
    import torch

    codes = torch.zeros(len(targets), len(atoms), dtype=atoms.dtype)
    first, second = torch.zeros_like(codes), torch.zeros_like(codes)
    progress = Convergence(codes, steps)
    for step in range(1, steps + 1):
        gradient = (codes @ atoms - targets) @ (2 * atoms.T) + penalty
        first.lerp_(gradient, 0.1)
        second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        size = (second / (1 - 0.999**step)).sqrt_().add_(1e-8)
        codes.addcdiv_(first, size, value=-rate / (1 - 0.9**step)).clamp_(min=0)
        if progress.is_due(step):
            objective = (codes @ atoms - targets).square().sum(dim=1) + penalty * codes.sum(dim=1)
            if progress.update(codes, objective):
                break
    return progress.state
