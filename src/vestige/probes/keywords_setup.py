"""The setup of the probe `keywords`, which is fitted and scored many times in a sweep of defenses."""

from collections.abc import Sequence

import numpy as np

from vestige.attacks.keywords.examples import Examples, Substitution
from vestige.attacks.keywords.inference import SUBSTITUTED
from vestige.attacks.keywords.kernel import choose_heads
from vestige.case.case import Case, Domain, Knowledge
from vestige.case.level import gain_over
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.metrics.keyword_accuracy import PRIOR, BalancedTests, mean_accuracy
from vestige.probes.keywords_attack import ATTACKS, fit_cross_domain, put_in_keywords
from vestige.probes.probe import Effort, Fitted, ProbeScore, Setup
from vestige.text.keywords import keyword_table
from vestige.types import Encoder, KeywordGuesses, Progress, Score, Vectors

MEASURES = {
    "accuracy": "Accuracy on sensitive keywords (balanced: half of the texts contain the keyword)",
    "likeliest": "The likeliest keyword is in the text (among texts that contain one)",
}


class KeywordsSetup(Setup):
    """Accuracy on the keywords of a run that are in enough documents for a test.

    With the effort `screen` the adversary learns from its pairs alone, and so only keywords that these contain.
    """

    measure = MEASURES["accuracy"]

    def __init__(
        self, name: str, domain: Domain, case: Case, keywords: Sequence[str], settings: Settings, effort: Effort
    ) -> None:
        assert case.truth is not None
        self.name = name
        self.domain = domain
        self.attack = ATTACKS[domain, "default" if domain == "same-domain" else settings.recipe_kind]
        self.fits_on_targets = domain == "cross-domain"
        self.settings = settings
        self.queries = effort == "full" or domain == "cross-domain"
        own = keyword_table(case.auxiliary[domain].texts, keywords)
        put_in = self.queries and case.encoder is not None
        self.keywords = tuple(
            keyword for keyword, column in zip(keywords, own.T, strict=True) if put_in or 0 < column.sum() < len(column)
        )
        held = keyword_table(case.truth.texts, self.keywords)
        self._tests = BalancedTests.draw(self.keywords, held, case.truth.documents, stream(settings.seed, self.name))
        self.tested = frozenset(self._tests.tests)
        knowledge = case.knowledge(domain)
        self._external = put_in_keywords(knowledge, self.keywords, settings) if self.fits_on_targets else None

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:
        """Fit on the texts of every draw, and on texts with keywords put in where the adversary can query."""
        if self._external is not None:
            return fit_cross_domain(knowledge, self._external, self.keywords, self.settings, progress)[1].infer
        pairs, encoder = knowledge.auxiliary, knowledge.encoder if self.queries else None
        texts = pairs.texts[: len(pairs.texts) // draws]
        parts = [self._build_examples(vectors, texts, encoder, progress) for vectors in np.split(pairs.vectors, draws)]
        heads = choose_heads(_join(parts, len(texts)), pairs.documents, stream(self.settings.seed, "heads"))
        return lambda vectors: KeywordGuesses(self.keywords, heads.probabilities(vectors))

    def score(self, guesses: KeywordGuesses) -> ProbeScore:
        """Accuracy on balanced sets; a coin has one half."""
        accuracy = mean_accuracy(self._tests, guesses, stream(self.settings.seed, "bootstrap"))
        return ProbeScore(accuracy, score_coin(accuracy), gain_over(accuracy, PRIOR))

    def _build_examples(
        self, vectors: Vectors, texts: Sequence[str], encoder: Encoder | None, progress: Progress
    ) -> Examples:
        if encoder is None:
            return Examples.build(vectors, keyword_table(texts, self.keywords))
        rng = stream(self.settings.seed, "attack")
        return Substitution(texts, self.keywords, encoder).build_shared(vectors, SUBSTITUTED, rng, progress)


def _join(parts: Sequence[Examples], pairs: int) -> Examples:
    """The examples of all draws: first the pairs of each, then those with keywords put in."""
    kept = [part.take(rows) for rows in (np.s_[:pairs], np.s_[pairs:]) for part in parts]
    return Examples.build(
        np.concatenate([part.vectors for part in kept]), np.concatenate([part.labels for part in kept])
    )


def score_coin(score: Score) -> Score:
    """The score of a coin on the same tests."""
    return Score(PRIOR, PRIOR, PRIOR, score.n, PRIOR)
