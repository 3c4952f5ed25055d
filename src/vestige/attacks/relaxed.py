"""Inversion by relaxation (S1, S2): which soft words does the encoder itself take to this vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import FEWEST_PAIRS, as_pairs, check_floor
from vestige.attacks.claiming import set_aside
from vestige.attacks.dictionary import Guess, Reading, read_texts
from vestige.attacks.layer_map import layer_map
from vestige.attacks.linear_map import LinearMap, ridge_map
from vestige.attacks.relaxation import PUBLISHED, Descent, relax
from vestige.attacks.soft_words import AllAlike, Likely, LikelyFew, SoftWords
from vestige.attacks.spelling import Spelled, Speller
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Integers, Progress, Vectors, WhiteBox, WordGuesses, silent

SIDE_BY_SIDE = 4
DESCENT = Descent(rate=0.3, steps=40, temperature=1.0)


class RelaxedInverter:
    """Reads words out of a vector by descent on the words, every place of the text a softmax over a vocabulary.

    The adversary sees: the target vectors and the whole encoder, through which gradients flow; and vectors of texts it
    knows. White box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6.

    `layer=None` meets the target at the encoder's output (Eq. 5); with a `layer`, a linear map takes the target down to
    the mean state of that layer first, and the descent meets it there (Eq. 6). To attack vectors taken at an inner
    layer, open an encoder that is read there, and leave `layer` at None.

    `recipe="paper"`: Adam 1e-3 until convergence and temperature 0.05, over the `vocabulary_size` most frequent pieces
    of the auxiliary texts. The paper knows each text's length and leaves open the start (here: noise) and what
    convergence is (here: a loss that changes by less than one part in 10,000 over 50 steps, or `steps` at most, 5,000
    unless said). `recipe="default"` starts at what a mixture of words makes likely, gives each target its 60 likeliest
    pieces, and moves them faster at temperature 1, for 40 `steps`. `infer(lengths=...)` takes the number of pieces of
    each text where they are known; else they are estimated from the auxiliary texts.

    A place claims its likeliest piece. `guess="pieces"` gives these; `guess="words"` the content words all of whose
    pieces are among them. Probabilities are the softmax at the end, the largest over places, not calibrated.
    """

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        guess: Guess = "words",
        vocabulary_size: int = 8000,
        layer: int | None = None,
        steps: int | None = None,
    ) -> None:
        self.recipe = recipe
        self.guess = guess
        self.vocabulary_size = vocabulary_size
        self.layer = layer
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
        """Learn lengths, the start and, for a lower layer, the map to it from pairs, row i the embedding of text i.

        Texts without a piece that the encoder knows teach nothing and are left out.
        """
        self._check(box)
        vectors = as_pairs(vectors, texts, documents)
        reading = read_texts(box, texts, "pieces", self.vocabulary_size)
        sides = _sides(reading, documents, rng)
        self.box_, self.columns_ = box, vectors.shape[1]
        self.pieces_ = [pieces[0] for pieces in reading.dictionary.pieces]
        named = reading if self.guess == "pieces" else read_texts(box, texts, "words", self.vocabulary_size)
        self.speller_ = Speller(named.dictionary)
        lengths = np.array([[max(len(row), 1)] for row in reading.ids], dtype=np.float32)
        self.log_length_ = ridge_map(vectors, np.log(lengths), *sides)
        self.longest_ = int(lengths.max())
        seed = int(rng.integers(2**31))
        self.soft_words_: SoftWords = AllAlike(len(self.pieces_), seed)
        if self.recipe == "default":
            matrix = box.word_matrix.detach().float().numpy()
            self.soft_words_ = LikelyFew(fit_mixture(vectors, reading, matrix, *sides), seed)
        self.down_: LinearMap | None = None
        if self.layer is not None:
            self.down_ = layer_map(vectors, reading.ids, box, self.layer, sides=sides, rng=rng, progress=progress)
        return self

    def infer(
        self, vectors: Vectors, *, lengths: Sequence[int] | None = None, progress: Progress = silent
    ) -> WordGuesses:
        """Ranked words with the chance that the descent ends with, and the set of those that some place claims.

        Targets of one length descend side by side.
        """
        if not hasattr(self, "down_"):
            raise NotFitted(
                "RelaxedInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        vectors = as_vectors(vectors, self.columns_)
        known = np.array(self._lengths(vectors, lengths), dtype=np.int64)
        likely = list(self.soft_words_.likely(vectors))
        advance = progress("descending on words", len(vectors))
        read: dict[int, Spelled] = {}
        for length in np.unique(known):
            for rows, count in blocks(np.flatnonzero(known == length), SIDE_BY_SIDE):
                found = self._block(vectors[rows], [likely[row] for row in rows], int(length))
                read.update(zip(rows[:count].tolist(), found, strict=False))
                advance(count)
        return WordGuesses([read[row][1] for row in range(len(vectors))], [read[row][0] for row in range(len(vectors))])

    def _block(self, vectors: Vectors, likely: list[Likely], length: int) -> Iterator[Spelled]:
        """What these targets, all of one length, are read as."""
        import torch

        pieces = [[self.pieces_[place] for place in places] for places, _ in likely]
        shared = pieces[0] if isinstance(self.soft_words_, AllAlike) else pieces
        chances = relax(
            lambda soft: self.box_.embed(soft, layer=self.layer),
            self.box_.word_matrix.detach()[torch.tensor(shared)].float(),
            torch.from_numpy(vectors if self.down_ is None else self.down_(vectors)),
            torch.stack([self.soft_words_.start(log_odds, length) for _, log_odds in likely]),
            self._descent(),
        ).numpy()
        return (self.speller_.read(own, ends) for own, ends in zip(pieces, chances, strict=True))

    def _descent(self) -> Descent:
        usual = PUBLISHED if self.recipe == "paper" else DESCENT
        return usual if self.steps is None else replace(usual, steps=self.steps)

    def _lengths(self, vectors: Vectors, lengths: Sequence[int] | None) -> list[int]:
        if lengths is None:
            guessed = [np.exp(self.log_length_(vector[None])[0, 0]) for vector in vectors]
            return [int(value) for value in np.clip(np.rint(guessed), 1, self.longest_)]
        if len(lengths) != len(vectors):
            raise InputError(f"{len(vectors)} targets but {len(lengths)} lengths; give one a target, or none at all")
        for length in lengths:
            check_floor("lengths", length, 1)
        return list(lengths)

    def _check(self, box: WhiteBox) -> None:
        check_choice("recipe", self.recipe, ("default", "paper"))
        check_choice("guess", self.guess, ("words", "pieces"))
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        if self.steps is not None:
            check_floor("steps", self.steps, 1)
        if self.layer is not None and not 0 <= self.layer <= box.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {box.layers}. Got {self.layer} instead.")


def _sides(reading: Reading, documents: Sequence[str] | None, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Rows to learn from and to decide on, of those that have pieces."""
    rows = np.flatnonzero([len(row) for row in reading.ids])
    if len(rows) < FEWEST_PAIRS:
        raise InputError(
            f"{len(rows)} of {len(reading.ids)} texts have a word that the encoder knows; "
            f"fit needs at least {FEWEST_PAIRS}"
        )
    kept, held = set_aside(len(rows), None if documents is None else [documents[row] for row in rows.tolist()], rng)
    return rows[kept], rows[held]
