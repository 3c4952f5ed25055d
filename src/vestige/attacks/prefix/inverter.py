"""A decoder of vectors: a transformer that has the vector as its prefix. Ours, after vec2text and ALGEN."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.linear_words import whitening_matrix
from vestige.attacks.rows import split_blocks, unit_length
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.nn.stopping import LossWatch
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import tokenize
from vestige.types import Encoder, Progress, Singles, TextGuesses, TrainingLog, Vectors, WhiteBox, silent

if TYPE_CHECKING:
    from vestige.attacks.prefix.network import PrefixTransformer
    from vestige.attacks.prefix.training import Lessons

EPOCHS, FEWEST_STEPS, PATIENCE = 6, 200, 2
EDITED, FEWEST_EDITED = 0.4, 2000
"""The share of the texts that are given mistakes: each costs a query, and editing is learned sooner than writing."""

HELD, MOST_HELD = 0.05, 400
AT_ONCE = 8
NEVER = -30.0
PENALTIES = np.logspace(-4, 3, 15)


@dataclass(frozen=True)
class EditFeatures:
    """What the editor has to say about a text: features of replacements, one per word, and of insertions, per gap."""

    replace: Singles
    insert: Singles


class PrefixDecoder:
    """Writes the text behind a vector from left to right, without any query.

    The adversary sees: pairs of vectors and texts, and the target vectors. With `encoder`, it may query the encoder
    while it learns, once for each text with mistakes; the decoder then learns to edit as well, and a search uses it.
    With `box`, the encoder's weights, words begin as the encoder has them. Shapes: `fit` takes (n, d) vectors and n
    texts; `infer` takes (m, d) and returns m texts.

    After vec2text (Morris et al. 2023), in whose second step a network sees the target, a hypothesis and the vector of
    the hypothesis, and ALGEN (Chen et al. 2025), which connects another encoder by a linear map. Here writer and editor
    are one small transformer. Tokens are words, which every encoder has. `infer` draws `samples` texts and returns the
    one that agrees most with the others. Only the direction of vectors counts.
    """

    info = AttackInfo(
        name="prefix-decoder",
        summary="writes a sentence with a transformer that has the vector as its prefix",
        output=TextGuesses,
        access=("pairs",),
    )

    def __init__(
        self,
        *,
        vocabulary_size: int = 20_000,
        width: int = 384,
        layers: int = 3,
        epochs: int | None = None,
        samples: int = 16,
    ) -> None:
        self.vocabulary_size = vocabulary_size
        self.width = width
        self.layers = layers
        self.epochs = epochs
        self.samples = samples

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        encoder: Encoder | None = None,
        box: WhiteBox | None = None,
        start: "PrefixDecoder | None" = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`.

        With `start`, a decoder that was fitted before, the training goes on from there, with the words of both.
        """
        for name, floor in {"vocabulary_size": 1, "width": 16, "layers": 1, "samples": 1}.items():
            check_floor(name, getattr(self, name), floor)
        if self.epochs is not None:
            check_floor("epochs", self.epochs, 1)
        unit = unit_length(as_pairs(vectors, texts, documents))
        self.lexicon_ = _merge_words(Lexicon.build(texts, self.vocabulary_size), start)
        if start is None:
            mean = unit.mean(axis=0)
            self.map_ = whitening_matrix(unit - mean)
            self.offset_ = np.asarray(-mean @ self.map_, np.float32)
        else:
            start.check_fitted("fit")
            self.map_, self.offset_ = start.map_, start.offset_
            as_vectors(unit, len(self.map_))
        import torch

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            self.network_ = self._build_network(texts, box, start)
            self.edits_: bool = encoder is not None or (start is not None and start.edits)
            self.log_ = self._train(unit, texts, documents, encoder, rng, progress)
        return self

    def infer(self, vectors: Vectors, *, progress: Progress = silent) -> TextGuesses:
        """For each vector, the text that agrees most with other samples."""
        from vestige.attacks.prefix.writing import choose_consensus

        drawn = self.draw(vectors, self.samples, progress=progress)
        return TextGuesses([self.spell(choose_consensus(samples)) for samples in drawn])

    def draw(self, vectors: Vectors, samples: int, *, progress: Progress = silent) -> list[list[tuple[int, ...]]]:
        """So many texts for each vector, as tokens; the first one is the likeliest, word by word."""
        self.check_fitted("infer")
        from vestige.attacks.prefix.writing import write_samples

        vectors = as_vectors(vectors, len(self.map_))
        advance = progress("writing", len(vectors))
        drawn: list[list[tuple[int, ...]]] = []
        for block, count in split_blocks(vectors, AT_ONCE):
            drawn += write_samples(self.network_, self._transform(unit_length(block)), samples, seed=0)[:count]
            advance(count)
        return drawn

    def edit(self, targets: Vectors, vectors: Vectors, texts: Sequence[Sequence[int]]) -> list[EditFeatures]:
        """What to change in each text, given as tokens, so that its vector becomes the target."""
        self.check_fitted("edit")
        import torch

        from vestige.attacks.prefix.network import START

        found: dict[int, EditFeatures] = {}
        by_length: dict[int, list[int]] = {}
        for row, text in enumerate(texts):
            by_length.setdefault(len(text), []).append(row)
        inputs, rest = self._transform(targets), (targets - vectors) @ self.map_
        with torch.no_grad():
            for rows in by_length.values():
                for block, count in split_blocks(np.array(rows), AT_ONCE):
                    tokens = torch.tensor([[START, *texts[row]] for row in block])
                    replace, insert = self.network_.edit_features(
                        torch.from_numpy(inputs[block]), torch.from_numpy(rest[block]), tokens
                    )
                    for place, row in enumerate(block[:count].tolist()):
                        found[row] = EditFeatures(replace[place].numpy(), insert[place].numpy())
        return [found[row] for row in range(len(texts))]

    def align(self, vectors: Vectors, own: Vectors) -> "PrefixDecoder":
        """A decoder for the vectors of another encoder: row i of both tables belongs to the same text.

        A ridge regression maps the other encoder's vectors to those that this decoder was fitted on; its penalty is
        chosen by leave-one-out.
        """
        self.check_fitted("align")
        from sklearn.linear_model import RidgeCV

        given, own = unit_length(as_vectors(vectors)), unit_length(as_vectors(own, len(self.map_)))
        if len(given) != len(own):
            raise InputError(f"{len(given)} vectors but {len(own)} of the decoder's encoder; expected one for each")
        ridge = RidgeCV(PENALTIES).fit(given.astype(np.float64), own.astype(np.float64))
        aligned = copy(self)
        aligned.map_ = np.asarray(ridge.coef_.T @ self.map_, np.float32)
        aligned.offset_ = np.asarray(ridge.intercept_ @ self.map_ + self.offset_, np.float32)
        return aligned

    @property
    def edits(self) -> bool:
        """Whether it has learned to edit."""
        return self.edits_

    @property
    def nothing(self) -> Singles:
        """The weights and the bias of no word in a gap."""
        from vestige.attacks.prefix.network import NOTHING

        nothing: Singles = self._list_rows([NOTHING])[0]
        return nothing

    def list_outputs(self, words: Sequence[str]) -> Singles:
        """The weights of each word, its bias last, and then those of a deletion. An unknown word is never proposed."""
        from vestige.attacks.prefix.network import DELETE, UNKNOWN

        tokens = self.number(words)
        outputs = self._list_rows([*tokens, DELETE])
        unknown = np.array([token == UNKNOWN for token in tokens] + [False])
        outputs[unknown] = 0
        outputs[unknown, -1] = NEVER
        return outputs

    def _list_rows(self, tokens: Sequence[int]) -> Singles:
        weights, bias = self.network_.words.weight.detach().numpy(), self.network_.bias.detach().numpy()
        rows: Singles = np.hstack([weights[list(tokens)], bias[list(tokens), None]])
        return rows

    def number(self, words: Sequence[str]) -> list[int]:
        """The token of each word; a word that the decoder does not know has that of unknown words."""
        from vestige.attacks.prefix.network import RESERVED, UNKNOWN

        index = self.lexicon_.index
        return [index[word] + RESERVED if word in index else UNKNOWN for word in words]

    def spell(self, tokens: Sequence[int]) -> str:
        """The text of these tokens."""
        from vestige.attacks.prefix.network import RESERVED

        return self.lexicon_.spell([token - RESERVED for token in tokens if token >= RESERVED])

    def _transform(self, unit: Vectors) -> Singles:
        return np.asarray(unit @ self.map_ + self.offset_, np.float32)

    def _parse(self, texts: Sequence[str]) -> list[list[int]]:
        longest = self.network_.shape.longest - 2
        return [self.number(tokenize(text)[:longest]) for text in texts]

    def _build_network(
        self, texts: Sequence[str], box: WhiteBox | None, start: "PrefixDecoder | None"
    ) -> "PrefixTransformer":
        from vestige.attacks.prefix.start import build_network

        return build_network(self, texts, box, start)

    def _train(
        self,
        unit: Vectors,
        texts: Sequence[str],
        documents: Sequence[str] | None,
        encoder: Encoder | None,
        rng: np.random.Generator,
        progress: Progress,
    ) -> TrainingLog:
        from vestige.attacks.prefix.training import count_steps, train

        named = [str(row) for row in range(len(texts))] if documents is None else documents
        split = split_documents(named, min(HELD, MOST_HELD / len(texts)), rng)
        learned = split.auxiliary or split.target
        lessons = self._prepare(unit[learned], [texts[row] for row in learned], encoder, rng, progress)
        held = self._prepare(unit[split.target], [texts[row] for row in split.target], None, rng, progress)
        steps = count_steps(lessons)
        watch = LossWatch(self.epochs or max(EPOCHS, -(-FEWEST_STEPS // steps)), patience=PATIENCE)
        train(self.network_, lessons, held, watch, rng, progress("training the decoder", steps * watch.most))
        return watch.log()

    def _prepare(
        self, unit: Vectors, texts: Sequence[str], encoder: Encoder | None, rng: np.random.Generator, progress: Progress
    ) -> "Lessons":
        """Texts to write and, where the encoder may be queried, as many to correct."""
        from vestige.attacks.prefix.corruption import Mistakes, find_edits
        from vestige.attacks.prefix.network import UNKNOWN
        from vestige.attacks.prefix.training import EditExamples, Lessons

        parsed = self._parse(texts)
        inputs = self._transform(unit)
        if encoder is None:
            return Lessons(inputs, parsed, EditExamples())
        words = self.network_.words.weight.detach().numpy()
        counts = np.bincount(np.concatenate([np.array(text, np.int64) for text in parsed]), minlength=len(words))
        mistakes = Mistakes.learn(words, counts)
        rows = [row for row, text in enumerate(parsed) if set(text) - {UNKNOWN}]
        rows = sample_rows(rows, max(round(EDITED * len(rows)), FEWEST_EDITED), rng)
        spoiled = [
            mistakes.spoil([word for word in parsed[row] if word != UNKNOWN], rng)[: self.network_.shape.longest - 2]
            for row in rows
        ]
        encoded = unit_length(encoder.encode([self.spell(text) for text in spoiled], progress=progress))
        edits = [find_edits(text, parsed[row], rng) for row, text in zip(rows, spoiled, strict=True)]
        rest = np.asarray((unit[rows] - encoded) @ self.map_, np.float32)
        return Lessons(inputs, parsed, EditExamples(rows, spoiled, [e[0] for e in edits], [e[1] for e in edits], rest))

    def check_fitted(self, method: str) -> None:
        """Raise if `fit` was not called."""
        if not hasattr(self, "log_"):
            raise NotFitted(f"PrefixDecoder.{method} needs a fitted decoder; call fit(vectors, texts, rng=...) first")


def _merge_words(lexicon: Lexicon, start: PrefixDecoder | None) -> Lexicon:
    """The words of the decoder to start from, with their numbers, and then the new ones."""
    if start is None:
        return lexicon
    return Lexicon(tuple(dict.fromkeys([*start.lexicon_.words, *lexicon.words])))
