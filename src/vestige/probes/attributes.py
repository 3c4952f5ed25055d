"""The probe `attributes`: can an adversary infer who wrote a text, or another label of it?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from vestige.attacks.attributes.inference import AttributeInference
from vestige.case.case import Case, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure
from vestige.case.level import describe_no_gain, find_doubts, gain_over, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.quote_stripping import MOST_QUOTED_SHARE, quoted_share
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Recipe, Settings
from vestige.metrics.attribute_recovery import label_hits
from vestige.metrics.intervals import FEWEST_DOCUMENTS, mean_of_runs
from vestige.probes.attribute_inference import (
    AttackedAttribute,
    AttributeGuesses,
    LabelDraw,
    LabelledRows,
    attack_attribute,
    infer_each,
    reweigh,
)
from vestige.probes.attributes_evidence import by_attribute, by_class, by_classes, by_labels
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.types import LabelGuesses, Progress, Score, Vectors

MEASURES = {
    "top1": "{}: accuracy of the first guess, every class with equal weight",
    "top5": "{}: among the first five guesses, every class with equal weight",
    "as_they_come": "{}: accuracy of the first guess, classes at their natural frequencies",
}
DEPTHS = {"top1": 1, "top5": 5}
SHUFFLES = 5
"""The control is the mean over this many shuffles: with few documents, one shuffle may be informative by chance."""

NOT_RANKED = 10
"""With this many classes or fewer, the first five guesses say little."""

ATTACKS: dict[Recipe, str] = {
    "default": "attribute inference, Gaussian classes or a kernel (after Song and Raghunathan 2020, Section 4)",
    "paper": "attribute inference, a linear classifier, paper recipe (Song and Raghunathan 2020, Section 6.3)",
}


@dataclass(frozen=True)
class AttributesProbe(Probe):
    """Attacks every attribute of the case with a few labels per class, and reports the one that leaks most."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))
    rank: ClassVar[int] = 4
    cost: ClassVar[Cost] = Cost(1, per_thousand_targets=2)
    needs_texts: ClassVar[bool] = False

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (cls("attributes", "Can a stranger infer who wrote a text, or another label of yours?"),)

    def list_recipes(self) -> tuple[str, ...]:
        """The published attack on this question."""
        return ("song-attributes",)

    def estimate_queries(self, plan: CasePlan) -> tuple[str, ...]:  # noqa: ARG002
        """None: the adversary learns from the labelled vectors that it holds."""
        return ()

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:  # noqa: ARG002
        """One setup per attribute that can be scored, except the task."""
        if case.truth is None or "same-domain" not in case.auxiliary:
            return case.missing["same-domain"]
        setups = [
            AttributeSetup(case, case.truth, column, run.settings)
            for column in case.truth.attributes
            if column != run.task
        ]
        usable = [setup for setup in setups if setup.is_usable]
        reason = "no column of labels besides the task came with the texts, or none can be scored"
        return usable or Missing(reason, "name a column of labels, such as the author, with --attribute")

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack, then compare with the truth."""
        held = case.labelled()
        if isinstance(held, Missing):
            return held
        (knowledge, truth), settings = held, run.settings
        outcomes = {name: attack_attribute(knowledge, truth, name, settings, run.progress) for name in truth.attributes}
        scored = [each for each in outcomes.values() if isinstance(each, AttackedAttribute)]
        attacked = [replace(each, among=len(scored)) for each in scored]
        attacked.sort(key=lambda each: each.chance(1) - each.balanced([each.guesses.even], 1, settings.seed).value)
        skipped = case.unlabelled | {name: why for name, why in outcomes.items() if isinstance(why, str)}
        if not attacked:
            return _describe_no_attributes(skipped)
        return self._finding(case, (knowledge, truth), attacked, skipped, run)

    def _finding(
        self,
        case: Case,
        held: tuple[Knowledge, Truth],
        attacked: Sequence[AttackedAttribute],
        skipped: dict[str, str],
        run: Run,
    ) -> Finding:
        (knowledge, truth), worst, settings, progress = held, attacked[0], run.settings, run.progress
        shuffled = [LabelDraw(settings.labels, shuffle) for shuffle in range(1, SHUFFLES + 1)]
        control = infer_each(knowledge, worst.labelled, settings, progress, shuffled)
        measures = tuple(_measures(worst, control, settings.seed))
        leakage = gain_over(measures[0].attack, worst.chance(1))
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[settings.recipe_kind],
            headline="top1",
            level=grade_leakage(leakage),
            summary=_summarize(worst, measures[0], leakage, settings),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_attribute(attacked, case.ranges, skipped, settings),
                by_labels(worst, knowledge, case.truth, settings, progress),
                *by_classes(worst, settings),
                *by_class(worst, named=settings.show_text or worst.name in case.ranges, seed=settings.seed),
            ),
            examples=(),
            adversary=_describe_adversary(knowledge, worst, settings),
            warnings=(*find_doubts(measures[0]), *_warn_about_quotes(case, knowledge, settings)),
            per_target=worst.record_gains(truth.texts, settings.seed),
        )


class AttributeSetup(Setup):
    """One attribute, inferred from a few labelled texts per class, every class with equal weight."""

    attack = ATTACKS["default"]

    def __init__(self, case: Case, truth: Truth, column: str, settings: Settings) -> None:
        self.name = f"attributes:{column}"
        self.measure = f"Accuracy on “{column}”, every class with equal weight"
        self.settings = settings
        self.labelled = LabelledRows.collect(case.auxiliary["same-domain"], column, settings.seed)
        labels = truth.attributes[column]
        self._targets = [row for row, label in enumerate(labels) if label in self.labelled.rows]
        self._truth = [str(labels[row]) for row in self._targets]
        self._documents = [truth.documents[row] for row in self._targets]
        self.tested = frozenset(self._truth)

    @property
    def is_usable(self) -> bool:
        """Whether there are labels to learn from, and enough targets to score."""
        enough = len(set(self._documents)) >= FEWEST_DOCUMENTS and len(set(self._truth)) > 1
        return self.labelled.is_enough and enough

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Fit on the first draw: Gaussian classes would take a text that was drawn twice for two texts that agree."""
        pairs = knowledge.auxiliary
        rows, labels = self.labelled.draw(self.settings.labels)
        attack = AttributeInference().fit(
            pairs.vectors[rows],
            labels,
            rng=stream(self.settings.seed, "attack"),
            documents=[pairs.documents[row] for row in rows],
            progress=progress,
        )

        def infer(vectors: Vectors) -> LabelGuesses:
            guesses = attack.infer(vectors)
            return reweigh(guesses, labels, dict.fromkeys(guesses.labels, 1.0))

        return infer

    def score(self, guesses: LabelGuesses) -> ProbeScore:
        """How often the first guess is right; the prior is one class out of all."""
        own, sizes = replace(guesses, probabilities=guesses.probabilities[self._targets]), Counter(self._truth)
        hits, chance = label_hits(own, self._truth)[:, 0], 1 / len(sizes)
        weights = np.array([1 / sizes[label] for label in self._truth])
        accuracy = Scorer(self._documents, self.settings.seed).score(hits, weights=weights, baseline=chance)
        return ProbeScore(accuracy, Score(chance, chance, chance, accuracy.n, chance), gain_over(accuracy, chance))


