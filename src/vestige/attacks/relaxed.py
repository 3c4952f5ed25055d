"""Inversion by relaxation: which soft words does the encoder map to this vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.convergence import DescentRecord, summarize_descents
from vestige.attacks.dictionary import Dictionary, Guess, LengthEstimator, TokenizedTexts, tokenize_texts
from vestige.attacks.layer_map import fit_layer_map
from vestige.attacks.ridge import LinearMap
from vestige.attacks.rows import split_blocks
from vestige.attacks.soft_words import (
    PUBLISHED,
    PUBLISHED_NOISE,
    Descent,
    DescentStart,
    Likely,
    MixtureStart,
    Spelled,
    Speller,
    UniformStart,
    relax,
)
from vestige.attacks.word_mixture import fit_mixture
from vestige.checks import as_vectors, check_above, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Integers, PaddedBox, Progress, Vectors, WhiteBox, WordGuesses, silent

if TYPE_CHECKING:
    from torch import Tensor

TARGETS_AT_ONCE = 4
MOST_ENTRIES = 1_000_000
OWN_VOCABULARY = 8000
DESCENT = Descent(rate=0.3, steps=40, temperature=1.0)
RATES, TEMPERATURES = (1e-3, 1e-2, 1e-1), (0.01, 0.02, 0.05, 0.1, 0.2)
MOST_TUNED, TUNING_STEPS = 4, 500
"""Auxiliary texts on which the rate and the temperature are chosen, and the most steps of a descent there: a rate that
needs more is judged by what it has reached."""


class RelaxedInverter:
    """Infers the words of a text by gradient descent on them; each position is a softmax over a vocabulary.

    The adversary sees: the target vectors and the whole encoder, through which gradients flow; and vectors of texts it
    knows, which `recipe="paper"` can do without. White box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6.

    `layer=None` matches the target at the encoder's output (Eq. 5); with a `layer`, a linear map first takes the target
    down to the mean state of that layer, and the descent matches it there (Eq. 6). To attack vectors taken at an inner
    layer, open an encoder that is pooled there and leave `layer` at None.

    `recipe="paper"`: Adam 1e-3 until convergence and temperature 0.05, over the whole vocabulary of the encoder, or the
    `vocabulary_size` most frequent pieces of the auxiliary texts. The paper knows each text's length and learns nothing
    for Eq. 5: `fit(box=..., rng=...)` needs no pairs, and `infer(lengths=...)` then takes the lengths. The paper leaves
    open the start (as in the authors' released code: uniform between -`noise` and `noise`) and what convergence is
    (here: `attacks.convergence`, or at most `steps`, by default 20,000; the soft words with the lowest loss are kept,
    since Adam may leave a minimum again).
    `temperature="tuned"` chooses the rate and the temperature on a few auxiliary texts, as the paper does: it states
    what suited its own encoders. A slow descent from a flat start converges to mixtures of many words: the
    probabilities tell.
    `recipe="default"` starts from what a mixture of words makes likely, gives each target its 60 likeliest pieces of
    the `vocabulary_size` (8,000) most frequent, and moves them faster at temperature 1, for 40 `steps`. Lengths that
    are not given are estimated from the auxiliary texts.

    Each position guesses its likeliest piece. `guess="pieces"` returns these; `guess="words"` returns the content words
    all of whose pieces are among them. Probabilities are the final softmax, the largest over positions, not calibrated.
    The `log` of the guesses says how the descents ended.
    """

    info = AttackInfo(
        name="relaxed",
        summary="white box: gradient descent on soft words through the encoder (Song and Raghunathan 2020)",
        output=WordGuesses,
        access=("pairs", "weights"),
        paper="Song and Raghunathan, CCS 2020, Section 3.1, Equations 4 to 6",
        recipes=("default", "paper"),
        named_recipes={"song-relaxed": {"recipe": "paper", "guess": "pieces"}},
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        guess: Guess = "words",
        vocabulary_size: int | None = None,
        layer: int | None = None,
        steps: int | None = None,
        temperature: float | Literal["tuned"] | None = None,
        noise: float = PUBLISHED_NOISE,
    ) -> None:
        self.recipe = recipe
        self.guess = guess
        self.vocabulary_size = vocabulary_size
        self.layer = layer
        self.steps = steps
        self.temperature = temperature
        self.noise = noise

    def fit(
        self,
        vectors: Vectors | None = None,
        texts: Sequence[str] | None = None,
        *,
        box: WhiteBox,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn lengths, the start and, for a lower layer, the map to it from pairs; row i is the embedding of text i.

        Texts without a piece that the encoder knows are skipped. Without pairs, the descent has all it needs but the
        lengths.
        """
        self._check(box)
        self.box_ = box
        self.down_: LinearMap | None = None
        self.estimator_: LengthEstimator | None = None
        self.descent_ = self._choose_descent()
        if vectors is None or texts is None:
            self._fit_alone(vectors is None and texts is None, rng)
            return self
        vectors = as_pairs(vectors, texts, documents)
        size = OWN_VOCABULARY if self.vocabulary_size is None and self.recipe == "default" else self.vocabulary_size
        tokenized = tokenize_texts(box, texts, "pieces", size)
        split = tokenized.hold_out(documents, rng)
        self.columns_ = vectors.shape[1]
        named = tokenized if self.guess == "pieces" else tokenize_texts(box, texts, "words", size)
        self._name(tokenized.dictionary, named.dictionary)
        self.estimator_ = LengthEstimator.fit(vectors, tokenized.ids, *split)
        seed = int(rng.integers(2**31))
        self.start_: DescentStart = UniformStart(len(self.pieces_), seed, self.noise)
        if self.recipe == "default":
            matrix = box.word_matrix.detach().float().numpy()
            self.start_ = MixtureStart(fit_mixture(vectors, tokenized, matrix, *split), seed)
        if self.layer is not None:
            self.down_ = fit_layer_map(vectors, tokenized.ids, box, self.layer, split=split, rng=rng, progress=progress)
        if self.temperature == "tuned":
            self.descent_ = self._tune(vectors, tokenized, split[1])
        return self

    def infer(
        self, vectors: Vectors, *, lengths: Sequence[int] | None = None, progress: Progress = silent
    ) -> WordGuesses:
        """Ranked words with their final probability, and the set of those that some position guesses.

        Targets of one length descend together; of several, if the box can map these at once.
        """
        if not hasattr(self, "start_"):
            raise NotFitted(
                "RelaxedInverter.infer was called before fit; call fit(vectors, texts, box=..., rng=...) first"
            )
        vectors = as_vectors(vectors, self.columns_)
        known = np.array(self._lengths(vectors, lengths), dtype=np.int64)
        likely = list(self.start_.likely(vectors))
        advance = progress("descending on words", len(vectors))
        spelled: dict[int, Spelled] = {}
        records: list[DescentRecord] = []
        for block, count in self._blocks(known):
            found = self._block(vectors[block], [likely[row] for row in block], known[block], records, count)
            spelled.update(zip(block[:count].tolist(), found, strict=False))
            advance(count)
        rows = range(len(vectors))
        log = summarize_descents(records, self.descent_.steps)
        log = replace(log, rule=f"{log.rule}; rate {self.descent_.rate:g}, temperature {self.descent_.temperature:g}")
        return WordGuesses([spelled[row][1] for row in rows], [spelled[row][0] for row in rows], log)

    def _fit_alone(self, nothing_given: bool, rng: np.random.Generator) -> None:
        """What the encoder alone allows."""
        if not nothing_given:
            raise InputError("fit was given vectors without texts, or texts without vectors; give both, or neither")
        if self.recipe != "paper" or self.layer is not None or self.guess != "pieces" or self.temperature == "tuned":
            raise InputError(
                "fit was given no pairs; only recipe 'paper' with guess 'pieces', without a layer and with a given "
                "temperature, works without them; give vectors and texts"
            )
        if self.vocabulary_size is not None:
            raise InputError("The 'vocabulary_size' parameter must be omitted where fit is given no texts.")
        rows = range(len(self.box_.words))
        pieces = Dictionary(tuple(self.box_.words), tuple((row,) for row in rows), np.ones(len(rows), np.bool_))
        self.columns_ = self.box_.embed(self.box_.word_matrix.detach()[:1][None].float()).shape[1]
        self._name(pieces, pieces)
        self.start_ = UniformStart(len(rows), int(rng.integers(2**31)), self.noise)

    def _name(self, pieces: Dictionary, names: Dictionary) -> None:
        self.pieces_ = [rows[0] for rows in pieces.pieces]
        self.speller_ = Speller(names)

    def _blocks(self, lengths: Integers) -> Iterator[tuple[Integers, int]]:
        """Rows that descend together; blocks of one shape cost little where each target has its own few candidates."""
        if not isinstance(self.start_, UniformStart):
            for length in np.unique(lengths):
                yield from split_blocks(np.flatnonzero(lengths == length), TARGETS_AT_ONCE)
            return
        groups = [np.argsort(lengths, kind="stable")] if self._is_padded() else []
        for rows in groups or [np.flatnonzero(lengths == length) for length in np.unique(lengths)]:
            size = max(1, MOST_ENTRIES // (int(lengths[rows].max(initial=1)) * len(self.pieces_)))
            for start in range(0, len(rows), size):
                yield rows[start : start + size], len(rows[start : start + size])

    def _is_padded(self) -> bool:
        return self.layer is None and isinstance(self.box_, PaddedBox)

    def _block(
        self, vectors: Vectors, likely: list[Likely], lengths: Integers, records: list[DescentRecord], count: int
    ) -> Iterator[Spelled]:
        """The words of these targets; adds how they descended."""
        import torch

        if isinstance(self.start_, UniformStart):
            pieces, shared = [self.pieces_] * len(likely), torch.tensor(self.pieces_)
        else:
            pieces = [[self.pieces_[place] for place in places] for places, _ in likely]
            shared = torch.tensor(pieces)
        ends = lengths.tolist()
        starts = [self.start_.start(log_odds, end) for (_, log_odds), end in zip(likely, ends, strict=True)]
        found = relax(
            self._embed,
            self.box_.word_matrix.detach()[shared].float(),
            torch.from_numpy(vectors if self.down_ is None else self.down_(vectors)),
            torch.nn.utils.rnn.pad_sequence(starts, batch_first=True),
            self.descent_,
            torch.from_numpy(lengths) if self._is_padded() else None,
        )
        records.append(found.convergence.record(count))
        chances = (rows[:end] for rows, end in zip(found.chances.numpy(), ends, strict=True))
        return (self.speller_.spell(own, rows) for own, rows in zip(pieces, chances, strict=True))

    def _embed(self, soft: "Tensor", lengths: "Tensor | None" = None) -> "Tensor":
        if lengths is not None and isinstance(self.box_, PaddedBox):
            return self.box_.embed_padded(soft, lengths)
        return self.box_.embed(soft, layer=self.layer)

    def _choose_descent(self) -> Descent:
        descent = PUBLISHED if self.recipe == "paper" else DESCENT
        if isinstance(self.temperature, float | int):
            descent = replace(descent, temperature=self.temperature)
        return descent if self.steps is None else replace(descent, steps=self.steps)

    def _tune(self, vectors: Vectors, texts: TokenizedTexts, held_out: Integers) -> Descent:
        """First the rate, then the temperature that recovers most of the pieces of a few held-out texts.

        Their lengths are known. Of equals the first is taken.
        """
        rows = held_out[:MOST_TUNED]
        truth = [{self.box_.words[piece] for piece in texts.ids[row]} for row in rows]
        lengths = [len(texts.ids[row]) for row in rows]
        stated, speller, self.speller_ = self.descent_, self.speller_, Speller(texts.dictionary)

        @cache
        def recovered(descent: Descent) -> float:
            self.descent_ = descent
            sets = self.infer(vectors[rows], lengths=lengths).sets
            return float(
                np.mean([2 * len(own & true) / (len(own) + len(true)) for own, true in zip(sets, truth, strict=True)])
            )

        short = replace(stated, steps=min(stated.steps, TUNING_STEPS))
        best = max((replace(short, rate=rate) for rate in RATES), key=recovered)
        best = max((replace(best, temperature=temperature) for temperature in TEMPERATURES), key=recovered)
        self.speller_ = speller
        return replace(best, steps=stated.steps)

    def _lengths(self, vectors: Vectors, lengths: Sequence[int] | None) -> list[int]:
        if lengths is None:
            if self.estimator_ is None:
                raise InputError("the lengths are unknown, since fit had no pairs; give infer one length per target")
            return self.estimator_.estimate(vectors)
        if len(lengths) != len(vectors):
            raise InputError(f"{len(vectors)} targets but {len(lengths)} lengths; give one length per target, or none")
        for length in lengths:
            check_floor("lengths", length, 1)
        return list(lengths)

    def _check(self, box: WhiteBox) -> None:
        check_choice("recipe", self.recipe, ("default", "paper"))
        check_choice("guess", self.guess, ("words", "pieces"))
        for name, value in {"vocabulary_size": self.vocabulary_size, "steps": self.steps}.items():
            if value is not None:
                check_floor(name, value, 1)
        if self.temperature not in (None, "tuned"):
            check_above("temperature", self.temperature, 0)
        check_floor("noise", self.noise, 0)
        if self.layer is not None and not 0 <= self.layer <= box.layers:
            raise InputError(f"The 'layer' parameter must be between 0 and {box.layers}. Got {self.layer} instead.")
