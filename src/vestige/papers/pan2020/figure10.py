"""Figure 10: keywords in the sentences that a decoder writes, by epoch (Pan et al. 2020, Appendix F)."""

from collections.abc import Iterator
from functools import partial
from time import process_time

import numpy as np

from vestige.attacks.decoder import DecoderInverter
from vestige.case.randomness import stream
from vestige.metrics.keyword_accuracy import PRIOR as COIN
from vestige.papers.pan2020.attacks import exact_score, mean_accuracy
from vestige.papers.pan2020.notes import describe_untested, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import KeywordStudy, read_study
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.text.keywords import keyword_table
from vestige.types import KeywordGuesses, Score, TrainingLog

EPOCHS = 5
NEAR_ZERO = 0.1
COLUMNS = tuple(f"epoch {epoch}" for epoch in range(1, EPOCHS + 1))
LONG = "the paper's recipe, until its loss is near zero"


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """The decoder learns from the shadow corpus; a keyword is inferred where the written sentence contains it."""
    study = read_study(run, "Medical")
    targets = load_models(run, list_models(printed), [study.targets, study.shadow])
    rows = plan_rows(printed, targets, study, partial(_lines, run, study))
    return Plan(rows, model_notes(run, targets) + _decoder_notes(run.sizes, study))


def _lines(run: PaperRun[PanSizes], study: KeywordStudy, target: Victim) -> Iterator[Line]:
    by_epoch = [_measure(run, study, target, epoch) for epoch in range(1, EPOCHS + 1)]
    yield Line(PAPER, tuple(score for score, _, _ in by_epoch), by_epoch[-1][1:2], sum(part[2] for part in by_epoch))
    score, log, seconds = _measure(run, study, target, run.sizes.decoder_epochs)
    yield Line(LONG, (*(None,) * (EPOCHS - 1), score), (log,), seconds)
    score, log, seconds = _measure(run, study, target, None)
    yield Line(OURS, (*(None,) * (EPOCHS - 1), score), (), seconds)
    yield Line(PRIOR, (exact_score(COIN, score.n),) * EPOCHS)


def _measure(
    run: PaperRun[PanSizes], study: KeywordStudy, target: Victim, epochs: int | None
) -> tuple[Score, TrainingLog, float]:
    """Accuracy after so many epochs, each from the same start; without a number, that of our own decoder."""
    known, victims = target.vectors(study.shadow), target.vectors(study.targets)
    started = process_time()
    attack = DecoderInverter(recipe="default" if epochs is None else "pan", epochs=epochs, device=run.device)
    attack.fit(known, study.shadow.texts, rng=stream(run.seed, "attack"), progress=run.progress)
    written = keyword_table(attack.infer(victims).texts, study.keywords)
    seconds = process_time() - started
    guesses = KeywordGuesses(study.keywords, written.astype(np.float64))
    score = mean_accuracy(study.tests, study.tests.hits(guesses), run.seed)
    return score, describe_losses(attack.losses_), seconds


def describe_losses(losses: list[float]) -> TrainingLog:
    """The loss by epoch; converged once it is near zero, as the paper describes it."""
    rule = f"{len(losses)} epochs; converged if the training loss per word is at most {NEAR_ZERO}"
    return TrainingLog(rule, losses[-1] <= NEAR_ZERO, len(losses), tuple(enumerate(losses, 1)))


def _decoder_notes(sizes: PanSizes, study: KeywordStudy) -> tuple[str, ...]:
    """How Figure 10 differs from the paper."""
    return (
        f"Texts: {len(study.shadow):,} sentences of '{study.shadow.name}' train the decoder, {len(study.targets):,} "
        f"are under attack; keywords: {', '.join(study.keywords)}.{describe_untested(study)}",
        "Words of the adversary's texts are the vocabulary, not the pieces of each model; optimiser, rate and batch "
        "are not stated (Adam, 1e-3, 64).",
        f"A second line trains {sizes.decoder_epochs} epochs, since a small corpus has few updates per epoch; its "
        "figure is in the last column, and so is that of our default, a decoder that writes from left to right.",
        "The paper prints no values: the loss decreases to almost 0, and no attack is better than a random guesser.",
    )


TABLES = {"figure10": Table("Figure 10: keywords in decoded sentences, by epoch", COLUMNS, plan)}
