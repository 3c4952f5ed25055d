"""Song's Figure 6: what training against a reader of words hides, and what it costs (S12)."""

from collections.abc import Callable, Iterator
from functools import partial

from vestige.attacks.fixed_words import FixedWords
from vestige.encoders.dual.against import trained_against
from vestige.encoders.dual.choices import Opposition
from vestige.papers.curves import Measured
from vestige.papers.record import Findings, Line
from vestige.papers.run import Run
from vestige.papers.scores import Truth, Words, of_averages
from vestige.papers.song2020.attacks import BLACK_BOX, WHITE_BOX
from vestige.papers.song2020.opposed import learners, opposed_differ, plots, rows_of, trials
from vestige.papers.song2020.texts import Sizes, Texts, read_texts
from vestige.papers.song2020.uses import USES, Uses, read_uses
from vestige.papers.victims import Victim
from vestige.types import Score

ATTACKS = (BLACK_BOX["Multi-label classification"], WHITE_BOX["Equation 7"])
COLUMNS = ("F1, multi-label", "F1, Equation 7", *USES)
LAMBDAS: dict[Opposition, tuple[float, ...]] = {"reader": (0.01, 0.02, 0.03, 0.05, 0.1, 0.3)}


def figure6(run: Run[Sizes]) -> Findings:
    """F1 of a black-box and a white-box inversion, and four uses, by lambda."""
    texts, uses = read_texts(run), read_uses(run)
    targets = learners(run, texts.study, texts.encoded)
    advance = run.progress("figure6, trainings", len(trials(run.sizes, LAMBDAS)))
    found: list[Measured] = []
    for trial in trials(run.sizes, LAMBDAS):
        against = partial(trained_against, words=trial.strength, opponent=trial.opponent)
        lines = partial(_lines, run, texts, uses)
        found += rows_of(run, "figure6", trial, targets, against, (texts, uses), lines)
        advance(1)
    differs = opposed_differ(run, texts.study, uses, targets)
    return Findings(tuple(one.row for one in found), differs, tuple(plots(found, COLUMNS)))


def _lines(run: Run[Sizes], texts: Texts, uses: Uses, target: Victim) -> Iterator[Line]:
    """Each recipe of the attacks, with auxiliary sentences of the same domain."""
    pairs, attacked = texts.auxiliary["same"], texts.targets
    truths = [Truth([*map(one.words(target), attacked.texts)], attacked.documents, run.seed) for one in ATTACKS]
    for by in ATTACKS[0].recipes:
        sets = [one.sets(run, one.recipes[by], target, pairs, attacked) for one in ATTACKS]
        scores = [of_averages(guessed, truth)[2] for guessed, truth in zip(sets, truths, strict=True)]
        yield Line(by, (*scores, *[None] * len(USES)))
    guessing = [_guessed(texts, one.words(target), truth) for one, truth in zip(ATTACKS, truths, strict=True)]
    yield from uses.lines(run.seed, target, guessing)


def _guessed(texts: Texts, words: Callable[[str], Words], truth: Truth) -> Score:
    """The best set of words for all texts alike."""
    best = FixedWords().fit_sets([words(text) for text in texts.auxiliary["same"].texts]).words_
    return of_averages([best] * len(truth.words), truth)[2]
