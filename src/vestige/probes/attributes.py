"""The probe `attributes`: can a stranger tell who wrote a text, or another label of it (S8)?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.case import Case, Knowledge, Missing
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable
from vestige.case.level import above, doubts, level_of, not_told_apart
from vestige.case.quote_stripping import TELLING, quoting
from vestige.case.scorer import Scorer
from vestige.case.settings import Recipe, Settings
from vestige.metrics.repeated import mean_of_runs
from vestige.probes.attributes_evidence import by_attribute, by_class, by_classes, by_labels
from vestige.probes.attributes_told import Guesses, Told, attacked, inferred
from vestige.types import Progress, Score

MEASURES = {
    "top1": "{}: told rightly, every class counting the same",
    "top5": "{}: among the first five guesses, every class counting the same",
    "as_they_come": "{}: told rightly, texts as they come",
}
DEPTHS = {"top1": 1, "top5": 5}
SHUFFLES = 5
"""So many shuffles make the control: where documents are few, one may hit upon an order of sense by chance."""

NOT_RANKED = 10
"""Of so few classes the first five guesses say little."""

ATTACKS: dict[Recipe, str] = {
    "default": "attribute inference, Gaussian classes (after Song and Raghunathan 2020, Section 4)",
    "paper": "attribute inference, a linear classifier, paper recipe (Song and Raghunathan 2020, Section 6.3)",
}


@dataclass(frozen=True)
class AttributesProbe:
    """Attacks every attribute of the case with a few labels a class, and reports the one that is told best."""

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """The first guess and, where classes are many, the first five; then the first without a balance of classes."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack, then open the truth and score."""
        handed = case.labelled()
        if isinstance(handed, Missing):
            return self._not(handed)
        knowledge, truth = handed
        found = {name: attacked(knowledge, truth, name, settings, progress) for name in truth.attributes}
        scored = [each for each in found.values() if isinstance(each, Told)]
        told = [replace(each, among=len(scored)) for each in scored]
        told.sort(key=lambda each: each.chance(1) - each.balanced([each.guesses.even], 1, settings.seed).value)
        apart = case.unlabelled | {name: why for name, why in found.items() if isinstance(why, str)}
        if not told:
            return self._not(_none_to_score(apart))
        return self._finding(case, knowledge, told, apart, settings, progress)

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self,
        case: Case,
        knowledge: Knowledge,
        told: Sequence[Told],
        apart: dict[str, str],
        settings: Settings,
        progress: Progress,
    ) -> Finding:
        worst = told[0]
        control = [
            inferred(knowledge, worst.lesson, settings, progress, most=settings.labels, shuffle=shuffle)
            for shuffle in range(1, SHUFFLES + 1)
        ]
        measures = tuple(_measures(worst, control, settings.seed))
        leakage = above(measures[0].attack, worst.chance(1))
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[settings.recipe],
            headline="top1",
            level=level_of(leakage),
            summary=_summary(worst, measures[0], leakage, settings),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_attribute(told, case.ranges, apart, settings),
                by_labels(worst, knowledge, case.truth, settings, progress),
                *by_classes(worst, settings),
                *by_class(worst, named=settings.show_text or worst.name in case.ranges, seed=settings.seed),
            ),
            examples=(),
            adversary=_adversary(knowledge, worst, settings),
            warnings=(*doubts(measures[0]), *_quoted(case, knowledge, settings)),
        )


def _measures(told: Told, control: Sequence[Guesses], seed: int) -> Iterator[Measure]:
    for name, depth in DEPTHS.items():
        if depth == 1 or len(told.classes) > NOT_RANKED:
            attack = told.balanced([told.guesses.even], depth, seed)
            shuffled = mean_of_runs([told.balanced([each.even], depth, seed) for each in control])
            chance = told.chance(depth)
            known = Score(chance, chance, chance, attack.n, chance)
            yield Measure(name, MEASURES[name].format(told.name), attack, known, shuffled)
    fixed, scorer = told.fixed(), Scorer(told.documents, seed)
    mixed = np.mean([told.hits(each.natural, 1) for each in control], axis=0)
    values = (told.hits(told.guesses.natural, 1), fixed, mixed)
    scores = [scorer.score(each, baseline=float(fixed.mean()), among=told.among) for each in values]
    yield Measure("as_they_come", MEASURES["as_they_come"].format(told.name), *scores)


def _quoted(case: Case, knowledge: Knowledge, settings: Settings) -> tuple[str, ...]:
    """Of texts that were not cut here, what they quote and how they are signed cannot be taken away."""
    whole = case.subject.vectors is not None or settings.unit == "text"
    share = quoting([*knowledge.auxiliary.texts, *case.truth.texts]) if whole and case.truth else 0.0
    if share <= TELLING:
        return ()
    return (
        f"{share:.0%} of the texts quote others or are signed, and their vectors hold that too: what is told may be "
        "the signature or the quoted text, and not what the text itself says. Give the texts with --texts and the "
        "encoder with --encoder, so that they are cut into sentences here and quotes and signatures left out.",
    )


def _none_to_score(apart: dict[str, str]) -> Missing:
    remedy = "name a column of labels, such as the author, with --attribute"
    if not apart:
        return Missing(
            "no column of labels came with the texts or the vectors", f"give a file that has one, or {remedy}"
        )
    told = "; ".join(f"'{name}': {why}" for name, why in apart.items())
    return Missing(f"no column that came with the texts can be scored ({told})", remedy)


def _adversary(knowledge: Knowledge, told: Told, settings: Settings) -> Adversary:
    pairs, classes = knowledge.auxiliary, len(told.lesson.rows)
    labelled = len(told.lesson.drawn(settings.labels)[0])
    return Adversary(
        (
            f"{len(knowledge.targets):,} target vectors, without their texts and labels",
            f"{labelled:,} vectors with their label ({pairs.source}), at most {settings.labels} of each of the "
            f"{classes:,} classes of “{told.name}”; not their texts",
            "how frequent each class is among texts of the same kind, where these are taken as they come",
        ),
        labelled,
        min(labelled, pairs.queries),
    )


def _summary(worst: Told, top1: Measure, leakage: Score, settings: Settings) -> str:
    classes = f"each of {len(worst.lesson.rows):,} classes"
    who = f"A stranger who knows “{worst.name}” for at most {settings.labels} texts of {classes}"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    return (
        f"{who} tells it from the vector of another text: rightly in {top1.attack.value:.0%} of cases, where guessing "
        f"is right in {top1.prior.value:.0%} (every class counting the same)."
    )
