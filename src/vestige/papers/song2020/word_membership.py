"""Song's Figure 4: was a window of five words in the text that word vectors were trained on?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import get_type_hints

import numpy as np

from vestige.attacks.membership.words import WordMembership
from vestige.case.randomness import stream
from vestige.encoders.learned import Learned
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.membership.figures import membership
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, Curve, Findings, Line, Plot, Point, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020.membership_differs import windows_differ
from vestige.papers.song2020.texts import Sizes
from vestige.papers.song2020.word_texts import WIDTH, Contest, contest, read_parts
from vestige.papers.victims import Absent, Victim, victims
from vestige.text.corpus import Corpus
from vestige.text.windows import DECILES, Windows
from vestige.types import Score, Vectors

WORD_MODELS = {"Word2Vec": "word2vec", "FastText": "fasttext", "GloVe": "glove"}
COLUMNS = tuple(f"decile {decile}" for decile in range(1, DECILES + 1))
REFERRED = "our default, beside vectors of public text"
UNTAUGHT = "control: vectors of public text alone"
DEALT = "control: neighbours dealt anew"


def figure4(run: Run[Sizes]) -> Findings:
    """The advantage by how rare the word in the middle is, from the most frequent tenth of the words to the rarest."""
    parts = read_parts(run)
    windows = contest(run, parts)
    targets, references = (_learners(run, part) for part in (parts.members, parts.public))
    advance = run.progress("figure4, rows", len(targets))
    rows = []
    for section, printed in published("song2020", "figure4").items():
        for target, reference in zip(targets, references, strict=True):
            place = Place("figure4", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, parts, partial(_lines, run, windows, reference)))
            advance(1)
    return Findings(tuple(rows), windows_differ(run, parts, windows, targets), tuple(_plots(rows)))


def _learners(run: Run[Sizes], part: Corpus) -> list[Victim | Absent]:
    """The models, about to learn from a part; only word vectors that learn here can be asked what they learned from."""
    found = victims(run, WORD_MODELS, [], part)
    for target in found:
        encoder = target.encoder if isinstance(target, Victim) else None
        makes = get_type_hints(encoder.recipe.fit)["return"] if isinstance(encoder, Learned) else None
        if encoder is not None and not (makes and issubclass(makes, WordMean)):
            raise InputError(
                f"encoder '{encoder.name}' has no word vectors that are trained here; figure4 asks what they were "
                f"trained on, so name one of {', '.join(WORD_MODELS.values())}"
            )
    return found


def _lines(run: Run[Sizes], windows: Contest, reference: Victim | Absent, target: Victim) -> Iterator[Line]:
    assert isinstance(reference, Victim)
    taught, public = _word_vectors(run, target), _word_vectors(run, reference)
    ours = WordMembership().fit(taught)
    yield _line(run, PAPER, WordMembership(recipe="song").fit(taught), windows)
    yield _line(run, OURS, ours, windows)
    yield _line(run, REFERRED, WordMembership().fit(taught, reference=public), windows)
    yield _line(run, UNTAUGHT, WordMembership().fit(public), windows)
    yield _line(run, DEALT, ours, _dealt(run, windows))


def _word_vectors(run: Run[Sizes], target: Victim) -> tuple[Sequence[str], Vectors]:
    assert isinstance(target.encoder, Learned)
    fitted = target.encoder.fitted(run.progress)
    assert isinstance(fitted, WordMean)
    return fitted.vocabulary, fitted.matrix[: len(fitted.vocabulary)]


def _line(run: Run[Sizes], by: str, attack: WordMembership, windows: Contest) -> Line:
    pairs = zip(windows.members, windows.others, strict=True)
    return Line(by, tuple(_advantage(run, attack, *pair) for pair in pairs))


def _advantage(run: Run[Sizes], attack: WordMembership, members: Windows, others: Windows) -> Score | None:
    if min(len(set(members.owners)), len(set(others.owners))) < FEWEST_DOCUMENTS:
        return None
    return membership(
        attack.infer(members.words).scores,
        attack.infer(others.words).scores,
        member_groups=members.owners,
        other_groups=others.owners,
        rng=stream(run.seed, "threshold"),
    ).advantage


def _dealt(run: Run[Sizes], windows: Contest) -> Contest:
    """Windows in which each place but the middle has the word of another window of the same side and decile."""
    rng = stream(run.seed, "dealt")

    def dealt(one: Windows) -> Windows:
        columns = [column if place == WIDTH // 2 else rng.permutation(column) for place, column in enumerate(one.ids.T)]
        return replace(one, ids=np.stack(columns, axis=1))

    return replace(windows, members=tuple(map(dealt, windows.members)), others=tuple(map(dealt, windows.others)))


def _plots(rows: Sequence[Row]) -> Iterator[Plot]:
    for row in rows:
        curves = [Curve(line.by, tuple(_points(line))) for line in row.lines]
        if curves:
            yield Plot(f"Advantage by rarity of the middle word, {row.model}", "decile", "advantage", tuple(curves))


def _points(line: Line) -> Iterator[Point]:
    for decile, score in enumerate(line.scores, start=1):
        if score is not None:
            yield Point(decile, score)
