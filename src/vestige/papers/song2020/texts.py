"""The texts of the inversion tables: what encoders and attacks learn from (Song and Raghunathan 2020, Section 6)."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.public_text import first_available, load_encyclopedia
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import SongSizes
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import find_copies, sample_rows, split_documents

SHORTEST, LONGEST = 4, 40
TARGET_SHARE = 0.25


@dataclass(frozen=True)
class InversionTexts:
    """Documents that train the dual encoders, sentences under attack, and auxiliary sentences by domain."""

    study: Corpus
    targets: Corpus
    few: int
    auxiliary: dict[str, Corpus]

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        return [self.targets, *self.auxiliary.values()]

    @cached_property
    def few_targets(self) -> Corpus:
        """The targets of an expensive attack, at random and from as many documents as possible.

        The first target of each document, then the second of each, and so on; targets are in random order.
        """
        seen: Counter[str] = Counter()
        turns = []
        for row, document in enumerate(self.targets.documents):
            turns.append((seen[document], row))
            seen[document] += 1
        return self.targets.take([row for _, row in sorted(turns)[: self.few]])


def read_texts(run: PaperRun[SongSizes]) -> InversionTexts:
    """Half of the documents train the encoders; of the rest, a quarter is attacked and the others are auxiliary.

    The parts share no document, and no auxiliary sentence is a copy of a target.
    """
    sizes = run.sizes
    own = load_corpus(sizes.corpus or first_available("imdb", "complaints"))
    rng = stream(run.seed, "split")
    own = own.take(sample_rows(range(len(own)), sizes.documents, rng))
    halves = split_documents(own.documents, 0.5, rng)
    held = own.take(halves.target).sentences(SHORTEST, LONGEST)
    sides = split_documents(held.documents, TARGET_SHARE, rng)
    # In random order, so that the first few are a random sample as well.
    targets = held.take(rng.permutation(sample_rows(sides.target, sizes.targets, rng)).tolist())
    if not len(targets):
        raise InputError(f"{own.name} has no target sentence of {SHORTEST} to {LONGEST} words; give more texts")
    foreign = load_encyclopedia(sizes.public_corpus).sentences(SHORTEST, LONGEST)
    auxiliary = {
        "same": _sample_apart(held.take(sides.auxiliary), targets, sizes.same, run),
        "cross": _sample_apart(foreign, targets, sizes.cross, run),
    }
    return InversionTexts(own.take(halves.auxiliary), targets, sizes.relaxed, auxiliary)


def _sample_apart(corpus: Corpus, targets: Corpus, most: int, run: PaperRun[SongSizes]) -> Corpus:
    copied = set(find_copies(corpus.texts, targets.texts))
    rows = [row for row in range(len(corpus)) if row not in copied]
    return corpus.take(sample_rows(rows, most, stream(run.seed, "auxiliary")))
