"""The probe `membership-training`: can a stranger tell whether a text was in the training data of the encoder (S10)?"""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.case.case import Case, Missing, Training
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable, Roc
from vestige.case.level import above, doubts, level_of, not_told_apart
from vestige.case.settings import Recipe, Settings
from vestige.encoders.metered import Metered
from vestige.metrics.repeated import mean_of_runs
from vestige.probes.training_evidence import at_low_rates, by_length, by_way
from vestige.probes.training_prior import without_the_encoder
from vestige.probes.training_told import Rows, Told, more_than
from vestige.probes.training_ways import Way, Ways
from vestige.probes.training_words import is_mean_of_words
from vestige.types import Progress, Score

LABELS = {
    "documents": "Documents that were learned from and are told, less others that are taken for them",
    "pairs": "The same for single pairs of sentences in a row",
}
ATTACKS: dict[tuple[Way, Recipe], str] = {
    ("learned", "default"): "similarity of sentences in a row, learned from known documents (after Song and "
    "Raghunathan 2020, Section 5.2)",
    ("learned", "paper"): "similarity of sentences in a row, learned projection, paper recipe (Song and Raghunathan "
    "2020, Section 5.2)",
    ("words", "default"): "nearness of words in a row (after Song and Raghunathan 2020, Section 5.1)",
    ("words", "paper"): "nearness of words in a row, paper recipe (Song and Raghunathan 2020, Algorithm 4)",
}
ALIKE = 0.5
"""Where the texts alone tell the sides apart so well, little is left for the encoder to tell."""


@dataclass(frozen=True)
class TrainingProbe:
    """Compares sentences in a row, in documents that the encoder learned from and in others.

    Where the encoder is a mean of word vectors, words in a row are compared as well, and the documents that the
    stranger knows of say which of the two to take.

    The two sides may differ as texts, in topic or length. What the same attack tells from vectors of an encoder that
    knows neither side is no leak, and is the prior. That a text was learned from is no part of it: slight at most.
    """

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """The advantage on documents, and on single pairs of sentences."""
        return tuple(LABELS)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Ask the encoder, attack, then look which were learned from."""
        if isinstance(case.training, Missing):
            return self._not(case.training)
        if case.encoder is None:
            return self._not(case.unasked or case.missing["same-domain"])
        training, metered, by_words = case.training, Metered(case.encoder), is_mean_of_words(case.encoder)
        ways = Ways.of(metered, training, settings, progress, by_words=by_words)
        return self._finding(
            training,
            taken=ways.taken(training, settings, progress),
            attack=ways.told(training, settings, progress),
            prior=without_the_encoder(training, settings, progress, by_words=ways.near is not None),
            control=ways.control(training, settings, progress),
            settings=settings,
            queries=metered.spent,
        )

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self,
        training: Training,
        *,
        taken: Way,
        attack: dict[Way, Told],
        prior: dict[Way, Told],
        control: Sequence[Told],
        settings: Settings,
        queries: int,
    ) -> Finding:
        ours, theirs, seed = attack[taken], prior[taken], settings.seed
        measures = tuple(_measure(name, ours, theirs, control, seed) for name in LABELS)
        leakage = more_than(ours, theirs, seed) if measures[0].prior.value else above(measures[0].attack, 0.0)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[taken, settings.recipe],
            headline="documents",
            level="slight" if leakage.low > 0 else level_of(leakage),
            summary=_summary(training, measures[0], leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_way(attack, prior, seed),
                at_low_rates(ours.documents.figures(seed), alike=theirs.documents.figures(seed).advantage.low <= 0),
                *by_length(ours, theirs, seed),
            ),
            examples=(),
            adversary=_adversary(training, queries),
            warnings=(*doubts(measures[0]), *_unlike(measures[0])),
            roc=(
                Roc("documents", ours.documents.figures(seed).roc),
                Roc("documents, without the encoder", theirs.documents.figures(seed).roc),
                Roc("pairs", ours.pairs.figures(seed).roc),
            ),
        )


def _measure(name: str, attack: Told, prior: Told, control: Sequence[Told], seed: int) -> Measure:
    """Where the prior tells nothing, guessing is as good; the control is the mean over its shuffles."""
    own, blind = (_rows(each, name).figures(seed).advantage for each in (attack, prior))
    guessing = blind if blind.value > 0 else Score(0.0, 0.0, 0.0, blind.n, 0.0)
    return Measure(
        name, LABELS[name], own, guessing, mean_of_runs([_rows(each, name).signed(seed) for each in control])
    )


def _rows(told: Told, name: str) -> Rows:
    rows: Rows = getattr(told, name)
    return rows


def _unlike(documents: Measure) -> tuple[str, ...]:
    """Where texts of another kind were named, their kind is told and not what was learned."""
    if documents.prior.value < ALIKE:
        return ()
    return (
        "The documents that were learned from and those that were not differ as texts: without the encoder they are "
        f"told apart with an advantage of {documents.prior.value:.2f}. What the encoder adds to that is not measured "
        "well; give texts of the same source that it has not learned from.",
    )


def _known(training: Training) -> int:
    return len({name for name, known in zip(training.sentences.documents, training.known, strict=True) if known})


def _adversary(training: Training, queries: int) -> Adversary:
    documents, known = len(set(training.sentences.documents)), _known(training)
    return Adversary(
        (
            f"{documents - known:,} documents of which it asks whether the encoder learned from them "
            f"({training.source}) or not",
            f"{known:,} other documents of which it knows",
            f"the vectors of their {len(training.sentences):,} sentences"
            f"{' and of their words' if queries > len(training.sentences) else ''}, by asking the encoder",
        ),
        0,
        queries,
    )


def _summary(training: Training, documents: Measure, leakage: Score) -> str:
    who = f"A stranger who knows of {_known(training):,} documents whether the encoder learned from them"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    return (
        f"{who} tells it of others with an advantage of {documents.attack.value:.2f} (1 is always, 0 is guessing), "
        f"where their texts alone give {documents.prior.value:.2f}."
    )
