"""Inversion by relaxation (S1, S2): which soft words does the encoder itself take to this vector?"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.checks import check_choice, check_columns, check_floor, check_pairs
from vestige.attacks.claiming import set_aside
from vestige.attacks.dictionary import Dictionary, Guess, Reading, mean_words, read_texts
from vestige.attacks.linear_map import LinearMap, ridge_map
from vestige.attacks.relaxation import PUBLISHED, Descent, relax
from vestige.attacks.word_mixture import WordMixture, fit_mixture
from vestige.errors import InputError, NotFitted
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox, WordGuesses, silent

if TYPE_CHECKING:
    from torch import Tensor

CANDIDATES = 60
SIDE_BY_SIDE = 16
DESCENT = Descent(rate=0.3, steps=40, first_temperature=1.0, last_temperature=1.0)
STRENGTH = 0.9
FLATTENED, ASSIGNED, NOISE = 0.3, 4.0, 0.1
PUBLISHED_NOISE = 0.01
MOST_MAPPED = 5000


class RelaxedInverter:
    """Reads words out of a vector by descent on the words, every place of the text a softmax over a vocabulary.

    The adversary sees: the target vectors and the whole encoder, through which gradients flow; and vectors of texts it
    knows. White box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6.

    `layer=None` meets the target at the encoder's output (Eq. 5); with a `layer`, a linear map takes the target down to
    the mean state of that layer first, and the descent meets it there (Eq. 6). To attack vectors taken at an inner
    layer, open an encoder that is read there, and leave `layer` at None.

    `recipe="paper"`: Adam 1e-3 and temperature 0.05 over the `vocabulary_size` most frequent pieces of the auxiliary
    texts, which serve for nothing else at the output. The paper knows each text's length and leaves open the start
    (here: noise) and the number of steps (1,000). `recipe="default"` starts at what a mixture of words makes likely,
    gives each target its `CANDIDATES` likeliest pieces, cools from a higher temperature, and needs `steps` only.
    `infer(lengths=...)` takes the number of pieces of each text where they are known; else they are estimated.

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
        """Learn lengths, the start and, for a lower layer, the map to it from pairs, row i the embedding of text i."""
        self._check(box)
        check_pairs(vectors, texts, documents)
        self.box_, self.columns_ = box, vectors.shape[1]
        reading = read_texts(box, texts, "pieces", self.vocabulary_size)
        self.pieces_ = reading.dictionary
        self.words_ = self.pieces_ if self.guess == "pieces" else _spelled(box, texts, self.vocabulary_size)
        matrix = box.word_matrix.detach().float().numpy()
        kept, held = set_aside(len(texts), documents, rng)
        self.seed_ = int(rng.integers(2**31))
        lengths = np.array([[max(len(row), 1)] for row in reading.ids], dtype=np.float32)
        self.log_length_ = ridge_map(vectors, np.log(lengths), kept, held)
        self.longest_ = int(lengths.max())
        self.mixture_: WordMixture | None = None
        if self.recipe == "default":
            self.mixture_ = fit_mixture(vectors, reading, matrix, kept, held)
        self.down_ = self._map(vectors, reading, matrix, kept, held, progress)
        return self

    def infer(
        self, vectors: Vectors, *, lengths: Sequence[int] | None = None, progress: Progress = silent
    ) -> WordGuesses:
        """Ranked words with the chance that the descent ends with, and the set of those that some place claims.

        Targets of one length descend side by side, in blocks of one size, the last filled up, so that a guess does not
        depend on its company.
        """
        if not hasattr(self, "down_"):
            raise NotFitted(
                "RelaxedInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        check_columns(vectors, self.columns_)
        known = np.array(self._lengths(vectors, lengths), dtype=np.int64)
        likely = list(self._likely(vectors))
        advance = progress("descending on words", len(vectors))
        read: dict[int, tuple[list[tuple[str, float]], frozenset[str]]] = {}
        for length in np.unique(known):
            rows = np.flatnonzero(known == length)
            for block in np.split(rows, range(SIDE_BY_SIDE, len(rows), SIDE_BY_SIDE)):
                read.update(zip(block.tolist(), self._block(vectors, likely, block, int(length)), strict=True))
                advance(len(block))
        found = [read[row] for row in range(len(vectors))]
        return WordGuesses([claimed for _, claimed in found], [ranked for ranked, _ in found])

    def _block(
        self, vectors: Vectors, likely: list[tuple[Integers, Singles]], rows: Integers, length: int
    ) -> Iterator[tuple[list[tuple[str, float]], frozenset[str]]]:
        """What these targets, all of one length, are read as."""
        import torch

        filled = np.resize(rows, SIDE_BY_SIDE)
        places = np.stack([likely[row][0] for row in (rows[:1] if self.mixture_ is None else filled)])
        pieces = torch.tensor([[self.pieces_.pieces[place][0] for place in row] for row in places])
        targets = vectors[filled] if self.down_ is None else self.down_(vectors[filled])
        chances = relax(
            lambda soft: self.box_.embed(soft, layer=self.layer),
            self.box_.word_matrix.detach()[pieces].float().squeeze(0),
            torch.from_numpy(targets),
            torch.stack([self._start(likely[row][1], length) for row in filled]),
            self._descent(),
        ).numpy()
        for row, ends in zip(rows, chances, strict=False):
            own = likely[row][0]
            likeliest = {int(own[place]): float(chance) for place, chance in enumerate(ends.max(axis=0))}
            yield self._named(likeliest, {int(own[place]) for place in ends.argmax(axis=1)})

    def _likely(self, vectors: Vectors) -> Iterator[tuple[Integers, Singles]]:
        """The candidates of each target with their log odds, likeliest first; the published recipe takes all alike."""
        if self.mixture_ is None:
            yield from [(np.arange(len(self.pieces_)), np.zeros(len(self.pieces_), np.float32))] * len(vectors)
            return
        for places, (log_odds,) in self.mixture_.scores(vectors, [STRENGTH]):
            best = np.argsort(-log_odds, axis=1, kind="stable")[:, :CANDIDATES]
            yield from zip(
                np.take_along_axis(places, best, axis=1), np.take_along_axis(log_odds, best, axis=1), strict=True
            )

    def _start(self, log_odds: Singles, length: int) -> "Tensor":
        """Z before the first step: noise, the same for every target of a length, and in the default recipe a guess.

        There the first place starts at the likeliest piece, the second at the next, and so on. The noise tells places
        apart that an encoder without order would move alike.
        """
        import torch

        noise = torch.randn(length, len(log_odds), generator=torch.Generator().manual_seed(self.seed_ + length))
        if self.mixture_ is None:
            return PUBLISHED_NOISE * noise
        start = FLATTENED * torch.from_numpy(log_odds - log_odds[0]) + NOISE * noise
        start[torch.arange(length), torch.arange(length) % len(log_odds)] = ASSIGNED
        return DESCENT.first_temperature * start

    def _descent(self) -> Descent:
        usual = PUBLISHED if self.recipe == "paper" else DESCENT
        steps = usual.steps if self.steps is None else self.steps
        return Descent(usual.rate, steps, usual.first_temperature, usual.last_temperature)

    def _named(self, likeliest: dict[int, float], claimed: set[int]) -> tuple[list[tuple[str, float]], frozenset[str]]:
        """From pieces to what is guessed: a word is as likely as the least likely of its pieces."""
        if self.guess == "pieces":
            ranked = [(self.pieces_.names[place], chance) for place, chance in likeliest.items()]
            return _falling(ranked), frozenset(self.pieces_.names[place] for place in claimed)
        chances = {self.pieces_.pieces[place][0]: chance for place, chance in likeliest.items()}
        taken = {self.pieces_.pieces[place][0] for place in claimed}
        known = [
            (name, pieces)
            for name, pieces, claimable in zip(
                self.words_.names, self.words_.pieces, self.words_.claimable, strict=True
            )
            if claimable and all(piece in chances for piece in pieces)
        ]
        ranked = [(name, min(chances[piece] for piece in pieces)) for name, pieces in known]
        return _falling(ranked), frozenset(name for name, pieces in known if taken.issuperset(pieces))

    def _lengths(self, vectors: Vectors, lengths: Sequence[int] | None) -> list[int]:
        if lengths is None:
            guessed = [np.exp(self.log_length_(vector[None])[0, 0]) for vector in vectors]
            return [int(value) for value in np.clip(np.rint(guessed), 1, self.longest_)]
        if len(lengths) != len(vectors):
            raise InputError(f"{len(vectors)} targets but {len(lengths)} lengths; give one a target, or none at all")
        for length in lengths:
            check_floor("lengths", length, 1)
        return list(lengths)

    def _map(
        self, vectors: Vectors, reading: Reading, matrix: Singles, kept: Integers, held: Integers, progress: Progress
    ) -> LinearMap | None:
        """From the vectors to the layer at which the descent meets them; none at the output."""
        if self.layer is None:
            return None
        if self.layer == 0:
            return ridge_map(vectors, mean_words(matrix, reading.ids), kept, held)
        rows = np.sort(np.concatenate([kept[: MOST_MAPPED - MOST_MAPPED // 10], held[: MOST_MAPPED // 10]]))
        states = _states(self.box_, [reading.ids[row] for row in rows], self.layer, progress)
        return ridge_map(
            vectors[rows], states, np.flatnonzero(np.isin(rows, kept)), np.flatnonzero(np.isin(rows, held))
        )

    def _check(self, box: WhiteBox) -> None:
        check_choice("recipe", self.recipe, ("default", "paper"))
        check_choice("guess", self.guess, ("words", "pieces"))
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        if self.steps is not None:
            check_floor("steps", self.steps, 1)
        if self.layer is not None and not 0 <= self.layer <= box.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {box.layers}. Got {self.layer} instead.")


def _spelled(box: WhiteBox, texts: Sequence[str], vocabulary_size: int) -> Dictionary:
    return read_texts(box, texts, "words", vocabulary_size).dictionary


def _falling(ranked: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Likeliest first, and no chance above one, which sums of softmax may miss by a bit."""
    return sorted(((name, min(chance, 1.0)) for name, chance in ranked), key=lambda item: -item[1])


def _states(box: WhiteBox, ids: list[list[int]], layer: int, progress: Progress) -> Singles:
    """The pooled states of a layer, text by text."""
    import torch

    advance = progress(f"reading layer {layer}", len(ids))
    states: list[Singles] = []
    with torch.no_grad():
        for row in ids:
            soft = box.word_matrix[torch.tensor(row, dtype=torch.long)][None].float()
            states.append(box.embed(soft, layer=layer).numpy())
            advance(1)
    return np.concatenate(states)
