"""Table III: keywords that no target contains (Pan et al. 2020, Section VI)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.metrics.keyword_accuracy import BalancedTests
from vestige.papers.pan2020.attacks import FittedKeywords, KeywordAdversary, exact_score, score_epochs
from vestige.papers.pan2020.notes import describe_epochs, describe_external, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import (
    KeywordStudy,
    KeywordTexts,
    explain_missing,
    read_external,
    read_public_sentences,
    read_split,
)
from vestige.papers.published import Sections, list_models
from vestige.papers.record import CLOSED_FORM, PAPER, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.split import sample_rows
from vestige.text.substitution import insert_keyword
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import KeywordGuesses, Score

KEYWORDS, FREQUENT = 5, 500
SECTIONS = ("Medical", "Airline")
COLUMNS = ("Medical, worst", "Medical, average", "Airline, worst", "Airline, average")
PLANTED, NEVER = "the same, put into half the texts", "always saying no"
Scores = tuple[Score | None, ...]
NOTHING: Scores = (None, None)


@dataclass(frozen=True)
class AbsentKeywords:
    """Targets that contain none of the keywords, and the same targets with a keyword inserted into each."""

    texts: KeywordTexts
    planted: Corpus


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Five words drawn from the external corpus, on texts that contain none of them."""
    public = read_public_sentences(run)
    studies = {section: _read(run, section, public) for section in SECTIONS if not explain_missing(run, section)}
    texts = [corpus for study in studies.values() for corpus in (*study.texts.encoded, study.planted)]
    targets = load_models(run, list_models(printed), texts)

    def lines(target: Victim) -> Iterator[Line]:
        fits = {section: KeywordAdversary(run, study.texts, target).adapt() for section, study in studies.items()}
        measured = {section: list(_scores(run, study, target, fits[section])) for section, study in studies.items()}
        logs = tuple(log for fitted in fits.values() for log in fitted.logs)
        for by, line in zip((PAPER, PLANTED, NEVER), zip(*measured.values(), strict=True), strict=True):
            scores = dict(zip(measured, line, strict=True))
            columns = tuple(score for section in SECTIONS for score in scores.get(section, NOTHING))
            yield Line(by, columns, (CLOSED_FORM,) if by == NEVER else logs)

    return Plan(plan_rows(printed, targets, studies, lines), model_notes(run, targets) + keyword_notes(run, studies))


def _read(run: PaperRun[PanSizes], section: str, public: Corpus) -> AbsentKeywords:
    rng = stream(run.seed, "unheard")
    targets = read_split(run, section).targets
    targets = targets.take(sample_rows(range(len(targets)), run.sizes.records, rng))
    frequent = Vocabulary.build(map(content_words, public.texts), FREQUENT).words
    table = keyword_table(targets.texts, frequent)
    words = [word for word, held in zip(frequent, table.T, strict=True) if not held.any()]
    keywords = [words[place] for place in rng.permutation(len(words))[:KEYWORDS]]
    planted = [insert_keyword(text, keywords[row % KEYWORDS], rng) for row, text in enumerate(targets.texts)]
    study = KeywordStudy(section, tuple(keywords), targets, targets.take([]), run.seed)
    external = read_external(run, public, keywords, run.sizes.external)
    return AbsentKeywords(KeywordTexts(study, external), Corpus(section, planted, targets.documents))


def _scores(
    run: PaperRun[PanSizes], absent: AbsentKeywords, target: Victim, fitted: FittedKeywords
) -> Iterator[Scores]:
    """Worst case and average: on the targets, on targets with and without the keyword, and for always denying it."""
    study = absent.texts.study
    plain = fitted.by_epoch(target.vectors(study.targets))
    yield tuple(reversed(_denied(plain, study.targets.documents, run.seed)))
    both = study.targets.texts + absent.planted.texts
    tests = BalancedTests.draw(
        study.keywords,
        keyword_table(both, study.keywords),
        study.targets.documents + absent.planted.documents,
        stream(run.seed, "tests"),
    )
    with_keyword = fitted.by_epoch(target.vectors(absent.planted))
    joined = [
        KeywordGuesses(study.keywords, np.concatenate([one.probabilities, other.probabilities]))
        for one, other in zip(plain, with_keyword, strict=True)
    ]
    yield tuple(reversed(score_epochs(tests, joined, run.seed)))
    yield (exact_score(1.0, len(study.targets)),) * 2


def _denied(epochs: Sequence[KeywordGuesses], documents: Sequence[str], seed: int) -> tuple[Score, Score]:
    """How often a keyword is correctly denied: averaged over epochs, and in the best epoch of each keyword."""
    correct = np.array([guesses.probabilities <= 0.5 for guesses in epochs], dtype=np.float64)
    best = correct.mean(axis=1).argmax(axis=0)
    chosen = correct[best, :, np.arange(correct.shape[2])].T
    return (
        document_mean(correct.mean(axis=(0, 2)), documents, stream(seed, "bootstrap")),
        document_mean(chosen.mean(axis=1), documents, stream(seed, "bootstrap")),
    )


def keyword_notes(run: PaperRun[PanSizes], studies: Mapping[str, AbsentKeywords]) -> tuple[str, ...]:
    """How Table III differs from the paper."""
    keywords = "; ".join(f"{section}: {', '.join(absent.texts.study.keywords)}" for section, absent in studies.items())
    external = next(iter(studies.values())).texts.external
    missing = {section: explain_missing(run, section) for section in SECTIONS}
    return (
        f"Keywords, drawn from frequent words of the external corpus that no target contains: {keywords}. The paper "
        "does not name its five.",
        f"Texts: at most {run.sizes.records:,} sentences (1,000 in the paper).",
        "No target contains a keyword, so that accuracy is the share of texts of which it is correctly denied, and "
        "always saying no reaches 100 percent. A figure near 100 therefore means little. The line below it is the same "
        "attack on twice as many texts, half of them with a keyword inserted, where always saying no reaches 50.",
        "The worst case is the best epoch of each keyword, and choosing it requires the truth.",
        describe_epochs(external),
        describe_external(external),
        *(f"{section} is skipped: {reason}." for section, reason in missing.items() if reason),
    )


TABLES = {"table3": Table("Table III: keywords that no target holds", COLUMNS, plan)}
