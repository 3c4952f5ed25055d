"""Documents that an encoder learned from, by its owner's word, and documents that it did not."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vestige.case.case import NOT_NAMED, Missing, Training
from vestige.case.inputs import Inputs
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.learned import Learned
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.text.words import count_words, words
from vestige.types import Encoder

MOST_DOCUMENTS, MOST_SENTENCES = 300, 20
LABELLED, FEWEST_LABELLED = 0.1, 10
"""The share of documents of which the stranger knows whether they were learned, and the fewest of either side."""
FEWEST = FEWEST_LABELLED + FEWEST_DOCUMENTS

LONG, SHORT, ENOUGH = 5, 2, 100
"""Documents of five sentences tell more than those of two; shorter ones are left out where so many are left."""
SHARED = 0.1
"""Who shares more of the sentences with what was learned has been learned from in part."""

_LEARNS_HERE = Missing(
    "the encoder learns from all of your texts in this very run, so that there is none that it has not learned",
    "train it on a part of them with `vestige train`, and name that part with --trained-on",
)


def training_of(inputs: Inputs, settings: Settings) -> Training | Missing:
    """Both sides, cut into sentences; or why there are none. Too little of what was named is refused."""
    if inputs.trained_on is None:
        return _LEARNS_HERE if _learns_here(inputs.encoder) else NOT_NAMED
    assert inputs.texts is not None
    if _learns_here(inputs.encoder):
        raise InputError(
            f"the encoder learns from {inputs.texts.name} in this run, and not from {inputs.trained_on.name}; "
            "train it with `vestige train` and name it as saved:FOLDER, or leave --trained-on out"
        )
    learned = _documents(inputs.trained_on)
    unlearned = _apart(_documents(inputs.texts), learned, settings.shortest)
    sides = _long_enough(learned, unlearned)
    if min(map(len, sides)) < FEWEST:
        raise InputError(
            f"{inputs.trained_on.name} gives {len(sides[0])} documents of {SHORT} sentences or more, and "
            f"{inputs.texts.name} {len(sides[1])} that share nothing with them; expected at least {FEWEST} of either; "
            "give more with --trained-on, and texts that were not learned with --texts"
        )
    return _drawn(sides, inputs.trained_on.name, settings.seed)


def _learns_here(encoder: Encoder | None) -> bool:
    """Whether it is yet to learn, its spec naming no corpus."""
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    return isinstance(inner, Learned) and "@" not in inner.name


def _documents(corpus: Corpus) -> list[tuple[str, ...]]:
    """The sentences of each document in their order; of documents that are the same, the first."""
    found: dict[str, list[str]] = defaultdict(list)
    sentences = corpus.sentences()
    for name, text in zip(sentences.documents, sentences.texts, strict=True):
        found[name].append(text)
    return list(dict.fromkeys(map(tuple, found.values())))


def _apart(
    documents: Sequence[tuple[str, ...]], learned: Sequence[tuple[str, ...]], shortest: int
) -> list[tuple[str, ...]]:
    """Documents of which no more than a tenth of the sentences were learned; short sentences are everyone's."""

    def told(document: tuple[str, ...]) -> list[tuple[str, ...]]:
        return [tuple(words(text)) for text in document if count_words(text) >= shortest]

    known, whole = {sentence for document in learned for sentence in told(document)}, set(learned)
    return [
        document
        for document in documents
        if document not in whole and sum(each in known for each in told(document)) <= SHARED * len(document)
    ]


def _long_enough(*sides: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    longer = [[document for document in side if len(document) >= LONG] for side in sides]
    if min(map(len, longer)) >= ENOUGH:
        return longer
    return [[document for document in side if len(document) >= SHORT] for side in sides]


def _drawn(sides: Sequence[Sequence[tuple[str, ...]]], source: str, seed: int) -> Training:
    rng = stream(seed, "training")
    texts: list[str] = []
    names: list[str] = []
    members: list[bool] = []
    known: list[bool] = []
    for member, (side, called) in zip((True, False), zip(sides, ("learned", "other"), strict=True), strict=True):
        rows = sample_rows(range(len(side)), MOST_DOCUMENTS, rng)
        labelled = set(rng.permutation(rows)[: max(FEWEST_LABELLED, round(LABELLED * len(rows)))].tolist())
        for row in rows:
            sentences = side[row][:MOST_SENTENCES]
            texts += sentences
            names += [f"{called} {row}"] * len(sentences)
            members += [member] * len(sentences)
            known += [row in labelled] * len(sentences)
    return Training(Corpus(source, texts, names), np.array(members), np.array(known), source)
