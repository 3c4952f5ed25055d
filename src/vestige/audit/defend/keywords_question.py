"""Can a stranger tell from a defended vector whether a sensitive word is in the text?"""

from vestige.attacks.keywords import KeywordInference
from vestige.audit.case import Case, Knowledge
from vestige.audit.defend.question import Reader, Told
from vestige.audit.randomness import stream
from vestige.audit.settings import Settings
from vestige.audit.verdict import above
from vestige.metrics.accuracy import PRIOR, BalancedTests, keyword_accuracy
from vestige.text.keywords import keyword_table
from vestige.types import KeywordGuesses, Progress, Score


class KeywordsQuestion:
    """Looks for keywords with a linear classifier each, learned from pairs and from texts into which they were put."""

    name = "keywords"
    measure = "Told rightly whether a keyword is there (every second text holds it)"
    attack = "keyword inference, a linear classifier a keyword (after Pan et al. 2020, Section VI)"

    def __init__(self, case: Case, keywords: tuple[str, ...], settings: Settings, *, thorough: bool) -> None:
        assert case.truth is not None
        self.keywords = keywords
        self.settings = settings
        self.thorough = thorough
        held = keyword_table(case.truth.texts, keywords)
        self._tests = BalancedTests.draw(keywords, held, case.truth.documents, stream(settings.seed, self.name))

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Reader:  # noqa: ARG002
        """Learn from all draws alike, and from texts into which keywords were put where it is thorough."""
        pairs, encoder = knowledge.auxiliary, knowledge.encoder if self.thorough else None
        attack = KeywordInference().fit(
            pairs.vectors,
            pairs.texts,
            keywords=self.keywords,
            rng=stream(self.settings.seed, "attack"),
            encoder=encoder,
            progress=progress,
        )
        return attack.infer

    def score(self, guesses: KeywordGuesses) -> Told:
        """Accuracy on balanced sets; a coin has one half."""
        found = keyword_accuracy(self._tests, guesses, stream(self.settings.seed, "bootstrap")).mean
        return Told(found, Score(PRIOR, PRIOR, PRIOR, found.n, PRIOR), above(found, PRIOR))
