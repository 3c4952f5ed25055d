"""The probe `membership-training`: can an adversary infer whether a text was in the encoder's training data?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from vestige.case.case import Case, Knowledge, Missing, Training
from vestige.case.findings import Adversary, Finding, Measure, Roc
from vestige.case.level import describe_no_gain, find_doubts, gain_over, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.settings import Recipe, Settings
from vestige.encoders.metered import Metered
from vestige.metrics.intervals import mean_of_runs
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.probes.training_evidence import at_low_rates, by_length, by_method
from vestige.probes.training_methods import PUBLISHED_METHODS, Method, TrainingMethods, score_without_encoder
from vestige.probes.training_scores import (
    ScoredRows,
    TrainingScores,
    averages_words,
    reduce_dimension,
    score_gain,
    score_similarity,
    shuffle_membership,
)
from vestige.types import Progress, Score, Vectors, silent

LABELS = {
    "documents": "Advantage on documents: true positives minus false positives",
    "pairs": "Advantage on single pairs of consecutive sentences",
}
ATTACKS: dict[tuple[Method, Recipe], str] = {
    ("learned", "default"): "similarity of consecutive sentences, learned from known documents (after Song and "
    "Raghunathan 2020, Section 5.2)",
    ("learned", "paper"): "similarity of consecutive sentences, learned projection, paper recipe (Song and Raghunathan "
    "2020, Section 5.2)",
    ("words", "default"): "proximity of consecutive words (after Song and Raghunathan 2020, Section 5.1)",
    ("words", "paper"): "proximity of consecutive words, paper recipe (Song and Raghunathan 2020, Algorithm 4)",
}
SWEEP_SHUFFLES = 3
"""Shuffles of the control for every defense of a sweep."""

ALIKE = 0.5
"""If the texts alone separate the sides this well, the encoder can hardly add anything."""

NO_WORDS = Missing(
    "the recipe 'song-word-membership' compares vectors of words, and those of this encoder are not means of such",
    "give --recipe song-pair-membership or song-book-membership, or audit an encoder that averages word vectors",
)
ON_PAIRS = "song-pair-membership"


@dataclass(frozen=True)
class TrainingProbe(Probe):
    """Compares consecutive sentences in documents that the encoder was trained on and in others.

    If the encoder averages word vectors, consecutive words are compared as well, and the documents whose membership the
    adversary knows decide which method is used.

    The two sides may differ as texts, in topic or length. What the same attack infers from vectors of an encoder that
    knows neither side is no leak, and is the prior. Training membership reveals no content: slight at most.
    """

    measures: ClassVar[dict[str, str]] = LABELS
    standards: ClassVar[Standards] = Standards(("LLM02:2025", "AISVS 11.2.5"), ("AML.T0024.000",))
    rank: ClassVar[int] = 9
    cost: ClassVar[Cost] = Cost(10)

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        question = "Can a stranger infer whether a text was in the training data of the encoder?"
        return (cls("membership-training", question),)

    def list_recipes(self) -> tuple[str, ...]:
        """The attacks of Song and Raghunathan on pairs of sentences, on documents, and on windows of words."""
        return tuple(PUBLISHED_METHODS)

    def can_apply(self, plan: CasePlan) -> bool:
        """Whether the training data is known."""
        return not isinstance(plan.training, Missing)

    def estimate_queries(self, plan: CasePlan) -> Sequence[str]:
        """The sentences of both sides."""
        return plan.training.sentences.texts if isinstance(plan.training, Training) else ()

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:  # noqa: ARG002
        """One setup, of the similarity of sentences."""
        training = self._require(case)
        return training if isinstance(training, Missing) else [TrainingSetup(training, run)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Query the encoder, attack, then compare with the true membership."""
        training = self._require(case)
        if isinstance(training, Missing):
            return training
        assert case.encoder is not None
        settings, progress = run.settings, run.progress
        metered, by_words = Metered(case.encoder), averages_words(case.encoder)
        if PUBLISHED_METHODS.get(settings.recipe) == "words" and not by_words:
            return NO_WORDS
        methods = TrainingMethods.query(metered, training, settings, progress, by_words=by_words)
        return self._finding(
            training,
            chosen=methods.choose(training, settings, progress),
            attack=methods.score_all(training, settings, progress),
            prior=score_without_encoder(training, settings, progress, by_words=methods.near is not None),
            control=methods.score_control(training, settings, progress),
            settings=settings,
            queries=metered.spent,
        )

    def _require(self, case: Case) -> Training | Missing:
        if isinstance(case.training, Missing):
            return case.training
        if case.encoder is None:
            return case.no_queries or case.missing["same-domain"]
        return case.training

    def _finding(
        self,
        training: Training,
        *,
        chosen: Method,
        attack: dict[Method, TrainingScores],
        prior: dict[Method, TrainingScores],
        control: Sequence[TrainingScores],
        settings: Settings,
        queries: int,
    ) -> Finding:
        ours, theirs, seed = attack[chosen], prior[chosen], settings.seed
        measures = tuple(_measure(name, ours, theirs, control, seed) for name in LABELS)
        scored = measures[settings.recipe == ON_PAIRS]
        leakage = gain_over(scored.attack, 0.0)
        if scored.prior.value:
            leakage = score_gain(_rows(ours, scored.name), _rows(theirs, scored.name), seed)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACKS[chosen, settings.recipe_kind],
            headline=scored.name,
            level="slight" if leakage.low > 0 else grade_leakage(leakage),
            summary=_summarize(training, scored, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_method(attack, prior, seed),
                at_low_rates(ours.documents.summarize(seed), alike=theirs.documents.summarize(seed).advantage.low <= 0),
                *by_length(ours, theirs, seed),
            ),
            examples=(),
            adversary=_describe_adversary(training, queries),
            warnings=(*find_doubts(scored), *_warn_about_topics(measures[0])),
            roc=(
                Roc("documents", ours.documents.summarize(seed).roc),
                Roc("documents, without the encoder", theirs.documents.summarize(seed).roc),
                Roc("pairs", ours.pairs.summarize(seed).roc),
            ),
        )


