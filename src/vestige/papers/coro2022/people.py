"""The people of Tables 5.6 and 5.7: names of the attacked domain and of another, and sentences that contain them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.coro2022.setup import CoroSizes
from vestige.papers.coro2022.texts import LONGEST, SHORTEST, load_articles
from vestige.papers.run import PaperRun
from vestige.text.corpus import Corpus
from vestige.text.names import Name, find_full_name, find_names, find_persons, last_names, names_person, swap_person
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import words

CORPUS, OWN, FOREIGN = "newsgroups", "talk.politics", "rec.sport"
OWN_NAMES, FOREIGN_NAMES = 4, 10
TEST_SHARE = 0.5
FEWEST, FEWEST_KNOWN = 10, 5


@dataclass(frozen=True)
class Swapped:
    """Test sentences with the name `put_in` where `stood` was; unchanged if the two are the same."""

    corpus: Corpus
    put_in: tuple[str, ...]
    stood: tuple[str, ...]


@dataclass(frozen=True)
class People:
    """Names of the domain under attack and of another, training sentences, and sentences under attack."""

    own: tuple[Name, ...]
    foreign: tuple[Name, ...]
    training: Corpus
    tests: dict[str, Corpus]
    """For each last name of the domain, the test sentences that contain it and no other of them."""

    def swap(self, names: Sequence[Name]) -> Swapped:
        """Every test sentence, once with each of these names."""
        rows = [
            (swap_person(text, old, new) if new != old else text, document, new.last, old.last)
            for old in self.own
            for text, document in zip(self.tests[old.last].texts, self.tests[old.last].documents, strict=True)
            for new in names
        ]
        texts, documents, put_in, stood = (list(column) for column in zip(*rows, strict=True))
        return Swapped(Corpus(self.training.name, texts, documents), tuple(put_in), tuple(stood))

    @cached_property
    def training_counts(self) -> dict[str, int]:
        """The number of training sentences that contain each name."""
        return {
            name.last: sum(names_person(text, name) for text in self.training.texts)
            for name in (*self.own, *self.foreign)
        }


def read_people(run: PaperRun[CoroSizes]) -> People:
    """The domain's sentences are attacked; the training sentences are a random sample of all other groups.

    If the sizes say `enriched`, half of the domain's documents are for training as well, and half of the training
    sentences contain one of the names, as far as there are enough.
    """
    corpus = _drop_repeated(load_articles(CORPUS).sentences(SHORTEST, LONGEST))
    own, foreign = (_select_topic(corpus, topic) for topic in (OWN, FOREIGN))
    attacked = own
    if run.sizes.enriched:
        attacked = own.take(split_documents(own.documents, TEST_SHARE, stream(run.seed, "split")).target)
    held = set(attacked.documents)
    known = corpus.take([row for row, document in enumerate(corpus.documents) if document not in held])
    names = _choose_persons(own, OWN_NAMES, known_to=known)
    outsiders = _choose_persons(foreign, FOREIGN_NAMES, unknown_to=own)
    training = _sample_training(run, known, (*names, *outsiders))
    return People(names, outsiders, training, {name.last: _select_alone(run, attacked, name, names) for name in names})


def _sample_training(run: PaperRun[CoroSizes], known: Corpus, names: Sequence[Name]) -> Corpus:
    rng = stream(run.seed, "training")
    if not run.sizes.enriched:
        return known.take(sorted(sample_rows(range(len(known)), run.sizes.named, rng)))
    naming = _find_naming(known, names)
    chosen = sample_rows(naming, run.sizes.named // 2, rng)
    others = sorted(set(range(len(known))) - set(naming))
    return known.take(sorted(chosen + sample_rows(others, run.sizes.named - len(chosen), rng)))


def _drop_repeated(corpus: Corpus) -> Corpus:
    """Each sentence once: signatures are repeated under many posts and would be on two sides."""
    first: dict[tuple[str, ...], int] = {}
    for row, text in enumerate(corpus.texts):
        first.setdefault(tuple(words(text)), row)
    return corpus.take(list(first.values()))


def _select_topic(corpus: Corpus, beginning: str) -> Corpus:
    topics = corpus.attributes["topic"]
    return corpus.take([row for row, topic in enumerate(topics) if topic.startswith(beginning)])


def _find_naming(corpus: Corpus, names: Sequence[Name]) -> list[int]:
    """The rows that contain one of the names."""
    return [
        row
        for row, text in enumerate(corpus.texts)
        if any(name.last in text.lower() and names_person(text, name) for name in names)
    ]


def _select_alone(run: PaperRun[CoroSizes], corpus: Corpus, name: Name, names: Sequence[Name]) -> Corpus:
    """Sentences that contain this name and no other, at most so many."""
    others = set(_find_naming(corpus, [other for other in names if other != name]))
    rows = [row for row in _find_naming(corpus, [name]) if row not in others]
    if not rows:
        raise InputError(f"no sentence under attack names '{name.last}' alone; take another seed, or give more texts")
    return corpus.take(sample_rows(rows, run.sizes.naming, stream(run.seed, "naming")))


def _choose_persons(
    corpus: Corpus, most: int, *, known_to: Corpus | None = None, unknown_to: Corpus | None = None
) -> tuple[Name, ...]:
    """The people named in most documents and at least ten sentences.

    With `known_to`, only names in at least five of its texts; with `unknown_to`, only names in none of its texts.
    """
    known = frozenset(find_names(unknown_to.texts, last_names())) if unknown_to else frozenset()
    used = find_persons(corpus.texts)
    found = [last for last, count in used.items() if count >= FEWEST and last not in known]
    if known_to is not None:
        found = [last for last in found if len(_find_naming(known_to, [Name(last)])) >= FEWEST_KNOWN]
    if len(found) < most:
        raise InputError(f"{len(found)} people are named in '{corpus.name}'; expected {most}; give more texts")
    documents = {last: len({corpus.documents[row] for row in _find_naming(corpus, [Name(last)])}) for last in found}
    most_named = sorted(found, key=lambda last: (-documents[last], last))[:most]
    return tuple(find_full_name(last, corpus.texts) for last in sorted(most_named))
