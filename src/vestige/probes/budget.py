"""The probe `budget`: how few texts must a stranger have encoded before it reads what yours are about (Chen 2023)?"""

from dataclasses import dataclass

import numpy as np

from vestige.case.case import Case, Missing, Truth
from vestige.case.findings import QUERIES, Finding, Measure, NotApplicable
from vestige.case.level import doubts, level_of
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.metrics.keyword_ranking import ndcg_at, precision_at
from vestige.probes.budget_attack import BUDGETS, Reading, Stranger
from vestige.probes.budget_evidence import adversary, by_queries, summary
from vestige.text.importance.record import Importance
from vestige.types import Floats, Progress, Score, WordGuesses

USUAL = 200
"""The published budget, by which the question is answered."""

NAMED = 5
ATTACK = "words read through an encoder of the stranger's own, matched by the texts it asked (after Chen 2023)"
MORE = "raise --targets, or give more documents"


@dataclass(frozen=True)
class BudgetProbe:
    """Names five words of each text after so many queries, beside the words that are usual, and with answers shuffled.

    The stranger has texts of the same kind, of which it has some encoded, and one of the `surrogates`. P@5 leads, since
    an owner can picture five words of which so many are right; NDCG@5, which weighs them, stands beside it.
    """

    name: str
    question: str
    surrogates: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """P@5 after each number of queries, and NDCG@5 after the usual one."""
        return (*map(_named, BUDGETS), "ndcg")

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack with each budget, then open the truth and score."""
        missing = case.missing.get("same-domain")
        if case.truth is not None and missing is None:
            found = self._asked(case, case.truth, settings, progress)
            if isinstance(found, Finding):
                return found
            missing = found
        assert missing is not None
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _asked(self, case: Case, hidden: Truth, settings: Settings, progress: Progress) -> Finding | Missing:
        stranger = Stranger.of(case, self.surrogates, settings)
        if stranger is None:
            return Missing("no word stands in several of the texts that the stranger has", MORE)
        readings = stranger.readings(case.targets, settings, progress)
        truth = stranger.weigher.weigh(hidden.texts)
        rows = np.flatnonzero(np.diff(truth.weights.indptr)).tolist()
        scorer = Scorer([hidden.documents[row] for row in rows], settings.seed)
        if not rows or not scorer.enough(np.ones(len(rows))):
            return Missing(f"{len(rows)} target texts hold a word that the stranger knows, too few to score", MORE)
        scored = {budget: reading.take(rows) for budget, reading in readings.items()}
        return self._finding(stranger, scored, truth.take(rows), scorer, len(case.targets))

    def _finding(
        self,
        stranger: Stranger,
        readings: dict[int, Reading],
        truth: Importance,
        scorer: Scorer,
        targets: int,
    ) -> Finding:
        usual = max(budget for budget in readings if budget <= USUAL)
        measures = {budget: _measure(budget, reading, truth, scorer) for budget, reading in readings.items()}
        gains = {budget: _gain(reading, truth, scorer, len(readings)) for budget, reading in readings.items()}
        leakage = _gain(readings[usual], truth, scorer)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACK,
            headline=_named(usual),
            level=level_of(leakage),
            summary=summary(usual, measures[usual], leakage, gains),
            strip=None,
            leakage=leakage,
            measures=(*measures.values(), _weighed(usual, readings[usual], truth, scorer)),
            charts=(by_queries({budget: measure.attack for budget, measure in measures.items()}),),
            examples=(),
            adversary=adversary(stranger, targets, usual),
            warnings=doubts(measures[usual]),
        )


def _named(budget: int) -> str:
    return f"{QUERIES}{budget}"


def _precision(guesses: WordGuesses, truth: Importance) -> Floats:
    return precision_at(guesses.ranked, truth, NAMED)


def _measure(budget: int, reading: Reading, truth: Importance, scorer: Scorer) -> Measure:
    label = f"Words named that are in the text, {budget:,} queries (P@5)"
    return Measure(_named(budget), label, *_scores([_precision(each, truth) for each in reading], scorer))


def _weighed(budget: int, reading: Reading, truth: Importance, scorer: Scorer) -> Measure:
    values = [ndcg_at(each.ranked, truth, NAMED) for each in reading]
    return Measure("ndcg", f"The same by how much they matter, {budget:,} queries (NDCG@5)", *_scores(values, scorer))


def _scores(values: list[Floats], scorer: Scorer) -> list[Score]:
    """Attack, prior and control."""
    return [scorer.score(each, baseline=float(values[1].mean())) for each in values]


def _gain(reading: Reading, truth: Importance, scorer: Scorer, among: int = 1) -> Score:
    return scorer.gain(_precision(reading.attack, truth) - _precision(reading.prior, truth), among=among)
