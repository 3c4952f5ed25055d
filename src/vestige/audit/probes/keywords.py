"""The probe `keywords`: can a stranger tell whether a word that the owner fears for is in a text?"""

from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.keywords import DomainAdversarialKeyword, KeywordInference
from vestige.audit.case import Case, Domain, Knowledge, Missing, Truth
from vestige.audit.probes.keywords_evidence import by_keyword, examples, likeliest, likeliest_unseen
from vestige.audit.randomness import stream
from vestige.audit.result import Adversary, Finding, Measure, NotApplicable
from vestige.audit.scorer import Scorer
from vestige.audit.settings import EXTERNAL, MOST_KEYWORDS, Settings
from vestige.audit.verdict import above, doubts, level_of, not_told_apart
from vestige.encoders.metered import Metered
from vestige.metrics.accuracy import PRIOR, BalancedTests, keyword_accuracy
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.keywords import keyword_table
from vestige.text.sensitive import sensitive_words
from vestige.text.substitution import external_examples
from vestige.types import Flags, Floats, KeywordGuesses, Progress, Score

MEASURES = {
    "accuracy": "Told rightly whether a keyword is there (every second text holds it)",
    "likeliest": "The likeliest keyword is in the text (texts that hold one)",
}
ATTACKS: dict[Domain, str] = {
    "same-domain": "keyword inference, a linear classifier a keyword (after Pan et al. 2020, Section VI)",
    "cross-domain": "keyword inference from elsewhere, domain-adversarial networks (after Pan et al. 2020, Appendix I)",
}


@dataclass(frozen=True)
class _Asked:
    """The keywords that can be scored, which target text holds which, and how many more were left out."""

    keywords: tuple[str, ...]
    held: Flags
    left_out: int


