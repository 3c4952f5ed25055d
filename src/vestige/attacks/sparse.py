"""Sparse inversion (S3): which few words of the encoder's own word matrix make up a vector?"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.claiming import Decision, Scored, decide, set_aside
from vestige.attacks.dictionary import Guess, Reading, mean_words, read_texts
from vestige.attacks.linear_map import LinearMap, ridge_map
from vestige.attacks.sparse_coding import projected_adam
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox, WordGuesses, silent

STRENGTHS = (0.75, 0.9, 1.05)
MOST_HELD = 512
PENALTY, THRESHOLD, STEPS = 0.1, 0.01, 5000
_ROWS_AT_ONCE = 256

Scores = Callable[[Vectors], Iterator[tuple[Integers, Singles]]]


_PUBLISHED = Decision(1.0, THRESHOLD, lambda codes: np.minimum(codes, 1).astype(np.float64))


class SparseInverter:
    """Reads words out of a vector as the few atoms of the word matrix that make it up.

    The adversary sees: vectors of texts it knows, the target vectors, and the encoder's weights, of which only the word
    matrix and the tokenizer are used. White box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equation 7 and Algorithm 1.

    `guess="words"` reads content words, each atom the sum of its pieces' vectors, with the pieces of stop words beside
    them as atoms that are never claimed; `guess="pieces"` reads the pieces of the encoder's tokenizer, stop words and
    all, as the paper does. Either way the `vocabulary_size` most frequent of the auxiliary texts.

    `recipe="paper"`: a linear map M from the vector to the mean of its words' vectors, then non-negative sparse coding
    by Adam 1e-3 with projection until convergence, penalty 0.1, words with a coefficient above 0.01. The paper leaves
    open where the descent starts (here: at zero), what convergence is (here: a loss that changes by less than one part
    in 10,000 over 50 steps, or `steps` at most, 5,000 unless said), and the penalty of M (chosen on held-out
    documents). Its `ranked` holds coefficients, cut at one, not calibrated.
    `recipe="default"` turns the map round: from words to vectors, where the noise can be measured, its directions made
    equal, each word's atom corrected by the texts that hold it, its frequency used as prior, and the code found by
    variational inference over a shortlist. Weight of the evidence, threshold and calibration are chosen on a tenth of
    the pairs.
    """

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

        `documents` says which texts belong together, so that the tenth on which it decides shares none with the rest.
        """
        self._check()
        vectors = as_pairs(vectors, texts, documents)
        advance = progress("fitting the attack", 2)
        reading = read_texts(box, texts, self.guess, self.vocabulary_size)
        advance(1)
        matrix = box.word_matrix.detach().float().numpy()
        kept, held = set_aside(len(texts), documents, rng)
        self.columns_ = vectors.shape[1]
        self.dictionary_ = reading.dictionary
        if self.recipe == "paper":
            down = ridge_map(vectors, mean_words(matrix, reading.ids), kept, held)
            atoms = reading.dictionary.vectors(matrix)
            steps = STEPS if self.steps is None else self.steps
            self.scores_: Scores = lambda targets: _codes(down, atoms, targets, steps)
            self.decision_ = _PUBLISHED
        else:
            self.scores_, self.decision_ = _mixture(vectors, reading, matrix, kept, held, rng)
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
                self._read(row, values, guesses)
        return guesses

    def _read(self, places: Integers, scores: Singles, guesses: WordGuesses) -> None:
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
            raise InputError("The 'steps' parameter must be left out with recipe 'default'.")
        check_floor("steps", self.steps, 1)


def _mixture(
    vectors: Vectors, reading: Reading, matrix: Singles, kept: Integers, held: Integers, rng: np.random.Generator
) -> tuple[Scores, Decision]:
    """The default: a mixture of words, its strength, threshold and calibration chosen on the held-out rows."""
    mixture = fit_mixture(vectors, reading, matrix, kept, held)
    rows = np.array(sample_rows(held.tolist(), MOST_HELD, rng))
    found = list(mixture.scores(vectors[rows], STRENGTHS))
    places = np.concatenate([block for block, _ in found])
    decision = decide(
        {
            strength: _scored(reading, rows, places, np.concatenate([scores[index] for _, scores in found]))
            for index, strength in enumerate(STRENGTHS)
        }
    )

    def scores(targets: Vectors) -> Iterator[tuple[Integers, Singles]]:
        return ((places, logits[0]) for places, logits in mixture.scores(targets, [decision.strength]))

    return scores, decision


def _scored(reading: Reading, rows: Integers, places: Integers, logits: Singles) -> Scored:
    holds = reading.holds[rows]
    truth = np.split(holds.indices, holds.indptr[1:-1])
    hits = np.array([np.isin(row, true) for row, true in zip(places, truth, strict=True)])
    possible = reading.dictionary.claimable[places]
    return Scored(np.where(possible, logits, -np.inf).astype(np.float32), hits & possible, reading.sizes[rows])


def _codes(down: LinearMap, atoms: Singles, targets: Vectors, steps: int) -> Iterator[tuple[Integers, Singles]]:
    """Algorithm 1 as it stands."""
    import torch

    for block, count in blocks(targets, _ROWS_AT_ONCE):
        codes = projected_adam(torch.from_numpy(atoms), torch.from_numpy(down(block)), penalty=PENALTY, steps=steps)
        likeliest = torch.topk(codes, min(200, len(atoms)), dim=1)
        yield likeliest.indices.numpy()[:count], likeliest.values.numpy()[:count]
