"""Figure 6: training against word inversion, and its cost (Song and Raghunathan 2020, Section 7)."""

from collections.abc import Callable, Iterator
from functools import partial

from vestige.attacks.priors import FixedWords
from vestige.encoders.dual.recipe import add_adversaries
from vestige.encoders.dual.settings import AdversaryKind
from vestige.encoders.fitted import LearnedEncoder
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, Words, score_averages
from vestige.papers.song2020.adversarial_training import (
    UTILITY,
    OpponentTrial,
    UtilityTasks,
    list_trials,
    load_learners,
    plan_trials,
    plot_columns,
    read_utility,
    training_notes,
)
from vestige.papers.song2020.attacks import BLACK_BOX, WHITE_BOX
from vestige.papers.song2020.setup import SongSizes
from vestige.papers.song2020.texts import InversionTexts, read_texts
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.types import Score

ATTACKS = (BLACK_BOX["Multi-label classification"], WHITE_BOX["Equation 7"])
COLUMNS = ("F1, multi-label", "F1, Equation 7", *UTILITY)
LAMBDAS: dict[AdversaryKind, tuple[float, ...]] = {"reader": (0.01, 0.02, 0.03, 0.05, 0.1, 0.3)}


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """F1 of a black-box and a white-box inversion, and four downstream tasks, by lambda."""
    texts, utility = read_texts(run), read_utility(run)
    targets, trials = load_learners(run, texts.study, texts.encoded), list_trials(run.sizes, LAMBDAS)
    rows = plan_trials(printed, trials, targets, _train, (texts, utility), partial(_lines, run, texts, utility))
    notes = training_notes(run, texts.study, utility, targets)
    return Plan(rows, notes, plots=partial(plot_columns, COLUMNS), total=len(trials) * len(targets))


def _train(trial: OpponentTrial, encoder: LearnedEncoder) -> LearnedEncoder:
    return add_adversaries(encoder, words=trial.strength, adversary=trial.opponent)


def _lines(run: PaperRun[SongSizes], texts: InversionTexts, utility: UtilityTasks, target: Victim) -> Iterator[Line]:
    """One line per recipe of the attacks, with auxiliary sentences of the same domain."""
    pairs, attacked = texts.auxiliary["same"], texts.targets
    truths = [TargetWords([*map(one.words(target), attacked.texts)], attacked.documents, run.seed) for one in ATTACKS]
    for by in ATTACKS[0].recipes:
        sets = [one.infer_sets(run, one.recipes[by], target, pairs, attacked) for one in ATTACKS]
        scores = [score_averages(guessed, truth)[2] for guessed, truth in zip(sets, truths, strict=True)]
        yield Line(by, (*scores, *[None] * len(UTILITY)))
    guessing = [_guess(texts, one.words(target), truth) for one, truth in zip(ATTACKS, truths, strict=True)]
    yield from utility.lines(run.seed, target, guessing)


def _guess(texts: InversionTexts, words: Callable[[str], Words], truth: TargetWords) -> Score:
    """F1 of the best fixed set of words."""
    best = FixedWords().fit_sets([words(text) for text in texts.auxiliary["same"].texts]).words_
    return score_averages([best] * len(truth.words), truth)[2]


TABLES = {"figure6": Table("Figure 6: training against inversion, as F1, and its cost", COLUMNS, plan)}
