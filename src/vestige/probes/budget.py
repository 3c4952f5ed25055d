"""The probe `budget`: how few queries let an adversary infer what a text is about (after Chen 2023)?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.case.case import Case, Knowledge, Missing
from vestige.case.findings import QUERIES, Adversary, Bar, Chart, Finding, Measure
from vestige.case.level import SUBSTANTIAL, describe_no_gain, find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.metrics.keyword_ranking import ndcg_at, precision_at
from vestige.probes.budget_attack import (
    BUDGETS,
    FINE_TUNED,
    SADE,
    BudgetAdversary,
    BudgetGuesses,
    list_surrogates,
    select_budgets,
    take_guesses,
)
from vestige.probes.inversions import warn_unconverged
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.text.importance import Importance, KeyBertImportance, TfidfImportance, YakeImportance
from vestige.types import Floats, Progress, Score, WordGuesses

USUAL = 200
"""The published budget, which answers the question."""

NAMED = 5
FEWEST_WORDS = 20
"""Among fewer, five named words hardly depend on the vectors."""

WEIGHTED: dict[type, str] = {TfidfImportance: "tf-idf", KeyBertImportance: "KeyBERT", YakeImportance: "YAKE"}
ATTACK = "words inferred through a surrogate encoder, aligned on the queried texts (after Chen 2023)"
CHEN = "words inferred by SADE: a surrogate encoder, adapted by an adversary, and a ranking network (Chen 2023)"
CHEN_FINE_TUNED = (
    "words inferred by SADE: a surrogate encoder whose weights are fine-tuned against an adversary, and a ranking "
    "network (Chen 2023)"
)
MORE = "raise --targets, or give more documents"
NO_WORD = Missing("none of the words of --vocabulary is in a text that the attacker has", "give other words")
NOTHING_SHARED = Missing("no word is in several of the texts that the attacker has", MORE)


def name_attack(settings: Settings) -> str:
    """What a report calls the attack of these settings."""
    if settings.recipe == FINE_TUNED:
        return CHEN_FINE_TUNED
    return CHEN if settings.recipe_kind == "paper" else ATTACK


def choose_usual(budgets: Iterable[int]) -> int:
    """The budget that answers the question: the largest up to the published one, or else the smallest."""
    known = sorted(budgets)
    return max((budget for budget in known if budget <= USUAL), default=known[0])


def _name_measure(budget: int) -> str:
    return f"{QUERIES}{budget}"


def _explain_few_words(adversary: BudgetAdversary, settings: Settings) -> Missing:
    few = f"{len(adversary.weigher.words)} words to choose from, too few to name {NAMED} for each text"
    if not settings.vocabulary:
        return Missing(few, MORE)
    return Missing(few, f"give {FEWEST_WORDS} that occur in your texts, or test each by itself: --keywords WORDS")


@dataclass(frozen=True)
class BudgetProbe(Probe):
    """Names five words of each text after so many queries; compared with usual words, and with shuffled vectors.

    The adversary holds texts of the same kind, queries some of them, and has one of the `surrogates`. P@5 is the
    headline, since an owner can picture five words of which some are right; NDCG@5 weighs them by importance.
    """

    measures: ClassVar[dict[str, str]] = {
        **{_name_measure(budget): f"Named words that are in the text, {budget:,} queries (P@5)" for budget in BUDGETS},
        "ndcg": "The same, weighted by importance (NDCG@5)",
    }
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))
    rank: ClassVar[int] = 7
    cost: ClassVar[Cost] = Cost(4, per_thousand_targets=5)

    name: str
    question: str
    surrogates: tuple[str, ...]

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        question = "How few queries to the encoder let a stranger recover words of your texts?"
        return (cls("budget", question, list_surrogates()),)

    def list_recipes(self) -> tuple[str, ...]:
        """The published attack on this question, and the same with a fine-tuned surrogate."""
        return (SADE, FINE_TUNED)

    def estimate_queries(self, plan: CasePlan) -> tuple[str, ...]:  # noqa: ARG002
        """None: what the adversary queries is among the pairs of the case."""
        return ()

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:  # noqa: ARG002
        """One setup, with the published budget."""
        opened = self._open(case, run)
        if isinstance(opened, Missing):
            return opened
        adversary, truth, rows = opened
        assert case.truth is not None
        scorer = Scorer([case.truth.documents[row] for row in rows], run.settings.seed)
        return [BudgetSetup(adversary, truth.take(rows), rows, scorer, run.settings)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack with each budget, then compare with the truth."""
        opened = self._open(case, run)
        if isinstance(opened, Missing):
            return opened
        adversary, truth, rows = opened
        assert case.truth is not None
        guesses = adversary.guess_by_budget(case.targets, run.settings, run.progress, run.checkpoints)
        scorer = Scorer([case.truth.documents[row] for row in rows], run.settings.seed)
        scored = {budget: guess.take(rows) for budget, guess in guesses.items()}
        texts = [case.truth.texts[row] for row in rows]
        found = self._finding(adversary, scored, truth.take(rows), scorer, texts, len(case.targets))
        warnings = (*found.warnings, *warn_unconverged(None, guesses[max(guesses)].attack))
        return replace(found, attack=name_attack(run.settings), warnings=warnings)

    def _open(self, case: Case, run: Run) -> tuple[BudgetAdversary, Importance, list[int]] | Missing:
        """The adversary, the true importance of words, and the rows of the targets that can be scored."""
        if case.truth is None or "same-domain" not in case.auxiliary:
            return case.missing["same-domain"]
        external = case.auxiliary["cross-domain"].texts if "cross-domain" in case.auxiliary else ()
        adversary = BudgetAdversary.build(case.auxiliary["same-domain"], self.surrogates, run.settings, external)
        if adversary is None:
            return NO_WORD if run.settings.vocabulary else NOTHING_SHARED
        if len(adversary.weigher.words) < FEWEST_WORDS:
            return _explain_few_words(adversary, run.settings)
        if run.settings.recipe == FINE_TUNED and not adversary.is_trainable:
            return Missing(
                f"the weights of the attacker's encoder '{adversary.own.name}' cannot be trained here",
                "name a Hugging Face encoder with --surrogate hf:FOLDER",
            )
        truth = adversary.weigher.weigh(case.truth.texts)
        rows = np.flatnonzero(np.diff(truth.weights.indptr)).tolist()
        scorer = Scorer([case.truth.documents[row] for row in rows], run.settings.seed)
        if rows and scorer.enough(np.ones(len(rows))):
            return adversary, truth, rows
        return Missing(f"{len(rows)} target texts contain a word that the attacker knows, too few to score", MORE)

    def _finding(
        self,
        adversary: BudgetAdversary,
        guesses: dict[int, BudgetGuesses],
        truth: Importance,
        scorer: Scorer,
        texts: list[str],
        targets: int,
    ) -> Finding:
        usual = choose_usual(guesses)
        measures = {budget: _measure(budget, guess, truth, scorer) for budget, guess in guesses.items()}
        gains = {budget: scorer.gain(_gains(guess, truth), among=len(guesses)) for budget, guess in guesses.items()}
        leakage = scorer.gain(_gains(guesses[usual], truth))
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACK,
            headline=_name_measure(usual),
            level=grade_leakage(leakage),
            summary=summarize(usual, measures[usual], leakage, gains),
            strip=None,
            leakage=leakage,
            measures=(*measures.values(), _measure_ndcg(usual, guesses[usual], truth, scorer)),
            charts=(by_queries({budget: measure.attack for budget, measure in measures.items()}),),
            examples=(),
            adversary=describe_adversary(adversary, targets, usual),
            warnings=find_doubts(measures[usual]),
            per_target=scorer.record_gains(_gains(guesses[usual], truth), texts),
        )


