"""Dual encoders: a sentence picks the next one (Song and Raghunathan 2020, after Logeswaran and Lee 2018)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vestige.encoders.dual.encoder import UNKNOWN, DualEncoder, word_ids
from vestige.encoders.dual.settings import (
    OUR_ADVERSARY,
    PUBLISHED_ADVERSARY,
    AdversarySettings,
    Architecture,
    Block,
    RateDecay,
    RecipeName,
    WordStart,
    check_lambda,
)
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import words
from vestige.types import Precision, Progress, silent

if TYPE_CHECKING:
    from vestige.encoders.dual.adversaries import SecretAdversary
    from vestige.encoders.dual.network import DualNetwork

LONGEST_SENTENCE = 1000


@dataclass(frozen=True)
class DualRecipe:
    """Train one network so that neighbouring sentences have a large dot product (Equation 2, next sentence only).

    The defaults train on a million words in minutes on two cores; `paper` has the published settings. A step takes
    `batch` sentences, in runs of `run` consecutive ones, as each other's negatives. Training truncates sentences after
    `longest_studied` words, the trained encoder after `longest`. The learning rate rises for `warm_up` steps, then
    follows `decline`; gradients are clipped to the norm `clip`, if there is one. `word_start` says how word vectors are
    initialized, `block` which layer a Transformer has, `normed` whether a layer norm comes last.

    `against_words` is the lambda_w of Section 7, and `against_attributes` pairs each column to hide with its lambda_s;
    0 hides nothing. `adversary` says which adversary the network is trained against.
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
    decline: RateDecay = "line"
    dropout: float = 0.3
    word_start: WordStart = "shared sentences"
    word_scale: float = 1.0
    block: Block = "identity"
    normed: bool = True
    clip: float | None = 1.0
    precision: Precision = "bf16"
    against_words: float = 0.0
    against_attributes: tuple[tuple[str, float], ...] = ()
    adversary: AdversarySettings = OUR_ADVERSARY

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a corpus that training uses besides the texts."""
        return tuple(name for name, _ in self.against_attributes)

    @property
    def hides(self) -> bool:
        """Whether it is trained against an adversary."""
        return bool(self.against_words or any(strength for _, strength in self.against_attributes))

    @classmethod
    def default(cls, architecture: Architecture) -> "DualRecipe":
        """Settings for a corpus of tens of thousands of sentences."""
        return cls() if architecture == "lstm" else cls("transformer", 128, 3, learning_rate=1e-3, word_scale=0.5)

    @classmethod
    def paper(cls, architecture: Architecture) -> "DualRecipe":
        """Song and Raghunathan 2020, Sections 2.1 and 6.1, for 40 million sentences.

        Stated: Equation 2 with the next sentence and the other sentences of the batch, 800 of them, as negatives; Adam;
        an LSTM of 1,200 dimensions for one epoch at a rate of 0.0005; a Transformer of three layers and 600 dimensions
        for five epochs, its layer and its warm-up those of Vaswani et al. 2017, whence 8 heads, a feed-forward part of
        four times the width, norms after the sums, unscaled sinusoids, dropout of 0.1 and 4,000 steps of warm-up.

        Not stated, and ours: 20,000 words (the paper has "over 10 million parameters in the word embedding matrices");
        word vectors as wide as the encoder, and initialized as the library does; the mean state for the LSTM as for the
        Transformer; one layer and no dropout in the LSTM; runs of eight sentences in a batch of 808, so that each has
        800 negatives from outside its context; no clipping of gradients; sentences of up to 1,000 words.

        The authors' released code (github.com/google/embedding-tests) does otherwise: 50,000 words, word vectors of 620
        numbers of which 300 are GloVe's, an LSTM in both directions whose last states are the vector, a second network
        for the neighbours before and after, a dropout of 0.15, gradients clipped to a norm of 10, and sentences of up
        to 30 words.
        """
        common = cls(
            architecture,
            vocabulary_size=20_000,
            longest=LONGEST_SENTENCE,
            longest_studied=LONGEST_SENTENCE,
            batch=808,
            run=8,
            word_start="standard",
            block="vaswani",
            normed=False,
            clip=None,
            precision="fp32",
            adversary=PUBLISHED_ADVERSARY,
        )
        return common._published_lstm() if architecture == "lstm" else common._published_transformer()

    def _published_lstm(self) -> "DualRecipe":
        return replace(self, dimension=1200, epochs=1, learning_rate=5e-4, warm_up=0, decline="none", dropout=0.0)

    def _published_transformer(self) -> "DualRecipe":
        width, warm_up = 600, 4000
        return replace(
            self,
            dimension=width,
            layers=3,
            heads=8,
            epochs=5,
            learning_rate=(width * warm_up) ** -0.5,
            warm_up=warm_up,
            decline="root",
            dropout=0.1,
            word_scale=width**-0.5,
        )

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> DualEncoder:
        """Learn from consecutive sentences; the same generator gives the same weights on the same machine."""
        import torch

        from vestige.encoders.dual.training import (
            AdamSettings,
            BatchPlan,
            LearningRate,
            TrainingData,
            find_chains,
            read_column,
            train_network,
        )

        self._check_adversaries()
        sentences = corpus.sentences(1, LONGEST_SENTENCE)
        labels = {name: read_column(sentences, name) for name in self.columns}
        chains = find_chains(sentences)
        known = Vocabulary.build((set(words(text)) for text in sentences.texts), self.vocabulary_size)
        vocabulary = [UNKNOWN, *known.words]
        rows = {word: row for row, word in enumerate(vocabulary)}
        texts = [word_ids(text, rows, self.longest_studied) for text in sentences.texts]
        plan = BatchPlan(self.epochs, self.batch, self.run)
        advance = progress(f"training dual:{self.architecture}", self.epochs * plan.batches(chains))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**63)))
            network = self._build_network(texts, len(vocabulary), rng)
            data = TrainingData(texts, chains, self._build_adversaries(texts, len(vocabulary), labels))
            rate = LearningRate(self.learning_rate, self.warm_up, self.decline)
            descent = AdamSettings(rate, self.clip, self.precision, self.adversary)
            log = train_network(network, data, plan, descent, rng, advance)
        return DualEncoder(vocabulary, network, asdict(self), log)

    def _check_adversaries(self) -> None:
        self.adversary.check()
        check_lambda(self.against_words, "words")
        for name, strength in self.against_attributes:
            check_lambda(strength, f"column '{name}'")

    def _build_adversaries(
        self, texts: list[list[int]], count: int, labels: Mapping[str, list[str | None]]
    ) -> "list[SecretAdversary]":
        from vestige.encoders.dual.adversaries import build_adversary
        from vestige.encoders.dual.secrets import ClassSecret, Secret, WordSecret

        secrets: list[tuple[Secret, float]] = []
        if self.against_words:
            secrets.append((WordSecret(texts, count), self.against_words))
        secrets += [(ClassSecret(labels[name]), strength) for name, strength in self.against_attributes]
        return [build_adversary(secret, strength, self.dimension, self.adversary) for secret, strength in secrets]

    def _build_network(self, texts: list[list[int]], count: int, rng: np.random.Generator) -> "DualNetwork":
        import torch

        from vestige.encoders.dual.network import DualNetwork, DualShape, initialize_words

        shape = DualShape(
            self.architecture,
            self.dimension,
            self.layers,
            self.heads,
            self.longest,
            self.normed,
            self.block,
            self.adversary.grid if self.hides else 0.0,
        )
        network = DualNetwork(shape, count, dropout=self.dropout)
        initial = self.word_scale * initialize_words(texts, count, self.dimension, self.word_start, rng)
        network.words.weight.data.copy_(torch.from_numpy(initial))
        return network


def parse_dual(argument: str, *, recipe: RecipeName = "default") -> DualRecipe:
    """The recipe of "dual:lstm" or "dual:transformer" with our settings, or with those of the paper as ":paper".

    A number, as in "dual:transformer:600", changes only the dimension of ours.
    """
    architectures: tuple[Architecture, ...] = ("lstm", "transformer")
    name, colon, settings = argument.partition(":")
    architecture = next((known for known in architectures if known == name), None)
    dimension = int(settings) if settings.isascii() and settings.isdigit() else 0
    if architecture is None or (colon and settings != "paper" and not dimension):
        raise InputError(
            f"'dual:{argument}' names no architecture; expected dual:lstm or dual:transformer, with the settings of "
            "the paper dual:lstm:paper or dual:transformer:paper, with another dimension dual:lstm:600"
        )
    if not dimension:
        return DualRecipe.paper(architecture) if "paper" in (recipe, settings) else DualRecipe.default(architecture)
    if dimension % DualRecipe.heads or recipe == "paper":
        raise InputError(
            f"'dual:{argument}' has {dimension} dimensions; expected a multiple of {DualRecipe.heads}, and our recipe, "
            "since the paper states the dimension of its own"
        )
    return replace(DualRecipe.default(architecture), dimension=dimension)


def add_adversaries(
    learner: LearnedEncoder,
    *,
    words: float = 0.0,
    attributes: Mapping[str, float] | None = None,
    adversary: AdversarySettings | None = None,
) -> LearnedEncoder:
    """The same encoder, trained against adversaries for words and for each attribute, with these lambdas.

    `adversary` says which; by default that of the recipe. Nothing is dropped out: dropout would hide from the adversary
    what the finished encoder reveals.
    """
    if not isinstance(learner.recipe, DualRecipe):
        raise InputError(
            f"encoder '{learner.name}' cannot be trained against an adversary; expected dual:lstm or dual:transformer"
        )
    pairs = tuple((attributes or {}).items())
    recipe = replace(
        learner.recipe,
        against_words=words,
        against_attributes=pairs,
        adversary=adversary or learner.recipe.adversary,
        dropout=0.0,
    )
    return LearnedEncoder(learner.name, recipe, learner.corpus, seed=learner.seed)
