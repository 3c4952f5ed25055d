"""The people of Tables 5.6 and 5.7: who is named in the domain under attack, who only elsewhere, and in which texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.coro2022.representations import Sizes
from vestige.papers.coro2022.texts import LONGEST, SHORTEST, articles
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.names import Name, full_name, holds, last_names, names_used, persons_used, swapped
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import words

CORPUS, OWN, FOREIGN = "newsgroups", "talk.politics", "rec.sport"
OWN_NAMES, FOREIGN_NAMES = 4, 10
TEST_SHARE = 0.5
FEWEST = 10


@dataclass(frozen=True)
class Swapped:
    """Test sentences with one name put in the place of another; where both are one, the sentence as it was."""

    corpus: Corpus
    put_in: tuple[str, ...]
    stood: tuple[str, ...]


@dataclass(frozen=True)
class People:
    """Names of the domain under attack and of another, sentences to learn from, and sentences under attack."""

    own: tuple[Name, ...]
    foreign: tuple[Name, ...]
    training: Corpus
    tests: dict[str, Corpus]
    """Per last name of the domain, the test sentences that hold it and no other of them."""

    def swapped(self, names: Sequence[Name]) -> Swapped:
        """Every test sentence once with each of these names."""
        rows = [
            (swapped(text, old, new) if new != old else text, document, new.last, old.last)
            for old in self.own
            for text, document in zip(self.tests[old.last].texts, self.tests[old.last].documents, strict=True)
            for new in names
        ]
        texts, documents, put_in, stood = (list(column) for column in zip(*rows, strict=True))
        return Swapped(Corpus(self.training.name, texts, documents), tuple(put_in), tuple(stood))

    @cached_property
    def taught(self) -> dict[str, int]:
        """In how many training sentences each name stands."""
        return {
            name.last: sum(holds(text, name) for text in self.training.texts) for name in (*self.own, *self.foreign)
        }


def read_people(run: Run[Sizes]) -> People:
    """Half of the domain's documents are attacked; the other half and all other groups are learned from.

    Half of what is learned from are sentences with one of the names, as far as there are so many.
    """
    corpus = _once(articles(CORPUS).sentences(SHORTEST, LONGEST))
    own, foreign = (_of_topic(corpus, topic) for topic in (OWN, FOREIGN))
    names = _persons(own, OWN_NAMES)
    strangers = _persons(foreign, FOREIGN_NAMES, unknown_to=own)
    tests = own.take(split_documents(own.documents, TEST_SHARE, stream(run.seed, "split")).target)
    attacked = set(tests.documents)
    known = corpus.take([row for row, document in enumerate(corpus.documents) if document not in attacked])
    naming = _naming(known, (*names, *strangers))
    rng = stream(run.seed, "training")
    chosen = sample_rows(naming, run.sizes.named // 2, rng)
    others = sorted(set(range(len(known))) - set(naming))
    training = known.take(sorted(chosen + sample_rows(others, run.sizes.named - len(chosen), rng)))
    return People(names, strangers, training, {name.last: _alone(run, tests, name, names) for name in names})


def _once(corpus: Corpus) -> Corpus:
    """Each sentence where it is first met: signatures stand under many posts, and would be on two sides."""
    first: dict[tuple[str, ...], int] = {}
    for row, text in enumerate(corpus.texts):
        first.setdefault(tuple(words(text)), row)
    return corpus.take(list(first.values()))


def _of_topic(corpus: Corpus, beginning: str) -> Corpus:
    topics = corpus.attributes["topic"]
    return corpus.take([row for row, topic in enumerate(topics) if topic.startswith(beginning)])


def _naming(corpus: Corpus, names: Sequence[Name]) -> list[int]:
    """The rows with one of the names in them."""
    return [
        row
        for row, text in enumerate(corpus.texts)
        if any(name.last in text.lower() and holds(text, name) for name in names)
    ]


def _alone(run: Run[Sizes], corpus: Corpus, name: Name, names: Sequence[Name]) -> Corpus:
    """Sentences that hold this name and no other, at most so many."""
    others = set(_naming(corpus, [other for other in names if other != name]))
    rows = [row for row in _naming(corpus, [name]) if row not in others]
    if not rows:
        raise InputError(f"no sentence under attack names '{name.last}' alone; take another seed, or give more texts")
    return corpus.take(sample_rows(rows, run.sizes.naming, stream(run.seed, "naming")))


def _persons(corpus: Corpus, most: int, *, unknown_to: Corpus | None = None) -> tuple[Name, ...]:
    """The people named in most documents and ten sentences or more; none whose name stands in the other corpus too."""
    elsewhere = frozenset(names_used(unknown_to.texts, last_names())) if unknown_to else frozenset()
    used = persons_used(corpus.texts)
    found = [last for last, count in used.items() if count >= FEWEST and last not in elsewhere]
    if len(found) < most:
        raise InputError(f"{len(found)} people are named in '{corpus.name}'; expected {most}; give more texts")
    documents = {last: len({corpus.documents[row] for row in _naming(corpus, [Name(last)])}) for last in found}
    most_named = sorted(found, key=lambda last: (-documents[last], last))[:most]
    return tuple(full_name(last, corpus.texts) for last in sorted(most_named))
