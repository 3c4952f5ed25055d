"""The keyword adversaries of Pan et al. 2020, Section VI, and their scores over keywords and over epochs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any, Literal

import numpy as np

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.metrics.keyword_accuracy import PRIOR, BalancedTests
from vestige.papers.pan2020.setup import PanSizes
from vestige.papers.pan2020.texts import KeywordTexts
from vestige.papers.run import PaperRun
from vestige.papers.timed_encoder import TimedEncoder
from vestige.papers.victims import Victim
from vestige.types import Floats, KeywordGuesses, Score, TrainingLog, Vectors

Recipe = Literal["svm", "mlp", "default"]
SHARED = 25

WHITE = ("white box, SVM", "white box, MLP", "white box, ours")
BLACK = (
    "black box, SVM",
    "black box, MLP",
    "black box, DANN on average",
    "black box, DANN at worst",
    "black box, ours",
)
COLUMNS = (*WHITE, *BLACK)


@dataclass(frozen=True)
class KeywordAdversary:
    """Infers keywords from the vectors of one encoder.

    In the white box it holds a shadow corpus like the targets and queries the encoder; in the black box it holds only
    the external corpus, whose subject is another.
    """

    run: PaperRun[PanSizes]
    texts: KeywordTexts
    target: Victim

    @property
    def external(self) -> Vectors:
        """The vectors of the external corpus."""
        return self.target.vectors(self.texts.external.corpus)

    @property
    def victims(self) -> Vectors:
        """The vectors under attack."""
        return self.target.vectors(self.texts.study.targets)

    def with_shadow(self, recipe: Recipe, size: int | None = None) -> "FittedKeywords":
        """White box: learns from the shadow corpus, or its first `size` texts, and from queries made of them."""
        shadow, own = self.texts.study.shadow, self.target.vectors(self.texts.study.shadow)
        texts, encoder = shadow.texts[:size], TimedEncoder(self.target.encoder)
        # As many queries as the published recipes: each text once per keyword.
        queries, epochs = len(texts) * len(self.texts.study.keywords), self.run.sizes.perceptron_epochs
        attack = KeywordInference(recipe=recipe, substituted=queries, epochs=epochs, device=self.run.device)
        return FittedKeywords(
            lambda: attack.fit(
                own[:size],
                texts,
                keywords=self.texts.study.keywords,
                rng=stream(self.run.seed, "attack"),
                encoder=encoder,
                progress=self.run.progress,
            ),
            encoder,
        )

    def from_external(self, recipe: Recipe) -> "FittedKeywords":
        """Black box: learns from the external corpus as if its texts were like the targets."""
        external = self.external
        return FittedKeywords(
            lambda: KeywordInference(
                recipe=recipe, epochs=self.run.sizes.perceptron_epochs, device=self.run.device
            ).fit(
                external,
                self.texts.external.corpus.texts,
                keywords=self.texts.study.keywords,
                rng=stream(self.run.seed, "attack"),
                counted=None if recipe == "default" else self.texts.external.counted,
                progress=self.run.progress,
            )
        )

    def adapt(
        self,
        *,
        external: int | None = None,
        shared: int = SHARED,
        victims: int | None = None,
        centred: bool = False,
    ) -> "FittedKeywords":
        """Black box: learns from the external corpus, or so many sentences of it, and adapts to so many victims.

        With `centred`, our default, the mean of each domain is subtracted first.
        """
        rows = self.texts.external.first(external or len(self.texts.external.corpus))
        known, attacked = self.external[rows], self.victims[:victims]
        return FittedKeywords(
            lambda: DomainAdversarialKeyword(
                shared=shared, epochs=self.run.sizes.epochs, centred=centred, device=self.run.device
            ).fit(
                known,
                self.texts.external.labels[rows],
                keywords=self.texts.study.keywords,
                victims=attacked,
                rng=stream(self.run.seed, "attack"),
                counted=None if centred else self.texts.external.counted[rows],
                progress=self.run.progress,
            )
        )

    def accuracy(self, guesses: KeywordGuesses) -> Score:
        """The mean accuracy over the keywords."""
        tests = self.texts.study.tests
        return mean_accuracy(tests, tests.hits(guesses), self.run.seed)

    def score_epochs(self, epochs: Sequence[KeywordGuesses]) -> tuple[Score, Score]:
        """The same, averaged over the epochs and in the worst case."""
        return score_epochs(self.texts.study.tests, epochs, self.run.seed)


class FittedKeywords:
    """A fitted attack on keywords, how its training ended, and the processor time of fitting, without encoding."""

    def __init__(self, fit: Callable[[], Any], encoder: TimedEncoder | None = None) -> None:
        started = process_time()
        self.attack = fit()
        self.seconds = process_time() - started - (0 if encoder is None else encoder.seconds)

    @property
    def logs(self) -> tuple[TrainingLog, ...]:
        """How the training ended; nothing for our defaults, whose length is a setting and not the paper's rule."""
        ours = self.attack.log_ is None or getattr(self.attack, "centred", False)
        return () if ours else (self.attack.log_,)

    def infer(self, vectors: Vectors) -> KeywordGuesses:
        """What the attack infers from these vectors."""
        guesses: KeywordGuesses = self.attack.infer(vectors)
        return guesses

    def by_epoch(self, vectors: Vectors) -> list[KeywordGuesses]:
        """What domain-adversarial networks infer after each epoch."""
        guesses: list[KeywordGuesses] = self.attack.by_epoch(vectors)
        return guesses


KeywordHits = Mapping[str, Floats]
"""For each keyword, 1 for a correct guess and 0 for a wrong one, or the share of epochs with a correct guess."""


def exact_score(value: float | None, n: int) -> Score:
    """The score of guessing, which is known exactly."""
    assert value is not None
    return Score(value, value, value, n)


def average_epochs(epochs: Sequence[KeywordHits]) -> KeywordHits:
    """The average risk: the mean over the epochs."""
    return {keyword: np.mean([hits[keyword] for hits in epochs], axis=0) for keyword in epochs[0]}


def worst_epochs(epochs: Sequence[KeywordHits]) -> KeywordHits:
    """The worst case for the victims: for each keyword the epoch with the highest accuracy.

    The choice requires the truth, as in the paper.
    """
    return {keyword: max((hits[keyword] for hits in epochs), key=np.mean) for keyword in epochs[0]}


def score_epochs(tests: BalancedTests, epochs: Sequence[KeywordGuesses], seed: int) -> tuple[Score, Score]:
    """Mean accuracy over keywords: averaged over the epochs, and in the worst case."""
    hits = [tests.hits(guesses) for guesses in epochs]
    return mean_accuracy(tests, average_epochs(hits), seed), mean_accuracy(tests, worst_epochs(hits), seed)


def mean_accuracy(tests: BalancedTests, hits: KeywordHits, seed: int) -> Score:
    """The mean over keywords; every keyword has the same weight, whatever the size of its test."""
    weights = np.concatenate([np.full(len(each), 1 / len(each)) for each in hits.values()])
    owners = [tests.documents[row] for keyword in hits for row in tests.tests[keyword]]
    rng = stream(seed, "bootstrap")
    return document_mean(np.concatenate(list(hits.values())), owners, rng, weights=weights, baseline=PRIOR)
