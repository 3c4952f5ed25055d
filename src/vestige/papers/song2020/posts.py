"""Sentences with their authors, for Figure 3: some are labelled, some under attack, no document is on both sides."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.attribute_curve import Labelled
from vestige.papers.run import Run
from vestige.papers.song2020.texts import Sizes
from vestige.text.authors import own_texts, split_by_author, thread
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.split import Split, split_documents
from vestige.text.words import count_words
from vestige.types import Vectors

SHORTEST, LONGEST = 6, 60
LABELS, SPARE, TARGETS = 50, 25, 25
"""Labels an author at most, more of them to draw from, and sentences under attack."""

FEWEST_POSTS, FEWEST_AUTHORS = 5, 8
STUDIED_WORDS = 100
"""Words a document of the scale: so much text the dual encoders learn from."""

CORPORA = {"Speeches": "speeches", "Newsgroups": "newsgroups"}


@dataclass(frozen=True)
class Posts:
    """Sentences, the wall between those that are labelled and those under attack, and what dual encoders learn from.

    A draw takes `classes` of the authors.
    """

    corpus: Corpus
    wall: Split
    study: Corpus
    classes: int

    @property
    def authors(self) -> list[str]:
        """Who wrote each sentence."""
        return self.corpus.attributes["author"]

    def labelled(self, given: Vectors | Sequence[str]) -> Labelled:
        """With vectors, or with the texts themselves."""
        return Labelled(given, self.authors, self.corpus.documents, self.wall, TARGETS)


def read_posts(run: Run[Sizes], section: str) -> Posts:
    """Half of the documents for the dual encoders; the other half is parted again, author by author.

    Posts of a newsgroup are without quotes and signatures, and a thread is one document.
    """
    corpus = load_corpus(CORPORA[section])
    if "subject" in corpus.attributes:
        threads = [thread(subject) for subject in corpus.attributes["subject"]]
        corpus = replace(corpus, texts=own_texts(corpus.texts, corpus.attributes["author"]), documents=threads)
    halves = split_documents(corpus.documents, 0.5, stream(run.seed, "split"))
    held = _frequent(corpus.take(halves.target)).sentences(SHORTEST, LONGEST)
    wall = split_by_author(held.attributes["author"], held.documents, stream(run.seed, "wall"))
    kept, sides = _pooled(held, wall, run)
    authors = len(set(kept.attributes["author"]))
    return Posts(kept, sides, _studied(corpus.take(halves.auxiliary), run), round(0.75 * authors))


def _frequent(corpus: Corpus) -> Corpus:
    """Where posts are short, those whose author wrote a few."""
    if "subject" not in corpus.attributes:
        return corpus
    written: dict[str, list[int]] = defaultdict(list)
    for row, author in enumerate(corpus.attributes["author"]):
        written[author].append(row)
    return corpus.take(sorted(row for rows in written.values() if len(rows) >= FEWEST_POSTS for row in rows))


def _pooled(corpus: Corpus, wall: Split, run: Run[Sizes]) -> tuple[Corpus, Split]:
    """Sentences of each author on either side of the wall, of those who have enough on both."""
    rng = stream(run.seed, "pool")
    sides = [_by_author(corpus, rng.permutation(rows).tolist()) for rows in (wall.auxiliary, wall.target)]
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


def _studied(corpus: Corpus, run: Run[Sizes]) -> Corpus:
    """Documents in random order, until there are words enough."""
    order = stream(run.seed, "study").permutation(len(corpus))
    words = np.cumsum([count_words(corpus.texts[row]) for row in order])
    enough = int(np.searchsorted(words, STUDIED_WORDS * run.sizes.documents)) + 1
    return replace(corpus.take(sorted(order[:enough].tolist())), attributes={})
