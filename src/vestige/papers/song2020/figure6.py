"""Figure 6: training against word inversion, and its cost (Song and Raghunathan 2020, Section 7)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from vestige.attacks.priors import FixedWords
from vestige.encoders.dual.recipe import add_adversaries
from vestige.encoders.dual.settings import AdversaryKind
from vestige.encoders.fitted import LearnedEncoder
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, Line
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, score_averages
from vestige.papers.song2020.adversarial_training import (
    UTILITY,
    AdversaryTrial,
    UtilityTasks,
    list_trials,
    load_learners,
    plan_trials,
    plot_columns,
    read_utility,
    training_notes,
)
from vestige.papers.song2020.attacks import BLACK_BOX, WHITE_BOX, InversionAttack, Settings
from vestige.papers.song2020.setup import SongSizes
from vestige.papers.song2020.texts import InversionTexts, read_texts
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import Score

COLUMNS = ("F1, multi-label", "F1, multi-set", "F1, Equation 7", "F1, Equation 5", *UTILITY)
LAMBDAS: dict[AdversaryKind, tuple[float, ...]] = {
    "linear": (0.0001, 0.0003, 0.001, 0.01),
    "network": (0.0001, 0.001),
    "dependence": (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 100.0),
}
RELAXATION = "Equation 5"
WORDS_NOTE = (
    "All four attacks are scored on content words, so that their columns compare; Equation 5 attacks fewer targets, "
    "and so does its guess without vectors."
)


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """F1 of two black-box and two white-box inversions, and four downstream tasks, by lambda."""
    run = replace(run, sizes=replace(run.sizes, words="content"))
    texts, utility = read_texts(run), read_utility(run)
    targets, trials = load_learners(run, texts.study, texts.encoded), list_trials(run.sizes, LAMBDAS)
    lines = partial(_lines, run, texts, utility)
    rows = [*plan_trials(printed, trials, targets, _train, (texts, utility), lines)]
    notes = (WORDS_NOTE, *_attack_notes(run.sizes), *training_notes(run, texts.study, utility, targets))
    return Plan(rows, notes, plots=partial(plot_columns, COLUMNS), total=len(rows))


def _train(trial: AdversaryTrial, encoder: LearnedEncoder) -> LearnedEncoder:
    return add_adversaries(encoder, words=trial.strength, adversary=trial.settings)


def _content_settings(attack: InversionAttack, recipe: str, sizes: SongSizes) -> Settings:
    """The settings of a white-box attack that guesses content words, as black-box attacks do."""
    return attack.settings(recipe, sizes) | {"guess": "words"}


def list_attacks() -> tuple[InversionAttack, ...]:
    """The four attacks, in the order of the columns; relaxation is the last."""
    white = [WHITE_BOX[name] for name in ("Equation 7", RELAXATION)]
    return (
        *BLACK_BOX.values(),
        *(replace(one, settings=partial(_content_settings, one), unpaired=False) for one in white),
    )


def _lines(run: PaperRun[SongSizes], texts: InversionTexts, utility: UtilityTasks, target: Victim) -> Iterator[Line]:
    """Two lines per recipe, with auxiliary sentences of the same domain: relaxation has one of its own.

    It attacks fewer targets, and whether it has converged says nothing of the other attacks.
    """
    pairs, attacks = texts.auxiliary["same"], list_attacks()
    truths = [_truth(run, one.targets(texts)) for one in attacks]
    for by in (PAPER, OURS) if run.sizes.published else (OURS,):
        fitted = [one.fit(run, one.recipes[by], target, pairs) for one in attacks]
        scores = [
            score_averages(one.infer(run, attack, target, one.targets(texts)), truth)[2]
            for one, attack, truth in zip(attacks, fitted, truths, strict=True)
        ]
        empty = [None] * len(UTILITY)
        yield build_line(by, (*scores[:-1], None, *empty), fitted[:-1])
        yield build_line(f"{by}, {RELAXATION}", (*[None] * len(scores[:-1]), scores[-1], *empty), fitted[-1:])
    yield from utility.lines(run.seed, target, [_guess(pairs, truth) for truth in truths])


def _attack_notes(sizes: SongSizes) -> tuple[str, ...]:
    """How the attacks by the paper's recipes differ from those of Tables 1 and 2."""
    if not sizes.published:
        return ()
    patience = "" if sizes.patience is None else f", multi-set prediction until {sizes.patience} without a lower loss"
    searched = "all" if sizes.searched is None else f"the {sizes.searched:,} most frequent"
    limit = "until they converge" if sizes.steps is None else f"for at most {sizes.steps:,} steps"
    return (
        f"By the paper's recipes the black-box attacks train at most {sizes.epochs:,} epochs (30){patience}; those of "
        f"the white box descend {limit}, relaxation over {searched} words of the auxiliary texts.",
    )


def _truth(run: PaperRun[SongSizes], attacked: Corpus) -> TargetWords:
    return TargetWords([content_words(text) for text in attacked.texts], attacked.documents, run.seed)


def _guess(pairs: Corpus, truth: TargetWords) -> Score:
    """F1 of the best fixed set of words."""
    best = FixedWords().fit_sets([content_words(text) for text in pairs.texts]).words_
    return score_averages([best] * len(truth.words), truth)[2]


TABLES = {"figure6": Table("Figure 6: training against inversion, as F1, and its cost", COLUMNS, plan)}