class BudgetSetup(Setup):
    """Five words of each target after the published number of queries."""

    name = "budget"

    def __init__(
        self,
        adversary: BudgetAdversary,
        truth: Importance,
        rows: list[int],
        scorer: Scorer,
        settings: Settings,
    ) -> None:
        self.budget = choose_usual(select_budgets(settings, len(adversary.pool.texts)))
        self.attack = name_attack(settings)
        self.measure = f"Named words that are in the text, {self.budget:,} queries (P@5)"
        self.adversary = adversary
        self.settings = settings
        self._truth, self._rows, self._scorer = truth, rows, scorer
        prior = MeanImportance().fit(adversary.weigher.weigh(adversary.pool.texts))
        self._prior = _precision(prior.infer(np.zeros((len(rows), 1), np.float32)), truth)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """The attack is fitted when targets are given, since it aligns its own encoder with them."""
        first = knowledge.auxiliary.take(range(len(knowledge.auxiliary.texts) // draws))
        pool = self.adversary.draw_pool(first, self.settings)
        return lambda vectors: self.adversary.guess(vectors, pool.vectors, self.budget, self.settings)

    def score(self, guesses: WordGuesses) -> ProbeScore:
        """P@5, text by text."""
        precision, baseline = _precision(take_guesses(guesses, self._rows), self._truth), float(self._prior.mean())
        return ProbeScore(
            self._scorer.score(precision, baseline=baseline),
            self._scorer.score(self._prior, baseline=baseline),
            self._scorer.gain(precision - self._prior),
        )


def _precision(guesses: WordGuesses, truth: Importance) -> Floats:
    return precision_at(guesses.ranked, truth, NAMED)


def _measure(budget: int, guess: BudgetGuesses, truth: Importance, scorer: Scorer) -> Measure:
    label = f"Named words that are in the text, {budget:,} queries (P@5)"
    return Measure(_name_measure(budget), label, *_scores([_precision(each, truth) for each in guess], scorer))


def _measure_ndcg(budget: int, guess: BudgetGuesses, truth: Importance, scorer: Scorer) -> Measure:
    values = [ndcg_at(each.ranked, truth, NAMED) for each in guess]
    return Measure("ndcg", f"The same, weighted by importance, {budget:,} queries (NDCG@5)", *_scores(values, scorer))


def _scores(values: list[Floats], scorer: Scorer) -> list[Score]:
    """Attack, prior and control."""
    return [scorer.score(each, baseline=float(values[1].mean())) for each in values]


def _gains(guess: BudgetGuesses, truth: Importance) -> Floats:
    """What the attack gains over the prior, text by text."""
    return _precision(guess.attack, truth) - _precision(guess.prior, truth)


def by_queries(scores: Mapping[int, Score]) -> Chart:
    """P@5 after so many queries."""
    return Chart(
        "What queries buy",
        "Of five words named for a text, the share that is in it (P@5), by the number of its own texts that the "
        "attacker queried. The mark on each bar is guessing without the vectors.",
        tuple(Bar(f"{budget:,} queries", score) for budget, score in scores.items()),
    )


def find_cheapest(gains: Mapping[int, Score], limit: float) -> int | None:
    """The fewest queries whose gain over guessing is above the limit with its whole interval."""
    return next((budget for budget, gain in sorted(gains.items()) if gain.low > limit), None)


def summarize(usual: int, measure: Measure, leakage: Score, gains: Mapping[int, Score]) -> str:
    """How cheap the attack is; the intervals of `gains` are widened, since the first of several is reported."""
    who = f"A stranger who sends {usual:,} similar texts of its own to the encoder"
    first, much = find_cheapest(gains, 0), find_cheapest(gains, SUBSTANTIAL)
    answer = (
        f"{who} names five words for each target text; {measure.attack.value:.0%} of them are in it, where guessing "
        f"has {measure.prior.value:.0%}."
    )
    if leakage.low <= 0:
        answer = describe_no_gain(who, leakage)
        if first is None:
            return answer
    if first is None:
        return f"{answer} The fewest queries that would be enough could not be determined."
    cheapest = f"{answer} {first:,} queries are enough to do better than guessing"
    if much is None:
        return f"{cheapest}, and none of the budgets tried reveals a substantial part."
    enough = "and to reveal a substantial part" if much == first else f"and {much:,} to reveal a substantial part"
    return f"{cheapest}, {enough}."


def describe_adversary(adversary: BudgetAdversary, targets: int, queries: int) -> Adversary:
    """What the adversary held."""
    pool = adversary.pool
    given = (
        f"{targets:,} target vectors, without their texts",
        f"{len(pool.texts):,} texts of the same kind ({pool.source}), the vectors of {queries:,} of them only",
        f"an encoder of its own: {adversary.own.name}",
        f"{len(adversary.weigher.words):,} words to choose from, weighted by {WEIGHTED[type(adversary.weigher)]}",
    )
    return Adversary(given, queries, queries if pool.queries else 0)