@dataclass(frozen=True)
class KeywordsProbe:
    """Looks for words that the owner lists, or for sensitive ones, in vectors of texts that the stranger never saw."""

    name: str
    question: str
    domain: Domain

    @property
    def measures(self) -> tuple[str, ...]:
        """Accuracy on balanced sets, and whether the likeliest keyword of a text is in it."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack, then open the truth and score."""
        if case.truth is None or self.domain not in case.auxiliary:
            return self._not(case.missing[self.domain])
        if self.domain == "cross-domain" and case.unasked is not None:
            return self._not(case.unasked)
        knowledge = case.knowledge(self.domain)
        asked = _asked(case.truth, knowledge, settings)
        if not asked.keywords:
            return self._not(_none_to_score(asked))
        return self._finding(knowledge, case.truth, asked, settings, progress)

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self, knowledge: Knowledge, truth: Truth, asked: _Asked, settings: Settings, progress: Progress
    ) -> Finding:
        inferred = _inferred if self.domain == "same-domain" else _inferred_from_elsewhere
        spent, guesses = inferred(knowledge, asked.keywords, settings, progress)
        others = replace(guesses, probabilities=np.roll(guesses.probabilities, len(truth.texts) // 2, axis=0))
        tests = BalancedTests.draw(asked.keywords, asked.held, truth.documents, stream(settings.seed, self.name))
        attack, control = (
            keyword_accuracy(tests, each, stream(settings.seed, "bootstrap")) for each in (guesses, others)
        )
        scorer = Scorer(truth.documents, settings.seed)
        unseen = likeliest_unseen(knowledge.auxiliary.texts, asked.keywords)
        measures = (
            Measure("accuracy", MEASURES["accuracy"], attack.mean, _coin(attack.mean), control.mean),
            _likeliest(guesses, others, unseen, asked.held, scorer),
        )
        leakage = above(attack.mean, PRIOR)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[self.domain],
            headline="accuracy",
            level=level_of(leakage),
            summary=_summary(self.domain, attack.mean, leakage, asked, settings),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(by_keyword(attack, asked.left_out),),
            examples=examples(truth.texts, asked.held, guesses, settings.show_text),
            adversary=_adversary(knowledge, asked, spent),
            warnings=doubts(measures[0]),
        )


def _asked(truth: Truth, knowledge: Knowledge, settings: Settings) -> _Asked:
    """Those that stand in enough target documents for an interval, and that the stranger can learn."""
    wanted = settings.keywords or tuple(sensitive_words(truth.texts, truth.documents, FEWEST_DOCUMENTS))
    held = keyword_table(truth.texts, wanted)
    learned = keyword_table(knowledge.auxiliary.texts, wanted).any(axis=0) | (knowledge.encoder is not None)
    documents = np.array(truth.documents)
    enough = [min(len(set(documents[column])), len(set(documents[~column]))) >= FEWEST_DOCUMENTS for column in held.T]
    most = len(wanted) if settings.keywords else MOST_KEYWORDS
    kept = np.flatnonzero(learned & np.array(enough, dtype=np.bool_))[:most]
    left_out = len(wanted) - len(kept) if settings.keywords else 0
    return _Asked(tuple(wanted[place] for place in kept), held[:, kept], left_out)


def _none_to_score(asked: _Asked) -> Missing:
    found = f"none of {asked.left_out} keywords" if asked.left_out else "no common sensitive word"
    return Missing(
        f"{found} stands in {FEWEST_DOCUMENTS} target documents or more, and is missing in as many",
        "list words of your texts with --keywords, or raise --targets",
    )


def _inferred(
    knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> tuple[int, KeywordGuesses]:
    """What the stranger asks of the encoder, and how likely it holds each keyword to be; no truth from here."""
    pairs = knowledge.auxiliary
    meter = Metered(knowledge.encoder) if knowledge.encoder is not None else None
    attack = KeywordInference().fit(
        pairs.vectors,
        pairs.texts,
        keywords=keywords,
        rng=stream(settings.seed, "attack"),
        encoder=meter,
        progress=progress,
    )
    return (0 if meter is None else meter.spent), attack.infer(knowledge.targets)


def _inferred_from_elsewhere(
    knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> tuple[int, KeywordGuesses]:
    """The same for one whose own texts are of another kind: keywords are put into these, and the domains aligned."""
    assert knowledge.encoder is not None
    meter = Metered(knowledge.encoder)
    made = external_examples(
        knowledge.auxiliary.texts, keywords, size=EXTERNAL, rng=stream(settings.seed, "external examples")
    )
    vectors = meter.encode(made.texts, progress=lambda _, total: progress("encoding texts with keywords", total))
    attack = DomainAdversarialKeyword(centred=True).fit(
        vectors,
        made.labels,
        keywords=keywords,
        victims=knowledge.targets,
        rng=stream(settings.seed, "attack"),
        progress=progress,
    )
    return meter.spent, attack.infer(knowledge.targets)


def _likeliest(guesses: KeywordGuesses, others: KeywordGuesses, unseen: int, held: Flags, scorer: Scorer) -> Measure:
    """Over the texts that hold a keyword."""
    some: Floats = np.asarray(held.any(axis=1), np.float64)
    values = likeliest(guesses, held), np.asarray(held[:, unseen], np.float64), likeliest(others, held)
    baseline = scorer.score(values[1], weights=some).value
    scores = [scorer.score(each, weights=some, baseline=baseline) for each in values]
    return Measure("likeliest", MEASURES["likeliest"], *scores)


def _coin(score: Score) -> Score:
    return Score(PRIOR, PRIOR, PRIOR, score.n, PRIOR)


def _adversary(knowledge: Knowledge, asked: _Asked, spent: int) -> Adversary:
    pairs = knowledge.auxiliary
    put_in = (
        f"the encoder, asked {spent:,} texts into which a keyword was put, or from which it was taken"
        if spent
        else "no encoder to ask"
    )
    given = (
        f"{len(knowledge.targets):,} target vectors, without their texts",
        f"{len(pairs.texts):,} pairs of text and vector ({pairs.source})",
        f"the {len(asked.keywords)} keywords it looks for; {put_in}; no weights and no gradient",
    )
    return Adversary(given, len(pairs.texts), pairs.queries + spent)


def _summary(domain: Domain, accuracy: Score, leakage: Score, asked: _Asked, settings: Settings) -> str:
    whose = "the keywords you listed" if settings.keywords else "sensitive words such as " + _named(asked.keywords)
    known = "" if domain == "same-domain" else " and has only unrelated text"
    who = f"A stranger who looks for {whose}{known}"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    return (
        f"{who} tells from a vector whether the word is in the text: rightly in {accuracy.value:.0%} of cases, where a "
        "coin is right in 50%."
    )


def _named(keywords: tuple[str, ...]) -> str:
    shown = [f"“{keyword}”" for keyword in keywords[:3]]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
