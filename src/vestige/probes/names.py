"""The probe `names`: can the names of persons be read out of a vector (R6)?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.fixed_words import FixedWords
from vestige.case.case import Case, Domain, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable
from vestige.case.level import doubts, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversions import Chosen, best_inversion
from vestige.probes.names_evidence import by_context, by_name
from vestige.text.names import names_used, persons_used
from vestige.text.split import sample_rows
from vestige.text.tagger import people, tagger_here
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score

MEASURES = {
    "f1": "Names recovered (F1)",
    "recall": "Names of the text that are read (recall)",
    "precision": "Claimed names that are right (precision)",
}

MOST_TAGGED = 2000
"""Texts of the stranger's own in which a tagger looks for names."""

WordSets = Sequence[frozenset[str]]


@dataclass(frozen=True)
class _Named:
    """The target texts that name a person, the names in each, every name that counts, and where these are from."""

    rows: list[int]
    truth: Truth
    there: WordSets
    names: frozenset[str]
    source: str

    def only(self, sets: WordSets) -> WordSets:
        """The names among the words that were claimed."""
        return [claimed & self.names for claimed in sets]


@dataclass(frozen=True)
class NamesProbe:
    """Reads names with the best inversion that the case allows, from the vectors of texts that name somebody."""

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """F1, recall and precision of names."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack, then open the truth and score."""
        if case.truth is None or not case.auxiliary:
            missing = case.missing["same-domain"]
            return NotApplicable(self.name, self.question, missing.reason, missing.remedy)
        domain: Domain = "same-domain" if "same-domain" in case.auxiliary else "cross-domain"
        knowledge = case.knowledge(domain)
        named = _named(case.truth, knowledge, settings.seed)
        scorer = Scorer(named.truth.documents, settings.seed)
        if not scorer.enough(np.ones(len(named.rows))):
            missing = _too_few(scorer)
            return NotApplicable(self.name, self.question, missing.reason, missing.remedy)
        chosen = best_inversion(case, domain, settings, progress)
        return self._finding(knowledge, named, chosen, scorer, settings, progress)

    def _finding(
        self,
        knowledge: Knowledge,
        named: _Named,
        chosen: Chosen,
        scorer: Scorer,
        settings: Settings,
        progress: Progress,
    ) -> Finding:
        pairs = knowledge.auxiliary
        attack = named.only(chosen.reader.infer(knowledge.targets[named.rows]).sets)
        prior = [_best_fixed(pairs.texts, named.names)] * len(attack)
        half = len(attack) // 2
        values = [_values(sets, named.there) for sets in (attack, prior, [*attack[half:], *attack[:half]])]
        measures = tuple(_measure(name, [each[name] for each in values], scorer) for name in MEASURES)
        leakage = scorer.gain(values[0]["f1"] - values[1]["f1"])
        return Finding(
            probe=self.name,
            question=self.question,
            attack=chosen.inversion.description,
            headline="f1",
            level=level_of(leakage),
            summary=_summary(measures, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_name(attack, named.there, named.truth.documents, named.source, settings.show_text),
                *by_context(knowledge, named.truth, named.there, attack, chosen.reader, settings.seed, progress),
            ),
            examples=(),
            adversary=Adversary(
                (
                    f"{len(named.rows):,} target vectors of texts that name somebody, without the texts",
                    f"{len(pairs.texts):,} pairs of text and vector ({pairs.source})",
                    chosen.inversion.takes,
                ),
                len(pairs.texts),
                pairs.queries + chosen.asked,
            ),
            warnings=doubts(measures[0]),
        )


def _named(truth: Truth, knowledge: Knowledge, seed: int) -> _Named:
    own = knowledge.auxiliary.texts
    names, source = frozenset(persons_used([*truth.texts, *own])), "names from lists of the US census"
    if (tagger := tagger_here()) is not None:
        some = sample_rows(range(len(own)), MOST_TAGGED, stream(seed, "tagged"))
        found = people(tagger, [*truth.texts, *(own[row] for row in some)])
        names |= frozenset(names_used([*truth.texts, *own], found))
        source += " and from a tagger"
    there = [content_words(text) & names for text in truth.texts]
    rows = [row for row, held in enumerate(there) if held]
    return _Named(
        rows,
        Truth([truth.texts[row] for row in rows], [truth.documents[row] for row in rows]),
        [there[row] for row in rows],
        names,
        source,
    )


def _too_few(scorer: Scorer) -> Missing:
    return Missing(
        f"names of persons were found in {len(set(scorer.documents))} target documents, too few for an interval",
        "raise --targets, or give texts that name persons",
    )


def _best_fixed(texts: Sequence[str], names: frozenset[str]) -> frozenset[str]:
    """The best fixed set of names; none where the stranger's own texts have none."""
    sets = [content_words(text) & names for text in texts]
    return FixedWords().fit_sets(sets).words_ if any(sets) else frozenset()


def _values(sets: WordSets, there: WordSets) -> dict[str, Floats]:
    recovery = word_recovery(sets, there)
    return {name: getattr(recovery, name) for name in MEASURES}


def _measure(name: str, values: list[Floats], scorer: Scorer) -> Measure:
    baseline = float(values[1].mean())
    return Measure(name, MEASURES[name], *(scorer.score(each, baseline=baseline) for each in values))


def _summary(measures: tuple[Measure, ...], leakage: Score) -> str:
    who = "A stranger who looks for names of persons"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    recall, precision = measures[1].attack.value, measures[2].attack.value
    return (
        f"{who} reads {recall:.0%} of the names in a text from its vector, and {precision:.0%} of the names it claims "
        "there are right."
    )
