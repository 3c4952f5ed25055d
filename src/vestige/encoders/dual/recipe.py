"""Dual encoders (Song & Raghunathan 2020, after Logeswaran & Lee 2018): a sentence picks the one that follows it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from vestige.encoders.dual.choices import Architecture, Decline, Opposition, Start
from vestige.encoders.dual.encoder import UNKNOWN, DualEncoder, word_ids
from vestige.encoders.dual.lambdas import check_lambda
from vestige.encoders.dual.words import first_words
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus
from vestige.text.labels import read_labels
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import words
from vestige.types import Progress, silent

if TYPE_CHECKING:
    from vestige.encoders.dual.network import DualNetwork
    from vestige.encoders.dual.opponents import Opponent

LONGEST_SENTENCE = 1000


@dataclass(frozen=True)
class DualRecipe:
    """Train one network so that neighbours in a document have a large dot product (Eq. 2, next sentence only).

    The defaults train on a million words in minutes on two cores; `paper` gives the settings that were published. At
    every step `batch` sentences, `run` of a document together, are each other's negatives. The first `longest_studied`
    words of a sentence are learned from; the encoder reads the first `longest` of a text. The learning rate rises for
    `warm_up` steps and then declines; `word_start` tells where the word vectors start; `normed` whether a layer norm
    stands at the end.

    Above 0, `against_words` is the lambda_w of Section 7, and the second of each of `against_attributes`, pairs of a
    column and a number, its lambda_s. Of attributes the `opponent` is the published "reader", which learns along with
    the network, or "overlap", which has nothing to learn. Of words it is the reader.
    """

    architecture: Architecture = "lstm"
    dimension: int = 300
    layers: int = 1
    heads: int = 4
    vocabulary_size: int = 10_000
    longest: int = 256
    longest_studied: int = 48
    epochs: int = 3
    batch: int = 200
    run: int = 8
    learning_rate: float = 3e-3
    warm_up: int = 50
    decline: Decline = "line"
    dropout: float = 0.3
    word_start: Start = "shared sentences"
    word_scale: float = 1.0
    normed: bool = True
    against_words: float = 0.0
    against_attributes: tuple[tuple[str, float], ...] = ()
    opponent: Opposition = "overlap"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a corpus that it learns from, besides the texts."""
        return tuple(name for name, _ in self.against_attributes)

    @classmethod
    def default(cls, architecture: Architecture) -> "DualRecipe":
        """Settings small enough for a corpus of tens of thousands of sentences."""
        return cls() if architecture == "lstm" else cls("transformer", 128, 3, learning_rate=1e-3, word_scale=0.5)

    @classmethod
    def paper(cls, architecture: Architecture) -> "DualRecipe":
        """Section 6.1 of Song & Raghunathan, for 40 million sentences; 808 leave each its 800 negatives.

        The paper leaves open the vocabulary, the first word vectors, heads, dropout and how the LSTM is pooled. The
        rate of its Transformer is that of Vaswani et al. 2017.
        """
        if architecture == "lstm":
            plain = cls("lstm", 1200, epochs=1, learning_rate=5e-4, warm_up=0, decline="none")
        else:
            peak = (600 * 4000) ** -0.5
            plain = cls("transformer", 600, 3, 8, epochs=5, learning_rate=peak, warm_up=4000, decline="root")
        return replace(plain, batch=808, dropout=0.0, word_start="random", normed=False, opponent="reader")

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> DualEncoder:
        """Learn from consecutive sentences; the same generator gives the same weights on the same machine."""
        import torch

        from vestige.encoders.dual.training import Drill, Material, Schedule, train

        check_lambda(self.against_words, "words")
        for name, strength in self.against_attributes:
            check_lambda(strength, f"column '{name}'")
        sentences = corpus.sentences(1, LONGEST_SENTENCE)
        labels = {name: _labels(sentences, name) for name in self.columns}
        chains = _chains(sentences)
        known = Vocabulary.build((set(words(text)) for text in sentences.texts), self.vocabulary_size)
        vocabulary = [UNKNOWN, *known.words]
        rows = {word: row for row, word in enumerate(vocabulary)}
        texts = [word_ids(text, rows, self.longest_studied) for text in sentences.texts]
        drill = Drill(self.epochs, self.batch, self.run)
        advance = progress(f"training dual:{self.architecture}", self.epochs * drill.batches(chains))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**63)))
            network = self._network(texts, len(vocabulary), rng)
            material = Material(texts, chains, self._opponents(texts, len(vocabulary), labels))
            train(network, material, drill, Schedule(self.learning_rate, self.warm_up, self.decline), rng, advance)
        return DualEncoder(vocabulary, network, asdict(self))

    def _opponents(
        self, texts: list[list[int]], count: int, labels: Mapping[str, list[str | None]]
    ) -> "list[Opponent]":
        from vestige.encoders.dual.opponents import AttributeReader, Opponent, WordReader
        from vestige.encoders.dual.overlap import AttributeOverlap

        width, found = self.dimension, list[Opponent]()
        if self.against_words:
            found.append(WordReader(width, count, self.against_words, texts))
        for name, strength in self.against_attributes:
            reader, overlap = partial(AttributeReader, width), AttributeOverlap
            found.append((reader if self.opponent == "reader" else overlap)(labels[name], strength))
        return found

    def _network(self, texts: list[list[int]], count: int, rng: np.random.Generator) -> "DualNetwork":
        import torch

        from vestige.encoders.dual.network import DualNetwork, Shape

        shape = Shape(self.architecture, self.dimension, self.layers, self.heads, self.longest, self.normed)
        network = DualNetwork(shape, count, dropout=self.dropout)
        words_at_first = self.word_scale * first_words(texts, count, self.dimension, self.word_start, rng)
        network.words.weight.data.copy_(torch.from_numpy(words_at_first))
        return network


def _labels(sentences: Corpus, name: str) -> list[str | None]:
    """The classes of a column, two or more."""
    if not sentences.attributes:
        raise InputError(
            f"corpus '{sentences.name}' has texts and no column '{name}'; give a .csv, .jsonl or .parquet file with a "
            "label for each text"
        )
    if name not in sentences.attributes:
        raise InputError(f"corpus '{sentences.name}' has no column '{name}'; {nearest(name, [*sentences.attributes])}")
    found = read_labels(sentences.attributes[name])
    held = set() if found is None else {*found.labels} - {None}
    if found is None or len(held) < 2:
        told = "lists or records" if found is None else f"{len(held)} labels"
        raise InputError(f"column '{name}' of '{sentences.name}' holds {told}; expected two labels or more to hide")
    return found.labels


def _chains(sentences: Corpus) -> list[range]:
    """The row numbers of each document that has two sentences or more."""
    grouped = [list(rows) for _, rows in groupby(range(len(sentences)), key=sentences.documents.__getitem__)]
    chains = [range(rows[0], rows[-1] + 1) for rows in grouped if len(rows) > 1]
    if not chains:
        raise InputError(
            f"corpus '{sentences.name}' has {len(sentences)} sentences in {len(grouped)} documents and no two in one; "
            "a dual encoder learns from consecutive sentences: give whole texts, or name the column that tells which "
            "rows belong to one document"
        )
    return chains
