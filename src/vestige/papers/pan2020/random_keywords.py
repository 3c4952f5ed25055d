"""Table III: keywords that no target holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.metrics.accuracy import BalancedTests
from vestige.metrics.bootstrap import document_mean
from vestige.papers.pan2020.adversary import Adversary
from vestige.papers.pan2020.differs import differs, random_keywords_differ
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import exactly, over_epochs
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import Study, Texts, missing, read_elsewhere, read_external, read_sides
from vestige.papers.published import published
from vestige.papers.record import PAPER, Findings, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.split import sample_rows
from vestige.text.substitution import put_in
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import KeywordGuesses, Score

KEYWORDS, FREQUENT = 5, 500
COLUMNS = ("Medical, worst", "Medical, average", "Airline, worst", "Airline, average")
PLANTED, NEVER = "the same, put into half the texts", "always saying no"
Scores = tuple[Score | None, ...]


@dataclass(frozen=True)
class Unheard:
    """Targets, none of which holds any of the keywords, and the same again with a keyword put into each."""

    texts: Texts
    planted: Corpus


def table3(run: Run[Sizes]) -> Findings:
    """Five words drawn from the external corpus, on texts that hold none of them."""
    elsewhere = read_elsewhere(run)
    here = {
        section: _unheard(run, section, elsewhere) for section in ("Medical", "Airline") if not missing(run, section)
    }
    texts = [corpus for one in here.values() for corpus in (*one.texts.encoded, one.planted)]

    def lines(target: Victim) -> Iterator[Line]:
        found = {section: list(_scores(run, one, target)) for section, one in here.items()}
        for by, line in zip((PAPER, PLANTED, NEVER), zip(*found.values(), strict=True), strict=True):
            scores = dict(zip(found, line, strict=True))
            yield Line(by, tuple(score for section in ("Medical", "Airline") for score in scores.get(section, NOTHING)))

    rows = []
    for section, printed in published("pan2020", "table3").items():
        targets = models(run, printed, texts)
        advance = run.progress("table3, rows", len(targets))
        for target in targets:
            place = Place("table3", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, here, lines))
            advance(1)
    keywords = {section: one.texts.study.keywords for section, one in here.items()}
    external = next(iter(here.values())).texts.external
    return Findings(tuple(rows), differs(run, targets) + random_keywords_differ(run, keywords, external))


NOTHING: Scores = (None, None)


def _unheard(run: Run[Sizes], section: str, elsewhere: Corpus) -> Unheard:
    rng = stream(run.seed, "unheard")
    targets = read_sides(run, section).targets
    targets = targets.take(sample_rows(range(len(targets)), run.sizes.records, rng))
    frequent = Vocabulary.build(map(content_words, elsewhere.texts), FREQUENT).words
    table = keyword_table(targets.texts, frequent)
    words = [word for word, held in zip(frequent, table.T, strict=True) if not held.any()]
    keywords = [words[place] for place in rng.permutation(len(words))[:KEYWORDS]]
    planted = [put_in(text, keywords[row % KEYWORDS], rng) for row, text in enumerate(targets.texts)]
    study = Study(section, tuple(keywords), targets, targets.take([]), run.seed)
    external = read_external(run, elsewhere, keywords, run.sizes.external)
    return Unheard(Texts(study, external), Corpus(section, planted, targets.documents))


def _scores(run: Run[Sizes], unheard: Unheard, target: Victim) -> Iterator[Scores]:
    """At worst and on average: on the targets, on the targets and their likes with the keywords, and for a no."""
    study = unheard.texts.study
    adversary = Adversary(run, unheard.texts, target)
    fitted = adversary.adapted()
    plain = fitted.by_epoch(adversary.victims)
    yield tuple(reversed(_denied(plain, study.targets.documents, run.seed)))
    both = study.targets.texts + unheard.planted.texts
    tests = BalancedTests.draw(
        study.keywords,
        keyword_table(both, study.keywords),
        study.targets.documents + unheard.planted.documents,
        stream(run.seed, "tests"),
    )
    with_it = fitted.by_epoch(target.vectors(unheard.planted))
    joined = [
        KeywordGuesses(study.keywords, np.concatenate([one.probabilities, other.probabilities]))
        for one, other in zip(plain, with_it, strict=True)
    ]
    yield tuple(reversed(over_epochs(tests, joined, run.seed)))
    yield (exactly(1.0, len(study.targets)),) * 2


def _denied(epochs: Sequence[KeywordGuesses], documents: Sequence[str], seed: int) -> tuple[Score, Score]:
    """How often a keyword is rightly said not to be there: on average over epochs, and in each keyword's best."""
    right = np.array([guesses.probabilities <= 0.5 for guesses in epochs], dtype=np.float64)
    best = right.mean(axis=1).argmax(axis=0)
    chosen = right[best, :, np.arange(right.shape[2])].T
    return (
        document_mean(right.mean(axis=(0, 2)), documents, stream(seed, "bootstrap")),
        document_mean(chosen.mean(axis=1), documents, stream(seed, "bootstrap")),
    )