class TrainingSetup(Setup):
    """Documents in question, scored by the learned similarity of their consecutive sentences."""

    name = "membership-training"
    measure = LABELS["documents"]

    def __init__(self, training: Training, run: Run) -> None:
        self.attack = ATTACKS["learned", "default"]
        self.training = training
        self.run = run
        self._prior = score_without_encoder(training, run.settings, run.progress, by_words=False)["learned"]

    def select_targets(self, case: Case) -> Vectors:
        """The vectors of the sentences of both sides, as the encoder of the case gives them."""
        assert case.encoder is not None
        return case.encoder.encode(self.training.sentences.texts)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Query the sentences; the attack learns from those whose membership is known, and scores the given ones."""
        assert knowledge.encoder is not None
        queried = knowledge.encoder.encode(self.training.sentences.texts, progress=progress)
        return partial(self._score_vectors, queried=queried, training=self.training)

    def score(self, guesses: TrainingScores) -> ProbeScore:
        """The advantage on documents, and the gain over the prior."""
        seed = self.run.settings.seed
        attack, prior = (scores.documents.summarize(seed).advantage for scores in (guesses, self._prior))
        if prior.value <= 0:
            return ProbeScore(attack, Score(0.0, 0.0, 0.0, prior.n, 0.0), gain_over(attack, 0.0))
        return ProbeScore(attack, prior, score_gain(guesses.documents, self._prior.documents, seed))

    def score_control(self, fitted: Fitted, targets: Vectors, guesses: Any) -> ProbeScore:  # noqa: ARG002
        """The same attack, fitted on shuffled labels; its advantage may be negative."""
        seed, scores = self.run.settings.seed, []
        for turn in range(1, SWEEP_SHUFFLES + 1):
            shuffled = shuffle_membership(self.training, stream(seed, f"shuffle {turn}"))
            scores.append(self._score_vectors(targets, queried=targets, training=shuffled).documents.signed(seed))
        advantage = mean_of_runs(scores)
        return ProbeScore(advantage, Score(0.0, 0.0, 0.0, advantage.n, 0.0), gain_over(advantage, 0.0))

    def _score_vectors(self, vectors: Vectors, *, queried: Vectors, training: Training) -> TrainingScores:
        mixed = np.where(training.known[:, None], queried, vectors).astype(np.float32)
        reduced = reduce_dimension(mixed, training, self.run.settings)
        return score_similarity(reduced, training, "learned", self.run.settings, silent)


def _measure(
    name: str, attack: TrainingScores, prior: TrainingScores, control: Sequence[TrainingScores], seed: int
) -> Measure:
    """A prior without an advantage counts as 0, which is guessing; the control is the mean over its shuffles."""
    own, blind = (_rows(each, name).summarize(seed).advantage for each in (attack, prior))
    guessing = blind if blind.value > 0 else Score(0.0, 0.0, 0.0, blind.n, 0.0)
    return Measure(
        name, LABELS[name], own, guessing, mean_of_runs([_rows(each, name).signed(seed) for each in control])
    )


def _rows(scores: TrainingScores, name: str) -> ScoredRows:
    rows: ScoredRows = getattr(scores, name)
    return rows


def _warn_about_topics(documents: Measure) -> tuple[str, ...]:
    """A warning if the two sides are texts of different kinds: then the attack infers the kind, not the training."""
    if documents.prior.value < ALIKE:
        return ()
    return (
        "The documents that the encoder was trained on and the others differ as texts: without the encoder they are "
        f"separated with an advantage of {documents.prior.value:.2f}. What the encoder adds to that is not measured "
        "well; give texts of the same source that it was not trained on.",
    )


def _count_known(training: Training) -> int:
    return len({name for name, known in zip(training.sentences.documents, training.known, strict=True) if known})


def _describe_adversary(training: Training, queries: int) -> Adversary:
    documents, known = len(set(training.sentences.documents)), _count_known(training)
    return Adversary(
        (
            f"{documents - known:,} documents that the encoder may have been trained on ({training.source})",
            f"{known:,} other documents whose membership it knows",
            f"the vectors of their {len(training.sentences):,} sentences"
            f"{' and of their words' if queries > len(training.sentences) else ''}, by querying the encoder",
        ),
        0,
        queries,
    )


def _summarize(training: Training, scored: Measure, leakage: Score) -> str:
    who = f"A stranger who knows for {_count_known(training):,} documents whether the encoder was trained on them"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    others = "others" if scored.name == "documents" else "two consecutive sentences of others"
    return (
        f"{who} infers it for {others} with an advantage of {scored.attack.value:.2f} (1 is always right, 0 is "
        f"guessing); their texts alone give {scored.prior.value:.2f}."
    )
