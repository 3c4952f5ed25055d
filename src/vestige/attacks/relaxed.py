"""Inversion by relaxation: which soft words does the encoder map to this vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import FEWEST_PAIRS, as_pairs, check_floor
from vestige.attacks.dictionary import Guess, TokenizedTexts, mean_word_vectors, tokenize_texts
from vestige.attacks.ridge import LinearMap, ridge_map
from vestige.attacks.rows import split_blocks
from vestige.attacks.soft_words import (
    PUBLISHED,
    Descent,
    DescentStart,
    Likely,
    MixtureStart,
    Spelled,
    Speller,
    UniformStart,
    relax,
)
from vestige.attacks.training_set import hold_out
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox, WordGuesses, silent

TARGETS_AT_ONCE = 4
MOST_TRAIN, MOST_HELD_OUT = 4500, 500
DESCENT = Descent(rate=0.3, steps=40, temperature=1.0)


class RelaxedInverter:
    """Infers the words of a text by gradient descent on them; each position is a softmax over a vocabulary.

    The adversary sees: the target vectors and the whole encoder, through which gradients flow; and vectors of texts it
    knows. White box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6.

    `layer=None` matches the target at the encoder's output (Eq. 5); with a `layer`, a linear map first takes the target
    down to the mean state of that layer, and the descent matches it there (Eq. 6). To attack vectors taken at an inner
    layer, open an encoder that is pooled there and leave `layer` at None.

    `recipe="paper"`: Adam 1e-3 until convergence and temperature 0.05, over the `vocabulary_size` most frequent pieces
    of the auxiliary texts. The paper knows each text's length and leaves open the start (here: noise) and what
    convergence is (here: a loss that changes by less than one part in 10,000 over 50 steps, or at most `steps`, by
    default 5,000). `recipe="default"` starts from what a mixture of words makes likely, gives each target its 60
    likeliest pieces, and moves them faster at temperature 1, for 40 `steps`. `infer(lengths=...)` takes the number of
    pieces of each text where they are known; else they are estimated from the auxiliary texts.

    Each position guesses its likeliest piece. `guess="pieces"` returns these; `guess="words"` returns the content words
    all of whose pieces are among them. Probabilities are the final softmax, the largest over positions, not calibrated.
    """

    info = AttackInfo(
        name="relaxed",
        summary="white box: gradient descent on soft words through the encoder (Song and Raghunathan 2020)",
        output=WordGuesses,
        access=("pairs", "weights"),
        paper="Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6",
        recipes=("default", "paper"),
    )

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
        """Learn lengths, the start and, for a lower layer, the map to it from pairs; row i is the embedding of text i.

        Texts without a piece that the encoder knows are skipped.
        """
        self._check(box)
        vectors = as_pairs(vectors, texts, documents)
        tokenized = tokenize_texts(box, texts, "pieces", self.vocabulary_size)
        split = _split(tokenized, documents, rng)
        self.box_, self.columns_ = box, vectors.shape[1]
        self.pieces_ = [pieces[0] for pieces in tokenized.dictionary.pieces]
        named = tokenized if self.guess == "pieces" else tokenize_texts(box, texts, "words", self.vocabulary_size)
        self.speller_ = Speller(named.dictionary)
        lengths = np.array([[max(len(row), 1)] for row in tokenized.ids], dtype=np.float32)
        self.log_length_ = ridge_map(vectors, np.log(lengths), *split)
        self.longest_ = int(lengths.max())
        seed = int(rng.integers(2**31))
        self.start_: DescentStart = UniformStart(len(self.pieces_), seed)
        if self.recipe == "default":
            matrix = box.word_matrix.detach().float().numpy()
            self.start_ = MixtureStart(fit_mixture(vectors, tokenized, matrix, *split), seed)
        self.down_: LinearMap | None = None
        if self.layer is not None:
            self.down_ = fit_layer_map(vectors, tokenized.ids, box, self.layer, split=split, rng=rng, progress=progress)
        return self

    def infer(
        self, vectors: Vectors, *, lengths: Sequence[int] | None = None, progress: Progress = silent
    ) -> WordGuesses:
        """Ranked words with their final probability, and the set of those that some position guesses.

        Targets of one length descend together.
        """
        if not hasattr(self, "down_"):
            raise NotFitted(
                "RelaxedInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        vectors = as_vectors(vectors, self.columns_)
        known = np.array(self._lengths(vectors, lengths), dtype=np.int64)
        likely = list(self.start_.likely(vectors))
        advance = progress("descending on words", len(vectors))
        spelled: dict[int, Spelled] = {}
        for length in np.unique(known):
            for rows, count in split_blocks(np.flatnonzero(known == length), TARGETS_AT_ONCE):
                found = self._block(vectors[rows], [likely[row] for row in rows], int(length))
                spelled.update(zip(rows[:count].tolist(), found, strict=False))
                advance(count)
        return WordGuesses(
            [spelled[row][1] for row in range(len(vectors))], [spelled[row][0] for row in range(len(vectors))]
        )

    def _block(self, vectors: Vectors, likely: list[Likely], length: int) -> Iterator[Spelled]:
        """The words of these targets, all of one length."""
        import torch

        pieces = [[self.pieces_[place] for place in places] for places, _ in likely]
        shared = pieces[0] if isinstance(self.start_, UniformStart) else pieces
        chances = relax(
            lambda soft: self.box_.embed(soft, layer=self.layer),
            self.box_.word_matrix.detach()[torch.tensor(shared)].float(),
            torch.from_numpy(vectors if self.down_ is None else self.down_(vectors)),
            torch.stack([self.start_.start(log_odds, length) for _, log_odds in likely]),
            self._descent(),
        ).numpy()
        return (self.speller_.spell(own, ends) for own, ends in zip(pieces, chances, strict=True))

    def _descent(self) -> Descent:
        descent = PUBLISHED if self.recipe == "paper" else DESCENT
        return descent if self.steps is None else replace(descent, steps=self.steps)

    def _lengths(self, vectors: Vectors, lengths: Sequence[int] | None) -> list[int]:
        if lengths is None:
            guessed = [np.exp(self.log_length_(vector[None])[0, 0]) for vector in vectors]
            return [int(value) for value in np.clip(np.rint(guessed), 1, self.longest_)]
        if len(lengths) != len(vectors):
            raise InputError(f"{len(vectors)} targets but {len(lengths)} lengths; give one length per target, or none")
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


def _split(
    texts: TokenizedTexts, documents: Sequence[str] | None, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Rows to learn from and to decide on, among those that have pieces."""
    rows = np.flatnonzero([len(row) for row in texts.ids])
    if len(rows) < FEWEST_PAIRS:
        raise InputError(
            f"{len(rows)} of {len(texts.ids)} texts have a word that the encoder knows; "
            f"fit needs at least {FEWEST_PAIRS}"
        )
    train, held_out = hold_out(len(rows), None if documents is None else [documents[row] for row in rows.tolist()], rng)
    return rows[train], rows[held_out]


