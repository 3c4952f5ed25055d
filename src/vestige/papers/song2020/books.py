"""Books for membership: which an encoder learned, which it did not, and of which the adversary knows (Section 6.4)."""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from vestige.attacks.membership.neighbours import neighbours
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.elsewhere import first_present
from vestige.papers.run import Run
from vestige.papers.song2020.texts import Sizes
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.words import words
from vestige.types import Flags, Floats, Integers

LABELLED = 0.1


@dataclass(frozen=True)
class Books:
    """Books that the encoders under attack learn from, and books that those of the control learn from instead.

    `sentences` are those of the books in question, half of them learned; `members` and `taught` say of each sentence
    whether its book was learned, and whether the adversary knows.
    """

    study: Corpus
    elsewhere: Corpus
    sentences: Corpus
    members: Flags
    taught: Flags

    @property
    def asked(self) -> Corpus:
        """The sentences whose membership is asked."""
        return self.sentences.take(np.flatnonzero(~self.taught).tolist())


def read_books(run: Run[Sizes]) -> Books:
    """Three parts of as many books, no two alike: learned, not learned, and learned by the control."""
    sizes = run.sizes
    own = load_corpus(sizes.corpus or first_present("imdb", "complaints"))
    own = own.take(_long(own, sizes.pages))
    rng = stream(run.seed, "books")
    if len(own) < 3 * sizes.books:
        raise InputError(
            f"{own.name} has {len(own)} texts of {sizes.pages} sentences; figure5 needs {3 * sizes.books}; "
            "name a larger corpus, or a smaller scale"
        )
    order = rng.permutation(len(own))[: 3 * sizes.books].reshape(3, -1)
    learned, unlearned, elsewhere = (own.take(sorted(part.tolist())) for part in order)
    sentences = own.take(sorted(order[:2].ravel().tolist())).sentences()
    inside = set(learned.documents)
    known = set(_tenth(learned, rng) + _tenth(unlearned, rng))
    members, taught = (np.array([name in side for name in sentences.documents]) for side in (inside, known))
    return Books(learned, elsewhere, sentences, members, taught)


def rarity(sentences: Corpus) -> tuple[Floats, Floats]:
    """How rare the words of each pair and of each book are: minus their average count in all the sentences."""
    read = [words(text) for text in sentences.texts]
    counts = Counter(word for text in read for word in text)
    means = np.array([np.mean([counts[word] for word in text]) if text else 0.0 for text in read])
    rows = neighbours(sentences.documents)
    books = [
        np.mean([mean for _, mean in group])
        for _, group in groupby(zip(sentences.documents, means, strict=True), key=lambda row: row[0])
    ]
    return -(means[rows] + means[rows + 1]) / 2, -np.array(books)


def tenths(values: Floats, count: int = 10) -> Integers:
    """Which tenth each value is in, from 1 to 10, equal values by their order."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return (ranks * count // len(values) + 1).astype(np.int64)


def _long(corpus: Corpus, fewest: int) -> list[int]:
    """Rows of so many sentences or more, of equal texts the first."""
    counts = Counter(corpus.sentences().documents)
    first = {text: row for row, text in reversed(list(enumerate(corpus.texts)))}
    return sorted(row for row in first.values() if counts[corpus.documents[row]] >= fewest)


def _tenth(corpus: Corpus, rng: np.random.Generator) -> list[str]:
    count = max(2, round(LABELLED * len(corpus)))
    return [corpus.documents[row] for row in rng.permutation(len(corpus))[:count]]