def _measures(attacked: AttackedAttribute, control: Sequence[AttributeGuesses], seed: int) -> Iterator[Measure]:
    for name, depth in DEPTHS.items():
        if depth == 1 or len(attacked.classes) > NOT_RANKED:
            attack = attacked.balanced([attacked.guesses.even], depth, seed)
            shuffled = mean_of_runs([attacked.balanced([each.even], depth, seed) for each in control], bounds=(0, 1))
            chance = attacked.chance(depth)
            known = Score(chance, chance, chance, attack.n, chance)
            yield Measure(name, MEASURES[name].format(attacked.name), attack, known, shuffled)
    fixed, scorer = attacked.fixed(), Scorer(attacked.documents, seed)
    mixed = np.mean([attacked.hits(each.natural, 1) for each in control], axis=0)
    values = (attacked.hits(attacked.guesses.natural, 1), fixed, mixed)
    scores = [scorer.score(each, baseline=float(fixed.mean()), among=attacked.among) for each in values]
    yield Measure("as_they_come", MEASURES["as_they_come"].format(attacked.name), *scores)


def _warn_about_quotes(case: Case, knowledge: Knowledge, settings: Settings) -> tuple[str, ...]:
    """Texts that were not cut into sentences here keep their quotes and signatures."""
    whole = case.subject.vectors is not None or settings.unit == "text"
    share = quoted_share([*knowledge.auxiliary.texts, *case.truth.texts]) if whole and case.truth else 0.0
    if share <= MOST_QUOTED_SHARE:
        return ()
    return (
        f"{share:.0%} of the texts quote others or are signed, and their vectors contain that too: the attack may have "
        "used the signature or the quoted text, and not what the text itself says. Give the texts with --texts and the "
        "encoder with --encoder, so that they are cut into sentences and quotes and signatures are removed.",
    )


def _describe_no_attributes(skipped: dict[str, str]) -> Missing:
    remedy = "name a column of labels, such as the author, with --attribute"
    if not skipped:
        return Missing(
            "no column of labels came with the texts or the vectors", f"give a file that has one, or {remedy}"
        )
    reasons = "; ".join(f"'{name}': {why}" for name, why in skipped.items())
    return Missing(f"no column that came with the texts can be scored ({reasons})", remedy)


def _describe_adversary(knowledge: Knowledge, attacked: AttackedAttribute, settings: Settings) -> Adversary:
    pairs, classes = knowledge.auxiliary, len(attacked.labelled.rows)
    labelled = len(attacked.labelled.draw(settings.labels)[0])
    return Adversary(
        (
            f"{len(knowledge.targets):,} target vectors, without their texts and labels",
            f"{labelled:,} vectors with their label ({pairs.source}), at most {settings.labels} of each of the "
            f"{classes:,} classes of “{attacked.name}”; not their texts",
            "how frequent each class is among texts of the same kind, for the natural frequencies",
        ),
        labelled,
        min(labelled, pairs.queries),
    )


def _summarize(worst: AttackedAttribute, top1: Measure, leakage: Score, settings: Settings) -> str:
    classes = f"each of {len(worst.labelled.rows):,} classes"
    who = f"A stranger who knows “{worst.name}” for at most {settings.labels} texts of {classes}"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    return (
        f"{who} infers it from the vector of another text and is right in {top1.attack.value:.0%} of cases, where "
        f"guessing is right in {top1.prior.value:.0%} (every class with equal weight)."
    )