def fit_layer_map(
    vectors: Vectors,
    ids: list[list[int]],
    box: WhiteBox,
    layer: int,
    *,
    split: tuple[Integers, Integers],
    rng: np.random.Generator,
    progress: Progress,
) -> LinearMap:
    """The linear map from the vector of a text to the mean state of a layer (Song and Raghunathan 2020, Eq. 6).

    `split` has the rows to learn from and to decide on. Above the word matrix a state costs a run of the encoder, so
    that a sample of the rows is used.
    """
    if layer == 0:
        return ridge_map(vectors, mean_word_vectors(box.word_matrix.detach().float().numpy(), ids), *split)
    train, held_out = (
        sample_rows(rows.tolist(), most, rng) for rows, most in zip(split, (MOST_TRAIN, MOST_HELD_OUT), strict=True)
    )
    states = _states(box, [ids[row] for row in (*train, *held_out)], layer, progress)
    places = np.arange(len(states))
    return ridge_map(vectors[[*train, *held_out]], states, places[: len(train)], places[len(train) :])


def _states(box: WhiteBox, ids: list[list[int]], layer: int, progress: Progress) -> Singles:
    """The pooled states of a layer, text by text; every text must have words."""
    import torch

    advance = progress(f"computing layer {layer}", len(ids))
    states: list[Singles] = []
    with torch.no_grad():
        for row in ids:
            soft = box.word_matrix[torch.tensor(row, dtype=torch.long)][None].float()
            states.append(box.embed(soft, layer=layer).numpy())
            advance(1)
    return np.concatenate(states)
