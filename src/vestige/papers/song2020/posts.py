"""Sentences with their authors, for Figures 3 and 7; labelled sentences and targets share no document."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.attribute_curve import Labelled
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import SongSizes
from vestige.text.authors import normalize_subject, split_by_author, strip_repeated_lines
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import Split, split_documents
from vestige.text.words import count_words
from vestige.types import Vectors

SHORTEST, LONGEST = 6, 60
LABELS, SPARE, TARGETS = 50, 25, 25
"""Labels per author at most, spare sentences to draw them from, and sentences under attack per author."""

FEWEST_POSTS, FEWEST_AUTHORS = 5, 8
STUDIED_WORDS = 100
"""Words of training text for the dual encoders, per document of the scale."""

CORPORA = {"Speeches": "speeches", "Newsgroups": "newsgroups", "Chat": "chat"}
SHORTEST_MESSAGE = 4
"""Words of a chat message at least; a message is shorter than a sentence."""


@dataclass(frozen=True)
class Posts:
    """Sentences, their split into labelled ones and targets, and the text that trains the dual encoders.

    A draw takes `classes` of the authors.
    """

    corpus: Corpus
    split: Split
    study: Corpus
    classes: int

    @property
    def authors(self) -> list[str]:
        """The author of each sentence."""
        return self.corpus.attributes["author"]

    def labelled(self, given: Vectors | Sequence[str]) -> Labelled:
        """The sentences as vectors, or as texts, with their authors."""
        return Labelled(given, self.authors, self.corpus.documents, self.split, TARGETS)


def read_posts(run: PaperRun[SongSizes], section: str) -> Posts:
    """Half of the documents train the dual encoders; the other half is split again, author by author.

    Newsgroup posts lose their quotes and signatures, and a thread is one document. Of chat messages, those of authors
    with few train the dual encoders, so that as many authors as possible are left.
    """
    corpus = load_corpus(CORPORA[section])
    if section == "Chat":
        return _split_authors(*_divide_messages(corpus), run)
    if "subject" in corpus.attributes:
        threads = [normalize_subject(subject) for subject in corpus.attributes["subject"]]
        corpus = replace(
            corpus, texts=strip_repeated_lines(corpus.texts, corpus.attributes["author"]), documents=threads
        )
    halves = split_documents(corpus.documents, 0.5, stream(run.seed, "split"))
    held = _select_frequent(corpus.take(halves.target)).sentences(SHORTEST, LONGEST)
    return _split_authors(held, corpus.take(halves.auxiliary), run)


def _split_authors(held: Corpus, study: Corpus, run: PaperRun[SongSizes]) -> Posts:
    """Labelled sentences and targets of the authors with enough of both."""
    split = split_by_author(held.attributes["author"], held.documents, stream(run.seed, "wall"))
    pooled, sides = _pool(held, split, run)
    authors = len(set(pooled.attributes["author"]))
    return Posts(pooled, sides, _sample_study(study, run), round(0.75 * authors))


def _divide_messages(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """The messages of authors with enough of them, of a readable length, and all messages of the other authors."""
    long_enough = [SHORTEST_MESSAGE <= count_words(text) <= LONGEST for text in corpus.texts]
    authors = corpus.attributes["author"]
    counts = Counter(author for author, kept in zip(authors, long_enough, strict=True) if kept)
    frequent = {author for author, count in counts.items() if count >= LABELS + TARGETS}
    held = [row for row, author in enumerate(authors) if long_enough[row] and author in frequent]
    return corpus.take(held), corpus.take([row for row, author in enumerate(authors) if author not in frequent])


def _select_frequent(corpus: Corpus) -> Corpus:
    """Newsgroup posts, which are short, of authors with several; any other corpus as it is."""
    if "subject" not in corpus.attributes:
        return corpus
    written: dict[str, list[int]] = defaultdict(list)
    for row, author in enumerate(corpus.attributes["author"]):
        written[author].append(row)
    return corpus.take(sorted(row for rows in written.values() if len(rows) >= FEWEST_POSTS for row in rows))


def _pool(corpus: Corpus, split: Split, run: PaperRun[SongSizes]) -> tuple[Corpus, Split]:
    """Labelled sentences and targets of each author with enough of both."""
    rng = stream(run.seed, "pool")
    sides = [_by_author(corpus, rng.permutation(rows).tolist()) for rows in (split.auxiliary, split.target)]
    fewest, most = (LABELS, TARGETS), (LABELS + SPARE, TARGETS)
    names = sorted(
        set.intersection(
            *(
                {name for name, rows in side.items() if len(rows) >= least}
                for side, least in zip(sides, fewest, strict=True)
            )
        )
    )
    names = [names[place] for place in np.sort(rng.permutation(len(names))[: run.sizes.authors])]
    if len(names) < FEWEST_AUTHORS:
        raise InputError(
            f"{corpus.name} has {len(names)} authors of {LABELS} sentences to learn from and {TARGETS} to attack; "
            f"expected at least {FEWEST_AUTHORS}"
        )
    auxiliary, target = (
        [row for name in names for row in side[name][:some]] for side, some in zip(sides, most, strict=True)
    )
    taken = [*auxiliary, *target]
    return corpus.take(taken), Split(list(range(len(auxiliary))), list(range(len(auxiliary), len(taken))))


def _by_author(corpus: Corpus, rows: Sequence[int]) -> dict[str, list[int]]:
    held: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        held[corpus.attributes["author"][row]].append(row)
    return held


def _sample_study(corpus: Corpus, run: PaperRun[SongSizes]) -> Corpus:
    """Random documents, until there are enough words."""
    order = stream(run.seed, "study").permutation(len(corpus))
    words = np.cumsum([count_words(corpus.texts[row]) for row in order])
    enough = int(np.searchsorted(words, STUDIED_WORDS * run.sizes.documents)) + 1
    return replace(corpus.take(sorted(order[:enough].tolist())), attributes={})
