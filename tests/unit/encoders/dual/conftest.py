"""Small dual encoders and toy corpora whose sentences follow each other for a reason."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from vestige.encoders.dual.encoder import DualEncoder
from vestige.encoders.dual.recipe import DualRecipe
from vestige.text.corpus import Corpus

TOPICS = 12
TEXTS = ["The ship has sailed.", "", "🙂", "sail " * 10_000, "Unheard xyzzy of plugh", "The ship has sailed."]
SMALL = {
    "lstm": replace(DualRecipe.default("lstm"), dimension=32, epochs=10, batch=100, learning_rate=1e-2),
    "transformer": replace(DualRecipe.default("transformer"), dimension=32, epochs=10, batch=100, learning_rate=5e-3),
}


def topical(documents: int, seed: int) -> Corpus:
    """Six sentences per document, all on its topic; even and odd sentences never share the topic's words."""
    rng = np.random.default_rng(seed)
    texts = []
    for topic in rng.integers(TOPICS, size=documents):
        sentences = [[f"t{topic}{'ab'[turn % 2]}{word}" for word in rng.integers(4, size=3)] for turn in range(6)]
        texts.append(" ".join(f"{' '.join(words)} filler{rng.integers(9)}.".capitalize() for words in sentences))
    return Corpus("topical", texts)


def scatter_sentences(corpus: Corpus, seed: int) -> Corpus:
    """The same sentences, each in a random document: the order carries no information."""
    sentences = corpus.sentences(1, 100)
    order = np.random.default_rng(seed).permutation(len(sentences))
    return Corpus("scattered", [sentences.texts[row] for row in order], sentences.documents)


def by_two_authors(documents: int, seed: int) -> Corpus:
    """Topical documents by two authors: one begins every sentence with "indeed", the other with "perhaps"."""
    corpus = topical(documents, seed)
    authors = [["indeed", "perhaps"][row % 2] for row in range(documents)]
    texts = [
        " ".join(f"{author.capitalize()} {sentence.lower()}." for sentence in text.rstrip(".").split(". "))
        for text, author in zip(corpus.texts, authors, strict=True)
    ]
    return Corpus("two authors", texts, attributes={"author": authors})


def gossip(documents: int, seed: int) -> Corpus:
    """Topical documents whose sentences also hold three of 40 words that have nothing to do with the topic."""
    rng = np.random.default_rng(seed)
    texts = []
    for topic in rng.integers(TOPICS, size=documents):
        sentences = [
            [
                *(f"t{topic}{'ab'[turn % 2]}{word}" for word in rng.integers(4, size=3)),
                *(f"filler{word}" for word in rng.integers(40, size=3)),
            ]
            for turn in range(6)
        ]
        texts.append(" ".join(f"{' '.join(words)}.".capitalize() for words in sentences))
    return Corpus("gossip", texts)


def mean_reciprocal_rank(encoder: DualEncoder, corpus: Corpus) -> float:
    """Of the second sentence of each document among the second sentences of all, queried with its first."""
    sentences = corpus.sentences(1, 100)
    firsts = [row for row, name in enumerate(sentences.documents) if row == 0 or name != sentences.documents[row - 1]]
    vectors = encoder.encode(sentences.texts)
    scores = vectors[firsts] @ vectors[[row + 1 for row in firsts]].T
    return float(np.mean(1 / (scores >= np.diag(scores)[:, None]).sum(axis=1)))


def fit(architecture: str, corpus: Corpus, seed: int = 0, **changed) -> DualEncoder:
    return replace(SMALL[architecture], **changed).fit(corpus, rng=np.random.default_rng(seed))


@pytest.fixture(autouse=True, scope="package")
def _one_thread():
    """A second thread slows networks this small down."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="package")
def small():
    return SMALL


@pytest.fixture(params=list(SMALL), scope="package")
def architecture(request):
    return request.param


@pytest.fixture(scope="package")
def encoder(architecture):
    return fit(architecture, topical(80, seed=1))


@pytest.fixture(scope="package")
def corpora():
    return by_two_authors(150, 0), by_two_authors(60, 1)


@pytest.fixture(scope="package")
def fitted(corpora):
    return lambda architecture="lstm", **changed: fit(architecture, corpora[0], **changed)
