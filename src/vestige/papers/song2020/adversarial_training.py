"""Encoders trained against an adversary, and the utility of their vectors: what Figures 6 and 7 share.

Song and Raghunathan 2020, Section 7. The adversary is inside the training; lambda is its weight.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vestige.case.randomness import stream
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.dual.settings import (
    ADVERSARIES,
    PUBLISHED_ADVERSARY,
    RELEASED_ADVERSARY,
    AdversaryKind,
    AdversarySettings,
)
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.papers.published import Sections
from vestige.papers.record import PRIOR, Line, Plot
from vestige.papers.rows import Lines, MeasuredRow, Place, PlannedRow, draw_curves, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.song2020.notes import describe_training
from vestige.papers.song2020.setup import MODELS, SongSizes
from vestige.papers.victims import Victim, load_victims
from vestige.text.corpora import is_available
from vestige.text.corpus import Corpus
from vestige.types import Score, TrainingLog
from vestige.utility.sentence_tasks import TASKS, SentenceTask, read_task, task_accuracy

UTILITY = tuple(name.upper() for name in TASKS)
CLASSIFIER = "logistic regression"
SOLVED = TrainingLog("a convex loss, solved to a tolerance of 0.001", converged=True, steps=0)
TRAINED = ("LSTM", "Transformer")
NOBODY = "No opponent"
GIVEN = "Encoders as given"
SECTIONS: dict[AdversaryKind, str] = {
    "linear": "The paper's adversary (a linear classifier)",
    "network": "The authors' code (a classifier with a hidden layer)",
    "capped": "Our adversary (a capped classifier)",
    "dependence": "Our adversary (dependence)",
}
MANY = 5000
"""With this many documents every encoder is trained with every lambda; below, the first with every other lambda."""


@dataclass(frozen=True)
class AdversaryTrial:
    """One training: against which adversary, and with which lambda."""

    adversary: AdversaryKind
    strength: float

    @property
    def settings(self) -> AdversarySettings:
        """The settings of the adversary."""
        return ADVERSARIES[self.adversary]

    def place(self, printed: Sections, model: str) -> Place:
        """Where its row is; the paper prints figures only without an adversary."""
        section, name, figures = NOBODY, model, printed[NOBODY][model]
        if self.strength:
            section, name, figures = (
                SECTIONS[self.adversary],
                f"{model}, lambda {self.strength:g}",
                (None,) * len(figures),
            )
        return Place(section, name, figures, self.strength, f"{model}: {section}")


@dataclass(frozen=True)
class UtilityTasks:
    """The available sentence tasks; the column of any other stays empty."""

    tasks: dict[str, SentenceTask]

    def lines(self, seed: int, target: Victim, guessing: Sequence[Score]) -> list[Line]:
        """The accuracy of a classifier, then guessing; `guessing` has the scores for the columns of the attacks."""
        measured = {
            name: task_accuracy(task, target.encoder.encode, rng=stream(seed, "use"))
            for name, task in self.tasks.items()
        }
        scores = [measured.get(name) for name in TASKS]
        majorities = [None if score is None else _guess(score) for score in scores]
        accuracies = Line(CLASSIFIER, (*[None] * len(guessing), *scores), (SOLVED,))
        return [accuracies, Line(PRIOR, (*guessing, *majorities))]


def list_trials(sizes: SongSizes, lambdas: Mapping[AdversaryKind, Sequence[float]]) -> list[AdversaryTrial]:
    """No adversary, then each adversary with each lambda: those of the sizes, else those of the figure."""
    step = 1 if _is_large(sizes) else 2
    tried = {kind: sizes.lambdas or values[::step] for kind, values in lambdas.items()}
    return [AdversaryTrial("linear", 0.0), *(AdversaryTrial(kind, value) for kind in tried for value in tried[kind])]


def _is_large(sizes: SongSizes) -> bool:
    return sizes.documents >= MANY


def load_learners(run: PaperRun[SongSizes], study: Corpus, texts: Sequence[Corpus]) -> list[Victim]:
    """The dual encoders, to be trained on `study`; at a small scale the first, and those that the user named.

    An encoder that the user named and that has learned already is attacked as it is.
    """
    models = [model for model in TRAINED if _is_large(run.sizes) or model == TRAINED[0] or model in run.encoders]
    loaded = load_victims(run, {model: MODELS[model] for model in models}, texts, study)
    return [_check_learner(target) for target in loaded.values() if isinstance(target, Victim)]


def _check_learner(target: Victim) -> Victim:
    if isinstance(target.encoder, LearnedEncoder) and not isinstance(target.encoder.recipe, DualRecipe):
        raise InputError(
            f"'{target.here}' cannot be trained against an adversary; name a dual encoder, dual:lstm or "
            "dual:transformer, as published dual:lstm:paper, or one that `vestige train` has saved"
        )
    return target


def plan_trials(
    printed: Sections,
    trials: Sequence[AdversaryTrial],
    targets: Sequence[Victim],
    train: Callable[[AdversaryTrial, LearnedEncoder], LearnedEncoder],
    texts: object,
    lines: Lines,
) -> Iterator[PlannedRow]:
    """Each trial of each encoder; `train` gives the encoder that is trained against the adversary.

    An encoder that has learned already has one row.
    """
    for target in targets:
        if not isinstance(target.encoder, LearnedEncoder):
            place = Place(GIVEN, target.model, printed[NOBODY][target.model], 0.0, f"{target.model}: {GIVEN}")
            yield plan_row(place, target, texts, lines)
    for trial in trials:
        for target in targets:
            if isinstance(target.encoder, LearnedEncoder):
                opposed = Victim(target.model, train(trial, target.encoder), target.here, target.progress)
                yield plan_row(trial.place(printed, target.model), opposed, texts, lines)


def plot_columns(columns: Sequence[str], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    """One plot per column, one curve per encoder, adversary and attack, from lambda 0 on."""
    for column, head in enumerate(columns):
        curves = draw_curves(_start_undefended(measured), column)
        drawn = tuple(curve for curve in curves if not curve.label.endswith(PRIOR))
        if drawn:
            yield Plot(head, "lambda", "F1 or accuracy", drawn)


def _start_undefended(measured: Sequence[MeasuredRow]) -> Iterator[MeasuredRow]:
    """The rows of each encoder and adversary, after the row of the encoder without one."""
    for curve in dict.fromkeys(one.place.curve for one in measured if one.place.at):
        undefended = f"{curve.partition(':')[0]}: {NOBODY}"
        for one in measured:
            if one.place.curve == undefended:
                yield MeasuredRow(replace(one.place, curve=curve), one.row)
        yield from (one for one in measured if one.place.curve == curve)


def training_notes(
    run: PaperRun[SongSizes], study: Corpus, utility: UtilityTasks, targets: Sequence[Victim]
) -> tuple[str, ...]:
    """How Figures 6 and 7 differ from the paper."""
    tasks = ", ".join(f"{len(task.labels):,} of {name.upper()}" for name, task in utility.tasks.items())
    return (
        *(_describe_encoder(run, target, study) for target in targets),
        *_scale_notes(run, targets),
        "The figure prints no values, and its lambdas are not in the text. The published figures here are those of "
        "Tables 1 and 2 for the same encoders without an adversary. The text says that inversion goes down by 30% and "
        "attribute inference by 80%, at a minor cost.",
        "The paper does not say what its adversary is. Here it is a linear classifier behind a reversed gradient, with "
        f"Adam at a rate of {PUBLISHED_ADVERSARY.learning_rate:g}, all of lambda from the first step on. That of the "
        "authors' released code has a hidden layer of half the dimension, and a rate of "
        f"{RELEASED_ADVERSARY.learning_rate:g}. The loss of words is summed over the vocabulary, as in Equation 8. "
        "Ours is not trained: the encoder minimizes how much of the words, or of the authors, a linear regression on "
        "its vectors explains, and lambda rises during the training. The lambdas are not on one scale.",
        "Nothing is dropped out in any of these trainings, with or without an adversary: dropout would hide from the "
        "adversary what the finished encoder reveals.",
        "Every attack is fitted again on vectors of the encoder that it attacks.",
        f"Tasks: {tasks or 'none is available'}; a random sample where there are more rows. Logistic regression on "
        "standardized columns with one of three penalties; MPQA and SUBJ in five folds, TREC and MSRP in their own "
        "split.",
    )


def _describe_encoder(run: PaperRun[SongSizes], target: Victim, study: Corpus) -> str:
    if not isinstance(target.encoder, LearnedEncoder):
        return f"{target.model} is '{target.here}', which has learned already: it is attacked as it is."
    if target.model in run.encoders:
        sentences = len(study.sentences())
        return f"{target.model} is '{target.here}', trained here on {sentences:,} sentences of '{study.name}'."
    return describe_training(target, study)


def _scale_notes(run: PaperRun[SongSizes], targets: Sequence[Victim]) -> Iterator[str]:
    """What a small scale does not train."""
    if not _is_large(run.sizes):
        trained = [target.model for target in targets]
        lambdas = "" if run.sizes.lambdas else "every other lambda, "
        yield f"This is a small run: {lambdas}one seed, and of the encoders {' and '.join(trained)}."
        for model in TRAINED:
            if model not in trained:
                yield f"The {model} is trained as well with --encoder {model}={MODELS[model]}, or with --scale full."


def read_utility(run: PaperRun[SongSizes]) -> UtilityTasks:
    """The available tasks, with at most twice as many rows as the scale has auxiliary sentences."""
    most = 2 * run.sizes.same
    return UtilityTasks(
        {name: read_task(name, rng=stream(run.seed, "task"), most=most) for name in TASKS if is_available(name)}
    )


def _guess(score: Score) -> Score:
    assert score.baseline is not None
    return Score(score.baseline, score.baseline, score.baseline, score.n)
