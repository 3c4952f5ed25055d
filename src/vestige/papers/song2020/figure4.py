"""Figure 4: were five words in the training text of word vectors? (Song and Raghunathan 2020, Section 6.4)"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import get_type_hints

import numpy as np

from vestige.attacks.membership.words import WordMembership
from vestige.case.randomness import stream
from vestige.encoders.fitted import LearnedEncoder
from vestige.encoders.words.training import find_frequent_words
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.metrics.membership.summary import membership
from vestige.papers.notes import describe_named
from vestige.papers.public_text import first_available
from vestige.papers.published import Sections
from vestige.papers.record import CLOSED_FORM, OURS, PAPER, Curve, Line, Plot, Point
from vestige.papers.rows import MeasuredRow, Place, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import WORD_MODELS, SongSizes
from vestige.papers.table import Plan, Table
from vestige.papers.victims import MissingModel, Victim, Victims, load_victims
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows, split_documents
from vestige.text.windows import DECILES, Windows, rarity_deciles
from vestige.types import Score, Vectors

COLUMNS = tuple(f"decile {decile}" for decile in range(1, DECILES + 1))
REFERRED = "our default, beside vectors of public text"
UNTAUGHT = "control: vectors of public text alone"
DEALT = "control: neighbours dealt anew"
WIDTH = 5
MIN_COUNT = 5
ARTICLES = 75_000


@dataclass(frozen=True)
class WindowCorpora:
    """Three parts of a corpus, of equal size, that share no document."""

    members: Corpus
    others: Corpus
    public: Corpus


@dataclass(frozen=True)
class CandidateWindows:
    """Windows of members and of others by decile, and how they were selected.

    `words` is the size of the lexicon; `least` the count, in public text, of the rarest word of each decile. Of `found`
    windows on both sides, `copied` occur on either side and are dropped.
    """

    members: tuple[Windows, ...]
    others: tuple[Windows, ...]
    words: int
    least: tuple[int, ...]
    copied: int
    found: int


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """The advantage by how rare the middle word is, from the most frequent tenth of the words to the rarest."""
    corpora = read_parts(run)
    windows = draw_windows(run, corpora)
    targets, references = (_load_learners(run, part) for part in (corpora.members, corpora.public))
    rows = [
        plan_row(
            Place(section, model, models[model]), target, corpora, partial(_lines, run, windows, references[model])
        )
        for section, models in printed.items()
        for model, target in targets.items()
    ]
    return Plan(rows, _window_notes(run, corpora, windows, targets), plots=_plots)


def _load_learners(run: PaperRun[SongSizes], part: Corpus) -> dict[str, Victim | MissingModel]:
    """The models, to be trained on a part. The members of any other word vectors are unknown."""
    loaded = load_victims(run, WORD_MODELS, [], part)
    for target in loaded.values():
        encoder = target.encoder if isinstance(target, Victim) else None
        makes = get_type_hints(encoder.recipe.fit)["return"] if isinstance(encoder, LearnedEncoder) else None
        if encoder is not None and not (makes and issubclass(makes, WordMean)):
            raise InputError(
                f"encoder '{encoder.name}' has no word vectors that are trained here, so that its members "
                f"are unknown; name one of {', '.join(WORD_MODELS.values())}"
            )
    return loaded


def _lines(
    run: PaperRun[SongSizes], windows: CandidateWindows, reference: Victim | MissingModel, target: Victim
) -> Iterator[Line]:
    assert isinstance(reference, Victim)
    taught, public = _word_vectors(run, target), _word_vectors(run, reference)
    ours = WordMembership().fit(taught)
    yield _line(run, PAPER, WordMembership(recipe="song").fit(taught), windows)
    yield _line(run, OURS, ours, windows)
    yield _line(run, REFERRED, WordMembership().fit(taught, reference=public), windows)
    yield _line(run, UNTAUGHT, WordMembership().fit(public), windows)
    yield _line(run, DEALT, ours, _shuffle_neighbours(run, windows))


def _word_vectors(run: PaperRun[SongSizes], target: Victim) -> tuple[Sequence[str], Vectors]:
    assert isinstance(target.encoder, LearnedEncoder)
    fitted = target.encoder.fit(run.progress)
    assert isinstance(fitted, WordMean)
    return fitted.vocabulary, fitted.matrix[: len(fitted.vocabulary)]


def _line(run: PaperRun[SongSizes], by: str, attack: WordMembership, windows: CandidateWindows) -> Line:
    pairs = zip(windows.members, windows.others, strict=True)
    return Line(by, tuple(_advantage(run, attack, *pair) for pair in pairs), (CLOSED_FORM,))


def _advantage(run: PaperRun[SongSizes], attack: WordMembership, members: Windows, others: Windows) -> Score | None:
    if min(len(set(members.owners)), len(set(others.owners))) < FEWEST_DOCUMENTS:
        return None
    return membership(
        attack.infer(members.words).scores,
        attack.infer(others.words).scores,
        member_groups=members.owners,
        other_groups=others.owners,
        rng=stream(run.seed, "threshold"),
    ).advantage


def _shuffle_neighbours(run: PaperRun[SongSizes], windows: CandidateWindows) -> CandidateWindows:
    """The windows with all words but the middle one taken from other windows of the same side and decile."""
    rng = stream(run.seed, "dealt")

    def shuffle(one: Windows) -> Windows:
        columns = [column if place == WIDTH // 2 else rng.permutation(column) for place, column in enumerate(one.ids.T)]
        return replace(one, ids=np.stack(columns, axis=1))

    return replace(windows, members=tuple(map(shuffle, windows.members)), others=tuple(map(shuffle, windows.others)))


def _plots(measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for one in measured:
        curves = tuple(Curve(line.by, tuple(_points(line))) for line in one.row.lines)
        if curves:
            yield Plot(f"Advantage by rarity of the middle word, {one.row.model}", "decile", "advantage", curves)


def _points(line: Line) -> Iterator[Point]:
    for decile, score in enumerate(line.scores, start=1):
        if score is not None:
            yield Point(decile, score)


def read_parts(run: PaperRun[SongSizes]) -> WindowCorpora:
    """The documents that the vectors learn from, others, and public ones that an adversary may hold."""
    own = load_corpus(run.sizes.corpus or first_available("imdb", "complaints"))
    rng = stream(run.seed, "split")
    own = own.take(sample_rows(range(len(own)), 3 * run.sizes.articles, rng))
    public = split_documents(own.documents, 1 / 3, rng)
    private = own.take(public.auxiliary)
    halves = split_documents(private.documents, 0.5, rng)
    return WindowCorpora(private.take(halves.auxiliary), private.take(halves.target), own.take(public.target))


def draw_windows(run: PaperRun[SongSizes], parts: WindowCorpora) -> CandidateWindows:
    """A limited number of windows per decile and side, all of words that are frequent in each of the three parts.

    A word that only members contain would reveal them without any vector. For the same reason words are counted in the
    public part, where membership does not change their counts.
    """
    public = find_frequent_words(parts.public, MIN_COUNT)
    in_members, in_others = (find_frequent_words(part, MIN_COUNT).words for part in (parts.members, parts.others))
    shared = set(in_members) & set(in_others)
    counts = {word: count for word, count in zip(public.words, public.counts, strict=True) if word in shared}
    members, others = (Windows.build(part, tuple(counts), WIDTH) for part in (parts.members, parts.others))
    copied = members.contained_in(others), others.contained_in(members)
    deciles = rarity_deciles(list(counts.values()))

    def by_decile(side: str, windows: Windows) -> tuple[Windows, ...]:
        rng, at = stream(run.seed, side), deciles[windows.centres]
        rows = [(at == decile).nonzero()[0].tolist() for decile in range(DECILES)]
        drawn = [np.array(sample_rows(some, run.sizes.windows, rng), dtype=np.int64) for some in rows]
        return tuple(map(windows.take, drawn))

    return CandidateWindows(
        members=by_decile("members", members.take(~copied[0])),
        others=by_decile("others", others.take(~copied[1])),
        words=len(counts),
        least=tuple(
            min(count for count, at in zip(counts.values(), deciles, strict=True) if at == decile)
            for decile in sorted(set(deciles.tolist()))
        ),
        copied=int(copied[0].sum() + copied[1].sum()),
        found=len(members) + len(others),
    )


def _window_notes(
    run: PaperRun[SongSizes], parts: WindowCorpora, windows: CandidateWindows, targets: Victims
) -> tuple[str, ...]:
    """How Figure 4 differs from the paper."""
    return (
        f"Texts: '{parts.members.name}' in place of Wikipedia: {len(parts.members):,} documents to learn from and "
        f"{len(parts.others):,} others (some {ARTICLES:,} of each in the paper), and {len(parts.public):,} more as "
        "public text, which the paper does not need.",
        f"Windows: {WIDTH} words, all of them among the {windows.words:,} that occur at least {MIN_COUNT} times in "
        "each of the three parts; a word that only the members contain would reveal them without any vector. "
        f"{windows.copied:,} of {windows.found:,} windows occur on both sides word for word and are dropped. Of the "
        f"rest, at most {run.sizes.windows:,} per decile and side are drawn.",
        "Deciles are of words, and words are counted in the public text, where an attacker can count them; the paper "
        "does not say where it counts, nor whether it means a tenth of the words or of their occurrences. The rarest "
        f"word of each decile occurs there {', '.join(f'{least:,}' for least in windows.least)} times.",
        "Each half of the documents is classified with the best threshold of the other half; the paper does not say "
        "where its thresholds come from.",
        "The figure prints no values. The published ones are from the text: below 10 for frequent words, roughly 30 "
        "for rare ones, FastText the most resistant.",
        "Our default compares every word of a window with every other, rare ones counting more, and subtracts "
        "the mean of all vectors; with vectors of public text, it also subtracts the similarity of the words there.",
        "Two controls, both by our default: vectors that learned from neither side, and windows whose words around the "
        "middle come from other windows of the same side and decile.",
        *describe_named(targets, run.encoders),
    )


TABLES = {"figure4": Table("Figure 4: membership of windows of words", COLUMNS, plan)}
