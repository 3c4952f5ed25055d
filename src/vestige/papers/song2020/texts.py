"""The texts of the reproduction of Song and Raghunathan: who trains on what, who attacks with what (Section 6)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from vestige.attacks.relaxed import SIDE_BY_SIDE
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.papers.elsewhere import encyclopedia, first_present
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.split import copies, sample_rows, split_documents

SHORTEST, LONGEST = 4, 40
TARGET_SHARE = 0.25

MODELS = {
    "LSTM": "dual:lstm",
    "Transformer": "dual:transformer",
    "BERT": "minilm@mean",
    "ALBERT": "hf:granite-30m-english@mean",
}
"""What stands for each model of the paper."""


@dataclass(frozen=True)
class Sizes:
    """Documents in use, auxiliary sentences, targets, targets and steps of the dear relaxation, words, epochs.

    For Figure 3: authors at most, and how often they are drawn. For membership: documents that word vectors learn from,
    and windows of each side by decile; how many books each part has, of how many sentences at least, and epochs to
    compare. An empty corpus means the first that is here: film reviews or complaints, Wikipedia or speeches.
    """

    documents: int
    same: int
    cross: int
    targets: int
    relaxed: int
    steps: int
    vocabulary: int
    epochs: int
    articles: int
    windows: int
    books: int
    pages: int
    memorised: tuple[int, ...]
    corpus: str = ""
    elsewhere: str = ""
    authors: int = 32
    draws: int = 5


SCALES = {
    "small": Sizes(
        documents=800,
        same=1000,
        cross=1000,
        targets=200,
        relaxed=12,
        steps=300,
        vocabulary=2000,
        epochs=10,
        articles=1500,
        windows=4000,
        books=200,
        pages=20,
        memorised=(1, 10),
    ),
    "full": Sizes(
        documents=8000,
        same=12_000,
        cross=12_000,
        targets=1000,
        relaxed=32,
        steps=600,
        vocabulary=5000,
        epochs=10,
        authors=130,
        articles=8000,
        windows=10_000,
        books=1100,
        pages=20,
        memorised=(1, 2, 5, 10),
    ),
}


@dataclass(frozen=True)
class Texts:
    """Documents the dual encoders train on, sentences under attack, and auxiliary sentences by domain."""

    study: Corpus
    targets: Corpus
    few: int
    auxiliary: dict[str, Corpus]

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""
        return [self.targets, *self.auxiliary.values()]

    def few_targets(self, lengths: Sequence[int]) -> Corpus:
        """As many of the targets as a dear attack can take, of as many documents as there are.

        They come in groups of one length, since such texts descend side by side.
        """
        chosen: list[int] = []
        for rows in self._turns():
            chosen += _grouped(rows, lengths)
        return self.targets.take(chosen[: self.few])

    def _turns(self) -> list[list[int]]:
        """Rows of targets: the first of each document, then the second of each, and so on."""
        seen: Counter[str] = Counter()
        turns: dict[int, list[int]] = defaultdict(list)
        for row, document in enumerate(self.targets.documents):
            turns[seen[document]].append(row)
            seen[document] += 1
        return list(turns.values())


def _grouped(rows: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """The rows, full groups of one length first."""
    full: list[int] = []
    waiting: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        waiting[lengths[row]].append(row)
        if len(waiting[lengths[row]]) == SIDE_BY_SIDE:
            full += waiting.pop(lengths[row])
    return full + [row for group in waiting.values() for row in group]


def read_texts(run: Run[Sizes]) -> Texts:
    """Half the documents for the encoders; of the rest, a quarter is attacked and the others are auxiliary.

    No document and no copy of a target is on two sides.
    """
    sizes = run.sizes
    own = load_corpus(sizes.corpus or first_present("imdb", "complaints"))
    rng = stream(run.seed, "split")
    own = own.take(sample_rows(range(len(own)), sizes.documents, rng))
    halves = split_documents(own.documents, 0.5, rng)
    held = own.take(halves.target).sentences(SHORTEST, LONGEST)
    sides = split_documents(held.documents, TARGET_SHARE, rng)
    # In random order, so that a few of them are as good a sample as all.
    targets = held.take(rng.permutation(sample_rows(sides.target, sizes.targets, rng)).tolist())
    if not len(targets):
        raise InputError(f"{own.name} leaves no sentence of {SHORTEST} to {LONGEST} words to attack; give more texts")
    foreign = encyclopedia(sizes.elsewhere).sentences(SHORTEST, LONGEST)
    auxiliary = {
        "same": _apart(held.take(sides.auxiliary), targets, sizes.same, run),
        "cross": _apart(foreign, targets, sizes.cross, run),
    }
    return Texts(own.take(halves.auxiliary), targets, sizes.relaxed, auxiliary)


def _apart(corpus: Corpus, targets: Corpus, most: int, run: Run[Sizes]) -> Corpus:
    copied = set(copies(corpus.texts, targets.texts))
    rows = [row for row in range(len(corpus)) if row not in copied]
    return corpus.take(sample_rows(rows, most, stream(run.seed, "auxiliary")))
