"""The probe `keywords`: can a stranger tell whether a word that the owner fears for is in a text?"""

from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.keywords import DomainAdversarialKeyword, KeywordInference
from vestige.case.case import Case, Domain, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable
from vestige.case.level import above, doubts, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import EXTERNAL, Recipe, Settings
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.metrics.accuracy import PRIOR, BalancedTests, keyword_accuracy
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.probes.keywords_asked import Asked, asked_of, quoted
from vestige.probes.keywords_evidence import base_log_odds, by_keyword, examples, likeliest
from vestige.text.substitution import LabelledTexts, external_examples
from vestige.types import Flags, Floats, KeywordGuesses, Progress, Score

MEASURES = {
    "accuracy": "Told rightly whether a keyword is there (every second text holds it)",
    "likeliest": "The likeliest keyword is in the text (texts that hold one)",
}
ATTACKS: dict[tuple[Domain, Recipe], str] = {
    ("same-domain", "default"): "keyword inference, a linear classifier a keyword (after Pan et al. 2020, Section VI)",
    ("same-domain", "paper"): "keyword inference, a linear support vector machine a keyword, paper recipe "
    "(Pan et al. 2020, Section VI)",
    ("cross-domain", "default"): "keyword inference from elsewhere, domain-adversarial networks on centred domains "
    "(after Pan et al. 2020, Appendix I)",
    ("cross-domain", "paper"): "keyword inference from elsewhere, domain-adversarial networks, paper recipe "
    "(Pan et al. 2020, Appendix I)",
}


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
        asked = asked_of(case.truth, knowledge, settings)
        if not asked.keywords:
            return self._not(_none_to_score(asked, case, settings))
        if self.domain == "same-domain":
            inferred = _inferred(knowledge, asked.keywords, settings, progress)
        else:
            try:
                made = _put_in(knowledge, asked.keywords, settings)
            except InputError as refused:
                reason, _, remedy = str(refused).rpartition("; ")
                return self._not(Missing(reason, remedy))
            inferred = _inferred_from_elsewhere(knowledge, made, asked.keywords, settings, progress)
        return self._finding(knowledge, case.truth, asked, inferred, settings)

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self, knowledge: Knowledge, truth: Truth, asked: Asked, inferred: tuple[int, KeywordGuesses], settings: Settings
    ) -> Finding:
        spent, guesses = inferred
        others = replace(guesses, probabilities=np.roll(guesses.probabilities, len(truth.texts) // 2, axis=0))
        tests = BalancedTests.draw(asked.keywords, asked.held, truth.documents, stream(settings.seed, self.name))
        attack, control = (
            keyword_accuracy(tests, each, stream(settings.seed, "bootstrap")) for each in (guesses, others)
        )
        scorer = Scorer(truth.documents, settings.seed)
        base = base_log_odds(knowledge.auxiliary.texts, asked.keywords)
        measures = (
            Measure("accuracy", MEASURES["accuracy"], attack.mean, _coin(attack.mean), control.mean),
            self._likeliest((guesses, others), base, asked.held, scorer),
        )
        leakage = above(attack.mean, PRIOR)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[self.domain, settings.recipe],
            headline="accuracy",
            level=level_of(leakage),
            summary=_summary(self.domain, attack.mean, leakage, asked, settings),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(by_keyword(attack, asked),),
            examples=examples(truth.texts, asked, guesses, settings.show_text),
            adversary=_adversary(knowledge, asked, spent),
            warnings=doubts(measures[0]),
        )

    def _likeliest(
        self, both: tuple[KeywordGuesses, KeywordGuesses], base: Floats, held: Flags, scorer: Scorer
    ) -> Measure:
        """Over the texts that hold a keyword. Without vectors it is the one that is commonest in the stranger's texts.

        How frequent a keyword is in unrelated text says nothing of these, and would only mislead the attack.
        """
        some: Floats = np.asarray(held.any(axis=1), np.float64)
        rates = base if self.domain == "same-domain" else np.zeros_like(base)
        attack, control = (likeliest(guesses, rates, held) for guesses in both)
        unseen = np.asarray(held[:, base.argmax()], np.float64)
        baseline = scorer.score(unseen, weights=some).value
        scores = [scorer.score(each, weights=some, baseline=baseline) for each in (attack, unseen, control)]
        return Measure("likeliest", MEASURES["likeliest"], *scores)


def _none_to_score(asked: Asked, case: Case, settings: Settings) -> Missing:
    listed = f"none of {len(settings.keywords)} keywords can be scored"
    found = listed if settings.keywords else "no common sensitive word can be scored"
    why = asked.left_out or f"none stands in {FEWEST_DOCUMENTS} target documents and is missing in as many"
    remedies = [] if case.unasked is None or not asked.unlearned else [case.unasked.remedy]
    if asked.few or not asked.unlearned:
        remedies.append("list words of your texts with --keywords, or raise --targets")
    return Missing(f"{found}: {why}", "; or ".join(remedies))


def _inferred(
    knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> tuple[int, KeywordGuesses]:
    """What the stranger asks of the encoder, and how likely it holds each keyword to be; no truth from here."""
    pairs = knowledge.auxiliary
    meter = Metered(knowledge.encoder) if knowledge.encoder is not None else None
    attack = KeywordInference(recipe="svm" if settings.recipe == "paper" else "default").fit(
        pairs.vectors,
        pairs.texts,
        keywords=keywords,
        rng=stream(settings.seed, "attack"),
        encoder=meter,
        progress=progress,
    )
    return (0 if meter is None else meter.spent), attack.infer(knowledge.targets)


def _put_in(knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings) -> LabelledTexts:
    rng = stream(settings.seed, "external examples")
    return external_examples(knowledge.auxiliary.texts, keywords, size=EXTERNAL, rng=rng)


def _inferred_from_elsewhere(
    knowledge: Knowledge, made: LabelledTexts, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> tuple[int, KeywordGuesses]:
    """The same for one whose own texts are of another kind: keywords were put into these, and domains are aligned."""
    assert knowledge.encoder is not None
    meter = Metered(knowledge.encoder)
    vectors = meter.encode(made.texts, progress=lambda _, total: progress("encoding texts with keywords", total))
    attack = DomainAdversarialKeyword(centred=settings.recipe != "paper").fit(
        vectors,
        made.labels,
        keywords=keywords,
        victims=knowledge.targets,
        rng=stream(settings.seed, "attack"),
        progress=progress,
    )
    return meter.spent, attack.infer(knowledge.targets)


def _coin(score: Score) -> Score:
    return Score(PRIOR, PRIOR, PRIOR, score.n, PRIOR)


def _adversary(knowledge: Knowledge, asked: Asked, spent: int) -> Adversary:
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


def _summary(domain: Domain, accuracy: Score, leakage: Score, asked: Asked, settings: Settings) -> str:
    whose = "the keywords you listed" if settings.keywords else _common(asked)
    known = "" if domain == "same-domain" else " and has only unrelated text"
    who = f"A stranger who looks for {whose}{known}"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    return (
        f"{who} tells from a vector whether the word is in the text: rightly in {accuracy.value:.0%} of cases, where a "
        "coin is right in 50%."
    )


def _common(asked: Asked) -> str:
    shown = [keyword for keyword, masked in zip(asked.keywords, asked.masked, strict=True) if not masked]
    return f"sensitive words such as {quoted(shown[:3])}" if shown else "places and organisations of your texts"
