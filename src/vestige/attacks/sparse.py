"""Sparse inversion: which few words of the encoder's own word matrix make up a vector?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.convergence import DescentRecord, summarize_descents
from vestige.attacks.dictionary import Guess, TokenizedTexts, mean_word_vectors, score_atoms, tokenize_texts
from vestige.attacks.ridge import ridge_map
from vestige.attacks.sparse_coding import (
    MOST_TUNED,
    STEPS,
    CodingSettings,
    SparseCoder,
    TuningRows,
    list_penalties,
    tune_settings,
)
from vestige.attacks.thresholding import Decision, decide
from vestige.attacks.training_set import hold_out
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox, WordGuesses, silent

STRENGTHS = (0.75, 0.9, 1.05)
MOST_HELD = 512
OWN_VOCABULARY = 8000
__all__ = ["STEPS", "SparseInverter"]

Scores = Callable[[Vectors, list[DescentRecord]], Iterator[tuple[Integers, Singles]]]


class SparseInverter:
    """Infers the words of a text as the few atoms of the word matrix that make up its vector.

    The adversary sees: vectors of texts it knows, the target vectors, and the encoder's weights, of which only the word
    matrix and the tokenizer are used. White box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equation 7 and Algorithm 1.

    `guess="words"` infers content words, each atom the sum of its pieces' vectors; the pieces of stop words are atoms
    that are never guessed. `guess="pieces"` infers the pieces of the encoder's tokenizer, stop words included, as in
    the paper. Both take the `vocabulary_size` most frequent ones of the auxiliary texts; by default 8,000, and all that
    the encoder knows with `recipe="paper"`.

    `recipe="paper"`: a linear map M from the vector to the mean of its words' vectors, then non-negative sparse coding
    by Adam 1e-3 with projection until convergence; words with a coefficient above the `threshold` are guessed. The
    paper has a `penalty` of 0.1 and a threshold of 0.01 on its encoders and tunes both on a subset of the auxiliary
    data. So does this: what is None is tuned, a number is taken as it is, and `settings_` has what is used. The paper
    leaves open where the descent starts (here: at zero), what convergence is (here: `attacks.convergence`, or
    at most `steps`, by default 20,000), and the penalty of M (chosen on held-out
    documents). Its `ranked` holds coefficients, cut at one, not calibrated; its `log` says how the descents ended.

    `recipe="default"` inverts the map: from words to vectors, where the noise can be measured and whitened. It corrects
    each word's atom by the texts that contain it, uses its frequency as prior, and finds the code by variational
    inference over a shortlist. Weight of the evidence, threshold and calibration are chosen on a tenth of the pairs.
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
        named_recipes={"song-sparse": {"recipe": "paper", "guess": "pieces"}},
        audited=True,
        description="sparse inversion over the encoder's own word vectors (after Song and Raghunathan 2020, Eq. 7)",
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        guess: Guess = "words",
        vocabulary_size: int | None = None,
        penalty: float | None = None,
        threshold: float | None = None,
        steps: int | None = None,
    ) -> None:
        self.recipe = recipe
        self.guess = guess
        self.vocabulary_size = vocabulary_size
        self.penalty = penalty
        self.threshold = threshold
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
        size = OWN_VOCABULARY if self.vocabulary_size is None and self.recipe == "default" else self.vocabulary_size
        tokenized = tokenize_texts(box, texts, self.guess, size)
        advance(1)
        matrix = box.word_matrix.detach().float().numpy()
        split = hold_out(len(texts), documents, rng)
        self.columns_ = vectors.shape[1]
        self.dictionary_ = tokenized.dictionary
        if self.recipe == "paper":
            coder = self._fit_coder(vectors, tokenized, matrix, split, rng)
            self.settings_ = coder.settings
            self.scores_: Scores = coder.scores
            self.decision_ = Decision(1.0, coder.settings.threshold, lambda codes: np.minimum(codes, 1).astype(float))
        else:
            self.scores_, self.decision_ = _mixture(vectors, tokenized, matrix, *split, rng)
        advance(1)
        return self

    def _fit_coder(
        self,
        vectors: Vectors,
        tokenized: TokenizedTexts,
        matrix: Singles,
        split: tuple[Integers, Integers],
        rng: np.random.Generator,
    ) -> SparseCoder:
        """Algorithm 1 as published: a map learned on one part of the pairs, settings tuned on the other."""
        given = {"penalty": self.penalty, "threshold": self.threshold, "steps": self.steps}
        stated = CodingSettings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
        down = ridge_map(vectors, mean_word_vectors(matrix, tokenized.ids), *split)
        coder = SparseCoder(down, tokenized.dictionary.vectors(matrix), stated)
        if self.penalty is not None and self.threshold is not None:
            return coder
        rows = np.array(sample_rows(split[1].tolist(), MOST_TUNED, rng))
        tuning = TuningRows(tokenized, vectors, rows, self.threshold)
        tried = list_penalties(coder, vectors[rows]) if self.penalty is None else [self.penalty]
        return replace(coder, settings=tune_settings(coder, tuning, tried))

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with their probabilities, and the set of those above the threshold."""
        if not hasattr(self, "scores_"):
            raise NotFitted(
                "SparseInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        guesses, records = WordGuesses([], []), list[DescentRecord]()
        for places, scores in self.scores_(as_vectors(vectors, self.columns_), records):
            for row, values in zip(places, scores, strict=True):
                self._append(row, values, guesses)
        return replace(guesses, log=summarize_descents(records, self.settings_.steps)) if records else guesses

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
        for name, floor in {"vocabulary_size": 1, "penalty": 0, "threshold": 0, "steps": 1}.items():
            value = getattr(self, name)
            if value is None:
                continue
            if self.recipe == "default" and name != "vocabulary_size":
                raise InputError(f"The '{name}' parameter must be omitted with recipe 'default'.")
            check_floor(name, value, floor)


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
            strength: score_atoms(tokenized, rows, places, np.concatenate([scores[index] for _, scores in scored]))
            for index, strength in enumerate(STRENGTHS)
        }
    )

    def scores(targets: Vectors, _records: list[DescentRecord]) -> Iterator[tuple[Integers, Singles]]:
        return ((places, logits[0]) for places, logits in mixture.scores(targets, [decision.strength]))

    return scores, decision
