"""Section 6.1: three improvements that Corò 2022 names and does not try, on the inverter as published."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from vestige.papers.coro2022.attacks import InversionTask, make_task
from vestige.papers.coro2022.notes import inversion_notes, representation_notes
from vestige.papers.coro2022.setup import CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.table5_2 import COLUMNS
from vestige.papers.coro2022.texts import read_split
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import Place, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.scores import score_by_text_and_rarity
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import build_line
from vestige.papers.victims import Victim
from vestige.text.languages import content_words_of
from vestige.text.vocabulary import Vocabulary

SECTION = "In-domain"
LARGER = 2
"""How many times as many words the larger vocabulary has."""


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """One row per representation; one line without an improvement, then one with each."""
    split, study = read_split(run), load_public_corpus(run)
    texts = [split.in_domain.sentences, split.test.sentences]
    targets = load_representations(run, printed[SECTION], texts, study, run.sizes.columns)
    task = make_task(run, split, SECTION)
    rows = [
        plan_row(Place(SECTION, model, figures), targets[model], split, partial(_lines, task))
        for model, figures in printed[SECTION].items()
    ]
    notes = representation_notes(run, study, targets, run.sizes.columns) + inversion_notes(run.sizes, split)
    return Plan(rows, (*notes, *_improvement_notes(run.sizes)))


def _lines(task: InversionTask, target: Victim) -> Iterator[Line]:
    pairs, test = task.training.sentences, task.test.sentences
    truth = task.truth(test)
    for by, settings in _improvements(task, target).items():
        fitted = task.fit(target, "coro", pairs, **settings)
        yield build_line(by, score_by_text_and_rarity(task.infer(fitted, target, test), truth), [fitted])
    fitted = task.fit(target, "default", pairs)
    yield build_line(OURS, score_by_text_and_rarity(task.infer(fitted, target, test), truth), [fitted])
    yield Line(PRIOR, score_by_text_and_rarity(task.prior(pairs, len(test)), truth))


def _improvements(task: InversionTask, target: Victim) -> dict[str, dict[str, Any]]:
    size, language = task.run.sizes.vocabulary, task.run.sizes.language
    known = (content_words_of(text, language) for text in task.training.sentences.texts)
    words = Vocabulary.build(known, size).words
    return {
        PAPER: {},
        "with the encoder's word vectors": {"single_words": (words, target.encoder.encode(words))},
        "with a loss that favours rare words": {"rare_words": 1.0},
        "with a larger vocabulary": {"vocabulary_size": LARGER * size},
    }


def _improvement_notes(sizes: CoroSizes) -> tuple[str, ...]:
    return (
        "The thesis names these improvements and tries none. Word vectors are the encoder's own vectors of single "
        f"words, at one query each. The larger vocabulary has up to {LARGER * sizes.vocabulary:,} words. The words "
        "that count are the same for every line.",
    )


TABLES = {"section6.1": Table("Section 6.1: improvements of the inverter", COLUMNS, plan)}
