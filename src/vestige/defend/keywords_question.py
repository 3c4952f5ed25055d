"""Can a stranger tell from a defended vector whether a sensitive word is in the text?"""

from collections.abc import Sequence

import numpy as np

from vestige.attacks.keywords.examples import Examples, Substitution
from vestige.attacks.keywords.heads import fit_heads
from vestige.attacks.keywords.inference import SUBSTITUTED
from vestige.case.case import Case, Knowledge
from vestige.case.level import above
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.question import Reader, Told
from vestige.metrics.accuracy import PRIOR, BalancedTests, mean_accuracy
from vestige.text.keywords import keyword_table
from vestige.types import Encoder, KeywordGuesses, Progress, Score, Vectors


class KeywordsQuestion:
    """Looks for keywords with a linear classifier each, learned from pairs; a thorough one puts them into texts too.

    Those that the stranger's pairs never hold are looked for only where it is `thorough` and may ask.
    """

    name = "keywords"
    measure = "Told rightly whether a keyword is there (every second text holds it)"
    attack = "keyword inference, a linear classifier a keyword (after Pan et al. 2020, Section VI)"

    def __init__(self, case: Case, keywords: Sequence[str], settings: Settings, *, thorough: bool) -> None:
        assert case.truth is not None
        own = keyword_table(case.auxiliary["same-domain"].texts, keywords)
        put_in = thorough and case.encoder is not None
        self.keywords = tuple(
            keyword for keyword, column in zip(keywords, own.T, strict=True) if put_in or 0 < column.sum() < len(column)
        )
        self.settings = settings
        self.thorough = thorough
        held = keyword_table(case.truth.texts, self.keywords)
        self._tests = BalancedTests.draw(self.keywords, held, case.truth.documents, stream(settings.seed, self.name))

    @property
    def tested(self) -> frozenset[str]:
        """The keywords in enough documents for a test."""
        return frozenset(self._tests.tests)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Reader:
        """Learn from the same texts, those with keywords put in as well, in every draw."""
        pairs, encoder = knowledge.auxiliary, knowledge.encoder if self.thorough else None
        texts = pairs.texts[: len(pairs.texts) // draws]
        parts = [self._examples(vectors, texts, encoder, progress) for vectors in np.split(pairs.vectors, draws)]
        heads = fit_heads(
            Examples.of(
                np.concatenate([part.vectors for part in parts]), np.concatenate([part.labels for part in parts])
            )
        )
        return lambda vectors: KeywordGuesses(self.keywords, heads.probabilities(vectors))

    def score(self, guesses: KeywordGuesses) -> Told:
        """Accuracy on balanced sets; a coin has one half."""
        found = mean_accuracy(self._tests, guesses, stream(self.settings.seed, "bootstrap"))
        return Told(found, Score(PRIOR, PRIOR, PRIOR, found.n, PRIOR), above(found, PRIOR))

    def _examples(
        self, vectors: Vectors, texts: Sequence[str], encoder: Encoder | None, progress: Progress
    ) -> Examples:
        if encoder is None:
            return Examples.of(vectors, keyword_table(texts, self.keywords))
        rng = stream(self.settings.seed, "attack")
        return Substitution(texts, self.keywords, encoder).shared(vectors, SUBSTITUTED, rng, progress)
