"""Documents that an encoder was trained on, according to its owner, and documents that it was not."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vestige.case.case import NOT_NAMED, Missing, Training
from vestige.case.inputs import Inputs
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.text.words import count_words, words
from vestige.types import Encoder

MOST_DOCUMENTS, MOST_SENTENCES = 300, 20
LABELLED, FEWEST_LABELLED = 0.1, 10
"""The share of documents whose membership the adversary knows, and the fewest of each side."""
FEWEST = FEWEST_LABELLED + FEWEST_DOCUMENTS

LONG, SHORT, ENOUGH = 5, 2, 100
"""Documents of five sentences reveal more than those of two; shorter ones are skipped if enough remain."""
SHARED = 0.1
"""A document that shares more of its sentences with the training data was partly trained on."""

_LEARNS_HERE = Missing(
    "the encoder is fitted on all of your texts in this run, so there is no text that it was not fitted on",
    "train it on a part of them with `vestige train`, and name that part with --trained-on",
)


def find_training(inputs: Inputs, settings: Settings) -> Training | Missing:
    """Both sides, cut into sentences, or why there are none. Too little text is refused."""
    if inputs.trained_on is None:
        return _LEARNS_HERE if _is_fitted_here(inputs.encoder) else NOT_NAMED
    assert inputs.texts is not None
    if _is_fitted_here(inputs.encoder):
        raise InputError(
            f"the encoder is fitted on {inputs.texts.name} in this run, not on {inputs.trained_on.name}; "
            "train it with `vestige train` and name it as saved:FOLDER, or remove --trained-on"
        )
    learned = _list_documents(inputs.trained_on)
    unlearned = _find_unlearned(_list_documents(inputs.texts), learned, settings.shortest)
    sides = _drop_short(learned, unlearned)
    if min(map(len, sides)) < FEWEST:
        raise InputError(
            f"{inputs.trained_on.name} gives {len(sides[0])} documents of {SHORT} sentences or more, and "
            f"{inputs.texts.name} {len(sides[1])} that share nothing with them; expected at least {FEWEST} of each; "
            "give more with --trained-on, and texts that it was not trained on with --texts"
        )
    return _draw_training(sides, inputs.trained_on.name, settings.seed)


def _is_fitted_here(encoder: Encoder | None) -> bool:
    """Whether the encoder is fitted in this run, since its spec names no corpus."""
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    return isinstance(inner, LearnedEncoder) and "@" not in inner.name


def _list_documents(corpus: Corpus) -> list[tuple[str, ...]]:
    """The sentences of each document in order, without duplicate documents."""
    by_document: dict[str, list[str]] = defaultdict(list)
    sentences = corpus.sentences()
    for name, text in zip(sentences.documents, sentences.texts, strict=True):
        by_document[name].append(text)
    return list(dict.fromkeys(map(tuple, by_document.values())))


def _find_unlearned(
    documents: Sequence[tuple[str, ...]], learned: Sequence[tuple[str, ...]], shortest: int
) -> list[tuple[str, ...]]:
    """Documents that share at most a tenth of their sentences with the training data; short sentences do not count."""

    def list_sentences(document: tuple[str, ...]) -> list[tuple[str, ...]]:
        return [tuple(words(text)) for text in document if count_words(text) >= shortest]

    known, whole = {sentence for document in learned for sentence in list_sentences(document)}, set(learned)
    return [
        document
        for document in documents
        if document not in whole and sum(each in known for each in list_sentences(document)) <= SHARED * len(document)
    ]


def _drop_short(*sides: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    longer = [[document for document in side if len(document) >= LONG] for side in sides]
    if min(map(len, longer)) >= ENOUGH:
        return longer
    return [[document for document in side if len(document) >= SHORT] for side in sides]


def _draw_training(sides: Sequence[Sequence[tuple[str, ...]]], source: str, seed: int) -> Training:
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
