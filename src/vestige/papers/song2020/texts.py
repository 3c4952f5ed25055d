"""The texts of the reproduction of Song and Raghunathan: who trains on what, who attacks with what (Section 6)."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from vestige.audit.randomness import stream
from vestige.errors import InputError
from vestige.papers.elsewhere import encyclopedia, first_present
from vestige.papers.table import Run
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

    An empty corpus means the first that is here: film reviews or complaints, Wikipedia or speeches.
    """

    documents: int
    same: int
    cross: int
    targets: int
    relaxed: int
    steps: int
    vocabulary: int
    epochs: int
    corpus: str = ""
    elsewhere: str = ""


SCALES = {
    "small": Sizes(
        documents=800, same=1000, cross=1000, targets=200, relaxed=20, steps=100, vocabulary=2000, epochs=10
    ),
    "full": Sizes(
        documents=8000, same=12_000, cross=12_000, targets=1000, relaxed=40, steps=1000, vocabulary=5000, epochs=10
    ),
}


@dataclass(frozen=True)
class Texts:
    """Documents the dual encoders train on, sentences under attack, and auxiliary sentences by domain."""

    study: Corpus
    targets: Corpus
    few: int
    auxiliary: dict[str, Corpus]
    differs: tuple[str, ...]

    @cached_property
    def few_targets(self) -> Corpus:
        """As many of the targets as a dear attack can take, of as many documents as there are."""
        seen: Counter[str] = Counter()
        turns = []
        for document in self.targets.documents:
            turns.append(seen[document])
            seen[document] += 1
        return self.targets.take(sorted(range(len(turns)), key=turns.__getitem__)[: self.few])


def read_texts(run: Run) -> Texts:
    """Half the documents for the encoders; of the rest, a quarter is attacked and the others are auxiliary.

    No document and no copy of a target is on two sides.
    """
    sizes: Sizes = run.sizes
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
    return Texts(own.take(halves.auxiliary), targets, sizes.relaxed, auxiliary, _differs(targets, auxiliary))


def _apart(corpus: Corpus, targets: Corpus, most: int, run: Run) -> Corpus:
    copied = set(copies(corpus.texts, targets.texts))
    rows = [row for row in range(len(corpus)) if row not in copied]
    return corpus.take(sample_rows(rows, most, stream(run.seed, "auxiliary")))


def _differs(targets: Corpus, auxiliary: dict[str, Corpus]) -> tuple[str, ...]:
    same, cross = auxiliary["same"], auxiliary["cross"]
    return (
        f"Texts: sentences of {SHORTEST} to {LONGEST} words from '{same.name}' in place of BookCorpus, and from "
        f"'{cross.name}' in place of Wikipedia.",
        f"Sizes: {len(targets):,} targets (100,000 in the paper), {len(same):,} auxiliary sentences of the same domain "
        f"(200,000) and {len(cross):,} of the other (800,000). Targets and auxiliary sentences share no document; the "
        "paper parts them by sentence.",
        "Encoders: the dual LSTM and Transformer are trained here on half the documents, with 300 and 128 dimensions "
        "(40 million sentences, 1,200 and 600 dimensions); pretrained transformers of six layers stand for BERT and "
        "ALBERT. A checkpoint you have is named with --encoder BERT=hf:FOLDER@mean.",
        "Measure: precision and recall are averages over texts, and F1 is the harmonic mean of the two, as the "
        "published F1 is. Whether the paper averages over texts or pools all words it does not say.",
    )


def white_box_differs(sizes: Sizes) -> tuple[str, ...]:
    """What the white-box tables do otherwise."""
    return (
        f"Relaxation (Equation 5) attacks {sizes.relaxed} of the targets, and by the paper's recipe takes "
        f"{sizes.steps:,} steps; the paper does not state their number. Both attacks look for the {sizes.vocabulary:,} "
        "most frequent words of the auxiliary texts. As in the paper, words are the encoder's own, stop words and "
        "pieces of words included.",
    )


def black_box_differs(sizes: Sizes) -> tuple[str, ...]:
    """What the black-box table does otherwise."""
    return (
        "Words are content words; the paper counts stop words as well, which are easy to guess and raise its figures. "
        f"The attacks look for {sizes.vocabulary:,} words, but every content word of a target counts. Multi-set "
        f"prediction by the paper's recipe trains {sizes.epochs} epochs in place of 30.",
    )
