"""The adversaries of Section VI: with texts like the victims', and with unrelated ones alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.case.randomness import stream
from vestige.papers.pan2020.scores import mean_of, over_epochs
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import Texts
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.types import KeywordGuesses, Score, Vectors

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
MEAN = "mean of the keywords"


@dataclass(frozen=True)
class Adversary:
    """Who attacks one encoder, and with which texts."""

    run: Run[Sizes]
    texts: Texts
    target: Victim

    @property
    def elsewhere(self) -> Vectors:
        """Vectors of the external corpus."""
        return self.target.vectors(self.texts.external.corpus)

    @property
    def victims(self) -> Vectors:
        """The vectors under attack."""
        return self.target.vectors(self.texts.study.targets)

    def with_shadow(self, recipe: Recipe, size: int | None = None) -> KeywordGuesses:
        """White box: from the shadow corpus, or so much of it, and what the encoder says to texts made of it."""
        shadow = self.texts.study.shadow
        texts = shadow.texts[:size]
        # As many texts are asked for as by the published recipes: each text once a keyword.
        attack = KeywordInference(recipe=recipe, substituted=len(texts) * len(self.texts.study.keywords))
        fitted = attack.fit(
            self.target.vectors(shadow)[:size],
            texts,
            keywords=self.texts.study.keywords,
            rng=stream(self.run.seed, "attack"),
            encoder=self.target.encoder,
            progress=self.run.progress,
        )
        return fitted.infer(self.victims)

    def from_elsewhere(self, recipe: Recipe) -> KeywordGuesses:
        """Black box: from the external corpus as if it were like the targets."""
        fitted = KeywordInference(recipe=recipe).fit(
            self.elsewhere,
            self.texts.external.corpus.texts,
            keywords=self.texts.study.keywords,
            rng=stream(self.run.seed, "attack"),
            progress=self.run.progress,
        )
        return fitted.infer(self.victims)

    def adapted(
        self,
        *,
        external: int | None = None,
        shared: int = SHARED,
        victims: int | None = None,
        centred: bool = False,
    ) -> DomainAdversarialKeyword:
        """Black box: from the external corpus, or so much of it, adapted to the victims, or so many of them.

        `centred` is our default: what all texts of a domain have in common is taken off first.
        """
        rows = self.texts.external.first(external or len(self.texts.external.corpus))
        return DomainAdversarialKeyword(shared=shared, epochs=self.run.sizes.epochs, centred=centred).fit(
            self.elsewhere[rows],
            self.texts.external.labels[rows],
            keywords=self.texts.study.keywords,
            victims=self.victims[:victims],
            rng=stream(self.run.seed, "attack"),
            progress=self.run.progress,
        )

    def accuracy(self, guesses: KeywordGuesses) -> Score:
        """The mean over the keywords."""
        tests = self.texts.study.tests
        return mean_of(tests, tests.hits(guesses), self.run.seed)

    def over_epochs(self, epochs: Sequence[KeywordGuesses]) -> tuple[Score, Score]:
        """The same, on average over the epochs and in the worst of them."""
        return over_epochs(self.texts.study.tests, epochs, self.run.seed)
