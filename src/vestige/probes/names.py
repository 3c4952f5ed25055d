"""The probe `names`: can the names of persons be recovered from a vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from vestige.attacks.priors import FixedWords
from vestige.case.case import Case, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure
from vestige.case.level import describe_no_gain, find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MOST_SWAPPED, Settings
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversion_choice import InversionChoice, choose_inversion, describe_sweep_attacks, fit_for_sweep
from vestige.probes.inversions import find_unheld, list_word_recipes
from vestige.probes.names_evidence import by_context, by_name
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards, number_texts
from vestige.text.names import find_names, find_persons
from vestige.text.split import sample_rows
from vestige.text.tagger import find_people, load_tagger
from vestige.text.traits import lacks_capitals
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score, Vectors, WordGuesses

MEASURES = {
    "f1": "Names recovered (F1)",
    "recall": "Names of the text that are recovered (recall)",
    "precision": "Claimed names that are right (precision)",
}

MOST_TAGGED = 500
"""Texts of the adversary in which a tagger looks for names."""

WordSets = Sequence[frozenset[str]]


@dataclass(frozen=True)
class NamedTargets:
    """The target texts that name a person, the names in each, all names that count, and where these come from."""

    rows: list[int]
    truth: Truth
    present: WordSets
    names: frozenset[str]
    source: str

    def restrict(self, sets: WordSets) -> WordSets:
        """The names among the claimed words."""
        return [claimed & self.names for claimed in sets]


@dataclass(frozen=True)
class NamesProbe(Probe):
    """Recovers names with the best attack on words that the case allows, from vectors of texts that name somebody."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025", "LLM02:2025"), ("AML.T0024.001",))
    rank: ClassVar[int] = 3
    cost: ClassVar[Cost] = Cost(5, per_thousand_targets=1.5)

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (cls("names", "Can a stranger recover the names of persons?"),)

    def list_recipes(self) -> tuple[str, ...]:
        """The published attacks on words."""
        return list_word_recipes()

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """The single words of the adversary's texts, and target texts with another name put in."""
        yield from Vocabulary.build(
            map(content_words, plan.list_texts("same-domain")), plan.settings.vocabulary_size
        ).words
        yield from number_texts(plan.targets.texts, MOST_SWAPPED, "with a name")

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """One setup, of the targets that name somebody."""
        named = self._select(case, run)
        return named if isinstance(named, Missing) else [NamesSetup(case, named, run.settings, effort)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack, then compare with the truth."""
        named = self._select(case, run)
        if isinstance(named, Missing):
            return named
        return self._finding(
            case.knowledge(case.closest_domain), named, choose_inversion(case, case.closest_domain, run), run
        )

    def _select(self, case: Case, run: Run) -> "NamedTargets | Missing":
        if case.truth is None or not case.auxiliary:
            return case.missing["same-domain"]
        if (unheld := find_unheld(case.knowledge(case.closest_domain), run.settings)) is not None:
            return unheld
        named = select_named(case.truth, case.knowledge(case.closest_domain), run.settings.seed)
        scorer = Scorer(named.truth.documents, run.settings.seed)
        return named if scorer.enough(np.ones(len(named.rows))) else _describe_too_few(scorer, case.truth)

    def _finding(
        self,
        knowledge: Knowledge,
        named: "NamedTargets",
        choice: InversionChoice,
        run: Run,
    ) -> Finding:
        pairs, settings, scorer = knowledge.auxiliary, run.settings, Scorer(named.truth.documents, run.settings.seed)
        attack = named.restrict(choice.fitted.infer(knowledge.targets[named.rows]).sets)
        prior = [_choose_fixed(pairs.all_texts, named.names)] * len(attack)
        half = len(attack) // 2
        values = [_values(sets, named.present) for sets in (attack, prior, [*attack[half:], *attack[:half]])]
        measures = tuple(_measure(name, [each[name] for each in values], scorer) for name in MEASURES)
        leakage = scorer.gain(values[0]["f1"] - values[1]["f1"])
        return Finding(
            probe=self.name,
            question=self.question,
            attack=choice.inversion.description,
            headline="f1",
            level=grade_leakage(leakage),
            summary=_summarize(measures, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_name(attack, named.present, named.truth.documents, named.source, settings.show_text),
                *by_context(knowledge, named.truth, named.present, attack, choice.fitted, settings.seed, run.progress),
            ),
            examples=(),
            adversary=Adversary(
                (
                    f"{len(named.rows):,} target vectors of texts that name somebody, without the texts",
                    f"{len(pairs.texts):,} (text, vector) pairs ({pairs.source})",
                    choice.inversion.requirement,
                ),
                len(pairs.texts),
                pairs.queries + choice.queries,
            ),
            warnings=find_doubts(measures[0]),
            per_target=scorer.record_gains(values[0]["f1"] - values[1]["f1"], named.truth.texts),
        )


class NamesSetup(Setup):
    """The names in the targets that name somebody, recovered by an attack on words that is fast enough for a sweep."""

    name = "names"
    measure = MEASURES["f1"]

    def __init__(self, case: Case, named: NamedTargets, settings: Settings, effort: Effort) -> None:
        self.attack = describe_sweep_attacks(effort)
        self.domain = case.closest_domain
        self.settings = settings
        self.effort = effort
        self.named = named
        self._scorer = Scorer(named.truth.documents, settings.seed)
        fixed = _choose_fixed(case.auxiliary[case.closest_domain].all_texts, named.names)
        self._prior = word_recovery([fixed] * len(named.rows), named.present).f1

    def select_targets(self, case: Case) -> Vectors:
        """The targets that name somebody."""
        return case.targets[self.named.rows]

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:
        """Fit on all draws alike."""
        return fit_for_sweep(knowledge, self.settings, self.effort, draws, progress).infer

    def score(self, guesses: WordGuesses) -> ProbeScore:
        """F1 of the names among the claimed words."""
        f1 = word_recovery(self.named.restrict(guesses.sets), self.named.present).f1
        baseline = float(self._prior.mean())
        return ProbeScore(
            self._scorer.score(f1, baseline=baseline),
            self._scorer.score(self._prior, baseline=baseline),
            self._scorer.gain(f1 - self._prior),
        )


def select_named(truth: Truth, knowledge: Knowledge, seed: int) -> NamedTargets:
    """The targets that name a person, by lists of names and, where one is installed, by a tagger."""
    own = knowledge.auxiliary.texts
    names, source = frozenset(find_persons([*truth.texts, *own])), "names from lists of the US census"
    if (tagger := load_tagger()) is not None:
        some = sample_rows(range(len(own)), MOST_TAGGED, stream(seed, "tagged"))
        tagged = find_people(tagger, [*truth.texts, *(own[row] for row in some)])
        names |= frozenset(find_names([*truth.texts, *own], tagged))
        source += " and from a tagger"
    present = [content_words(text) & names for text in truth.texts]
    rows = [row for row, held in enumerate(present) if held]
    return NamedTargets(
        rows,
        Truth([truth.texts[row] for row in rows], [truth.documents[row] for row in rows]),
        [present[row] for row in rows],
        names,
        source,
    )


def _describe_too_few(scorer: Scorer, truth: Truth) -> Missing:
    if lacks_capitals(truth.texts):
        return Missing(
            "the texts have almost no capital letters, by which names of persons are found",
            "give the texts in their original case",
        )
    found = len(set(scorer.documents))
    documents = "1 target document" if found == 1 else f"{found} target documents"
    return Missing(
        f"names of persons were found in {documents}, too few for an interval",
        "raise --targets, or give texts that name persons",
    )


def _choose_fixed(texts: Sequence[str], names: frozenset[str]) -> frozenset[str]:
    """The best fixed set of names; none if the adversary's own texts have none."""
    sets = [content_words(text) & names for text in texts]
    return FixedWords().fit_sets(sets).words_ if any(sets) else frozenset()


def _values(sets: WordSets, present: WordSets) -> dict[str, Floats]:
    recovery = word_recovery(sets, present)
    return {name: getattr(recovery, name) for name in MEASURES}


def _measure(name: str, values: list[Floats], scorer: Scorer) -> Measure:
    baseline = float(values[1].mean())
    return Measure(name, MEASURES[name], *(scorer.score(each, baseline=baseline) for each in values))


def _summarize(measures: tuple[Measure, ...], leakage: Score) -> str:
    who = "A stranger who looks for names of persons"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    recall, precision = measures[1].attack.value, measures[2].attack.value
    return (
        f"{who} recovers {recall:.0%} of the names in a text from its vector, and {precision:.0%} of the names it "
        "claims are right."
    )
