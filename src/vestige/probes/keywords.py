"""The probe `keywords`: can an adversary infer whether a sensitive keyword is in a text?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vestige.attacks.keywords.inference import SUBSTITUTED
from vestige.case.case import Case, Domain, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, TargetScores
from vestige.case.level import describe_no_gain, find_doubts, gain_over, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MOST_KEYWORDS, Settings
from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.metrics.keyword_accuracy import PRIOR, BalancedTests, keyword_accuracy
from vestige.probes.inversions import warn_unconverged
from vestige.probes.keywords_attack import (
    InferredKeywords,
    infer_cross_domain,
    infer_keywords,
    name_attack,
    put_in_keywords,
)
from vestige.probes.keywords_choice import KeywordChoice, choose_keywords, quote_labels
from vestige.probes.keywords_evidence import base_log_odds, by_keyword, examples, likeliest
from vestige.probes.keywords_setup import MEASURES, KeywordsSetup, score_coin
from vestige.probes.probe import Cost, Effort, Probe, Run, Setup, Standards, number_texts
from vestige.types import Flags, Floats, KeywordGuesses, Score


@dataclass(frozen=True)
class KeywordsProbe(Probe):
    """Infers which keywords a text contains: those that the owner lists, or common sensitive words."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025", "LLM02:2025"), ("AML.T0024.001",))
    rank: ClassVar[int] = 2
    cost: ClassVar[Cost] = Cost(2, per_thousand_pairs=0.3)

    name: str
    question: str
    domain: Domain

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (
            cls("keywords", "Can a stranger infer whether a sensitive word is in a text?", "same-domain"),
            cls(
                "keywords-cross-domain",
                "Can a stranger who has only unrelated text infer whether a sensitive word is in a text?",
                "cross-domain",
            ),
        )

    def list_recipes(self) -> tuple[str, ...]:
        """The published classifiers of the domain."""
        return ("pan-svm", "pan-mlp", "pan-decoder") if self.domain == "same-domain" else ("pan-dann",)

    def can_apply(self, plan: CasePlan) -> bool:
        """Whether there is text of the domain."""
        return self.domain not in plan.missing

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """Texts of the adversary into which a keyword is put, or from which one is taken."""
        settings, keywords = plan.settings, len(plan.settings.keywords) or MOST_KEYWORDS
        if self.domain == "same-domain":
            published = 0 if settings.recipe == "pan-decoder" else len(plan.known) * keywords
            size = SUBSTITUTED if settings.recipe == "default" else published
            return number_texts(plan.known.texts, size, "with keywords")
        external = [] if plan.foreign is None else plan.foreign.texts
        return number_texts(external, settings.external * (1 + keywords), "with a keyword")

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """One setup, with the keywords that were chosen on the first case that this run opened."""
        choice = self._choose(case, run)
        if isinstance(choice, Missing):
            return choice
        try:
            return [KeywordsSetup(self.name, self.domain, case, choice.keywords, run.settings, effort)]
        except InputError as refused:
            return _split_error(refused)

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack, then compare with the truth."""
        choice = self._choose(case, run)
        if isinstance(choice, Missing):
            return choice
        assert case.truth is not None
        knowledge = case.knowledge(self.domain)
        if self.domain == "same-domain":
            inferred = infer_keywords(knowledge, choice.keywords, run.settings, run.progress)
        else:
            try:
                made = put_in_keywords(knowledge, choice.keywords, run.settings)
            except InputError as refused:
                return _split_error(refused)
            inferred = infer_cross_domain(knowledge, made, choice.keywords, run.settings, run.progress)
        return self._finding(knowledge, case.truth, choice, inferred, run.settings)

    def _choose(self, case: Case, run: Run) -> KeywordChoice | Missing:
        """The keywords, chosen once per run, so that scores at several sizes are over the same ones."""
        if case.truth is None or self.domain not in case.auxiliary:
            return case.missing[self.domain]
        if self.domain == "cross-domain" and case.no_queries is not None:
            return case.no_queries
        key = ("keywords", self.domain)
        if key not in run.shared:
            run.shared[key] = choose_keywords(case.truth, case.knowledge(self.domain), run.settings)
        choice: KeywordChoice = run.shared[key]
        return choice if choice.keywords else _describe_no_keywords(choice, case, run.settings)

    def _finding(
        self,
        knowledge: Knowledge,
        truth: Truth,
        choice: KeywordChoice,
        inferred: InferredKeywords,
        settings: Settings,
    ) -> Finding:
        spent, guesses = inferred.queries, inferred.guesses
        others = replace(guesses, probabilities=np.roll(guesses.probabilities, len(truth.texts) // 2, axis=0))
        tests = BalancedTests.draw(choice.keywords, choice.held, truth.documents, stream(settings.seed, self.name))
        attack, control = (
            keyword_accuracy(tests, each, stream(settings.seed, "bootstrap")) for each in (guesses, others)
        )
        scorer = Scorer(truth.documents, settings.seed)
        base = base_log_odds(knowledge.auxiliary.texts, choice.keywords)
        measures = (
            Measure("accuracy", MEASURES["accuracy"], attack.mean, score_coin(attack.mean), control.mean),
            self._likeliest((guesses, others), base, choice.held, scorer),
        )
        leakage = gain_over(attack.mean, PRIOR)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=name_attack(self.domain, settings),
            headline="accuracy",
            level=grade_leakage(leakage),
            summary=_summarize(self.domain, attack.mean, leakage, choice, settings),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(by_keyword(attack, choice),),
            examples=examples(truth.texts, choice, guesses, settings.show_text),
            adversary=_describe_adversary(knowledge, choice, spent),
            warnings=(*find_doubts(measures[0]), *warn_unconverged(inferred)),
            per_target=_record_gains(tests, guesses, truth, settings.seed),
        )

    def _likeliest(
        self, both: tuple[KeywordGuesses, KeywordGuesses], base: Floats, held: Flags, scorer: Scorer
    ) -> Measure:
        """Over the texts that contain a keyword. The prior is the most frequent keyword of the adversary's texts.

        How frequent a keyword is in cross-domain text says nothing about the targets and would mislead the attack.
        """
        some: Floats = np.asarray(held.any(axis=1), np.float64)
        rates = base if self.domain == "same-domain" else np.zeros_like(base)
        attack, control = (likeliest(guesses, rates, held) for guesses in both)
        unseen = np.asarray(held[:, base.argmax()], np.float64)
        baseline = scorer.score(unseen, weights=some).value
        scores = [scorer.score(each, weights=some, baseline=baseline) for each in (attack, unseen, control)]
        return Measure("likeliest", MEASURES["likeliest"], *scores)


def _record_gains(tests: BalancedTests, guesses: KeywordGuesses, truth: Truth, seed: int) -> TargetScores:
    """The gain over a coin on each test, every keyword with the same weight."""
    hits, rows = tests.hits(guesses), [row for own in tests.tests.values() for row in own]
    texts = [f"{keyword}: {truth.texts[row]}" for keyword, own in tests.tests.items() for row in own]
    weights = np.concatenate([np.full(len(own), 1 / len(own)) for own in tests.tests.values()])
    scorer = Scorer([truth.documents[row] for row in rows], seed)
    return scorer.record_gains(np.concatenate([*hits.values()]) - PRIOR, texts, weights=weights)


def _split_error(refused: InputError) -> Missing:
    """The reason and the remedy that an error message holds."""
    reason, _, remedy = str(refused).rpartition("; ")
    return Missing(reason, remedy)


def _describe_no_keywords(choice: KeywordChoice, case: Case, settings: Settings) -> Missing:
    listed = f"none of {len(settings.keywords)} keywords can be scored"
    what = listed if settings.keywords else "no common sensitive word can be scored"
    why = choice.describe_skipped() or f"none is in {FEWEST_DOCUMENTS} target documents and missing from as many"
    remedies = [] if case.no_queries is None or not choice.unlearned else [case.no_queries.remedy]
    if choice.few or not choice.unlearned:
        remedies.append("list words of your texts with --keywords, or raise --targets")
    return Missing(f"{what}: {why}", "; or ".join(remedies))


def _describe_adversary(knowledge: Knowledge, choice: KeywordChoice, spent: int) -> Adversary:
    pairs = knowledge.auxiliary
    put_in = (
        f"the encoder, queried with {spent:,} texts into which a keyword was put, or from which it was taken"
        if spent
        else "no encoder to query"
    )
    given = (
        f"{len(knowledge.targets):,} target vectors, without their texts",
        f"{len(pairs.texts):,} (text, vector) pairs ({pairs.source})",
        f"the {len(choice.keywords)} keywords it looks for; {put_in}; no weights and no gradient",
    )
    return Adversary(given, len(pairs.texts), pairs.queries + spent)


def _summarize(domain: Domain, accuracy: Score, leakage: Score, choice: KeywordChoice, settings: Settings) -> str:
    whose = "the keywords you listed" if settings.keywords else _describe_common(choice)
    known = "" if domain == "same-domain" else " and has only unrelated text"
    who = f"A stranger who looks for {whose}{known}"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    return (
        f"{who} infers from a vector whether the word is in the text and is right in {accuracy.value:.0%} of cases, "
        "where a coin is right in 50%."
    )


def _describe_common(choice: KeywordChoice) -> str:
    shown = [keyword for keyword, masked in zip(choice.keywords, choice.masked, strict=True) if not masked]
    return f"sensitive words such as {quote_labels(shown[:3])}" if shown else "places and organisations of your texts"
