"""The texts of Corò's classification benchmark: titles, first sentences, whole texts, by subject (4.1.1)."""

import re
from dataclasses import dataclass

from vestige.case.randomness import stream
from vestige.papers.coro2022.representations import Sizes
from vestige.papers.coro2022.texts import articles
from vestige.papers.elsewhere import first_present
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.sentences import split_sentences
from vestige.text.split import sample_rows, split_documents

TEST_SHARE = 0.3
FIRST = 3
VERSIONS = ("titles", "sentences", "text")

EIGHT = {
    "newsgroups": (
        "topic",
        "comp.graphics misc.forsale rec.autos rec.sport.hockey sci.med sci.space soc.religion.christian "
        "talk.politics.mideast",
    ),
    "complaints": ("product", ""),
}
"""The attribute that tells the class of a text, and the eight classes in use; all where none are named."""

_ANSWER = re.compile(r"^(?:(?:re|fwd?)\s*:\s*)+", re.IGNORECASE)


@dataclass(frozen=True)
class Classes:
    """Texts to learn from and to be tested on, in three versions, and the class of each; titles may not be there."""

    train: dict[str, Corpus]
    test: dict[str, Corpus]
    train_labels: list[str]
    test_labels: list[str]
    name: str

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""
        return [*self.train.values(), *self.test.values()]


def read_classes(run: Run[Sizes]) -> Classes:
    """So many texts a class, 30% of them for the test, class by class; posts of one thread are on one side."""
    name = run.sizes.corpus or first_present("newsgroups", "complaints")
    attribute, chosen = EIGHT[name]
    corpus = articles(name)
    labels = corpus.attributes[attribute]
    titles = [_ANSWER.sub("", subject.strip()) for subject in corpus.attributes.get("subject", [])]
    threads = [title.lower() for title in titles] or corpus.documents
    train: list[int] = []
    test: list[int] = []
    for label in chosen.split() or sorted(set(labels)):
        rng = stream(run.seed, f"classes {label}")
        rows = sample_rows([row for row, found in enumerate(labels) if found == label], run.sizes.per_class, rng)
        sides = split_documents([threads[row] for row in rows], TEST_SHARE, rng)
        train += [rows[place] for place in sides.auxiliary]
        test += [rows[place] for place in sides.target]
    return Classes(
        _versions(corpus, titles, threads, train),
        _versions(corpus, titles, threads, test),
        [labels[row] for row in train],
        [labels[row] for row in test],
        name,
    )


def _versions(corpus: Corpus, titles: list[str], threads: list[str], rows: list[int]) -> dict[str, Corpus]:
    documents = [threads[row] for row in rows]
    heads = [titles[row] if titles else "" for row in rows]
    bodies = [corpus.texts[row] for row in rows]
    firsts = [" ".join(split_sentences(body)[:FIRST]) for body in bodies]

    def version(texts: list[str]) -> Corpus:
        return Corpus(corpus.name, [" ".join(text.lower().split()) for text in texts], documents)

    titled = {"titles": version(heads)} if titles else {}
    return titled | {
        "sentences": version([f"{head} {first}" for head, first in zip(heads, firsts, strict=True)]),
        "text": version([f"{head} {body}" for head, body in zip(heads, bodies, strict=True)]),
    }
