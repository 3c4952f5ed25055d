"""Encoders trained against an opponent, and the utility of their vectors: what Figures 6 and 7 share.

Song and Raghunathan 2020, Section 7. The opponent is an adversary inside the training; lambda is its weight.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vestige.case.randomness import stream
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.dual.settings import AdversaryKind
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
from vestige.types import Score
from vestige.utility.sentence_tasks import TASKS, SentenceTask, read_task, task_accuracy

UTILITY = tuple(name.upper() for name in TASKS)
CLASSIFIER = "logistic regression"
TRAINED = ("LSTM", "Transformer")
NOBODY = "No opponent"
SECTIONS: dict[AdversaryKind, str] = {
    "reader": "The paper's opponent, a reader",
    "overlap": "Our opponent, the overlap",
}
MANY = 5000
"""With this many documents every encoder is trained with every lambda; below, the first with every other lambda."""


@dataclass(frozen=True)
class OpponentTrial:
    """One training: against which opponent, and with which lambda."""

    opponent: AdversaryKind
    strength: float

    def place(self, printed: Sections, model: str) -> Place:
        """Where its row is; the paper prints figures only without an opponent."""
        section, name, figures = NOBODY, model, printed[NOBODY][model]
        if self.strength:
            section, name, figures = (
                SECTIONS[self.opponent],
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
        return [Line(CLASSIFIER, (*[None] * len(guessing), *scores)), Line(PRIOR, (*guessing, *majorities))]


def list_trials(sizes: SongSizes, lambdas: Mapping[AdversaryKind, Sequence[float]]) -> list[OpponentTrial]:
    """No opponent, then each opponent with each lambda."""
    step = 1 if _is_large(sizes) else 2
    return [
        OpponentTrial("reader", 0.0),
        *(OpponentTrial(kind, value) for kind in lambdas for value in lambdas[kind][::step]),
    ]


def _is_large(sizes: SongSizes) -> bool:
    return sizes.documents >= MANY


def load_learners(run: PaperRun[SongSizes], study: Corpus, texts: Sequence[Corpus]) -> list[Victim]:
    """The dual encoders, to be trained on `study`; at a small scale the first, and those that the user named."""
    models = [model for model in TRAINED if _is_large(run.sizes) or model == TRAINED[0] or model in run.encoders]
    loaded = load_victims(run, {model: MODELS[model] for model in models}, texts, study)
    return [_check_learner(target) for target in loaded.values() if isinstance(target, Victim)]


def _check_learner(target: Victim) -> Victim:
    if not (isinstance(target.encoder, LearnedEncoder) and isinstance(target.encoder.recipe, DualRecipe)):
        raise InputError(
            f"'{target.here}' is not trained here, so that it cannot be trained against an opponent; name a dual "
            "encoder that is, dual:lstm or dual:transformer"
        )
    return target


def plan_trials(
    printed: Sections,
    trials: Sequence[OpponentTrial],
    targets: Sequence[Victim],
    train: Callable[[OpponentTrial, LearnedEncoder], LearnedEncoder],
    texts: object,
    lines: Lines,
) -> Iterator[PlannedRow]:
    """Each trial of each encoder; `train` gives the encoder that is trained against the opponent."""
    for trial in trials:
        for target in targets:
            assert isinstance(target.encoder, LearnedEncoder)
            opposed = Victim(target.model, train(trial, target.encoder), target.here, target.progress)
            yield plan_row(trial.place(printed, target.model), opposed, texts, lines)


def plot_columns(columns: Sequence[str], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    """One plot per column, one curve per encoder, opponent and attack, from lambda 0 on."""
    for column, head in enumerate(columns):
        curves = draw_curves(_start_undefended(measured), column)
        drawn = tuple(curve for curve in curves if not curve.label.endswith(PRIOR))
        if drawn:
            yield Plot(head, "lambda", "F1 or accuracy", drawn)


def _start_undefended(measured: Sequence[MeasuredRow]) -> Iterator[MeasuredRow]:
    """The rows of each encoder and opponent, after the row of the encoder without one."""
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
    from vestige.encoders.dual.training import ADVERSARY_RATE

    tasks = ", ".join(f"{len(task.labels):,} of {name.upper()}" for name, task in utility.tasks.items())
    return (
        *(describe_training(target, study) for target in targets if target.model not in run.encoders),
        *_scale_notes(run, targets),
        "The figure prints no values, and its lambdas are not in the text. The published figures here are those of "
        "Tables 1 and 2 for the same encoders without an opponent. The text says that inversion goes down by 30% and "
        "attribute inference by 80%, at a minor cost.",
        "The paper's opponent is a linear classifier behind a reversed gradient, with Adam at a rate of "
        f"{ADVERSARY_RATE:g}; the paper states neither. The loss of words is summed over the vocabulary, as in "
        "Equation 8. Our opponent of authors is not trained: the encoder minimizes the dependence between vectors and "
        "authors over the pairs of a batch. The lambdas of the two are not on one scale.",
        "Every attack is fitted again on vectors of the encoder that it attacks.",
        f"Tasks: {tasks or 'none is available'}; a random sample where there are more rows. Logistic regression on "
        "standardized columns with one of three penalties; MPQA and SUBJ in five folds, TREC and MSRP in their own "
        "split.",
    )


def _scale_notes(run: PaperRun[SongSizes], targets: Sequence[Victim]) -> Iterator[str]:
    """What a small scale does not train."""
    if not _is_large(run.sizes):
        trained = [target.model for target in targets]
        yield f"This is a small run: every other lambda, one seed, and of the encoders {' and '.join(trained)}."
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
