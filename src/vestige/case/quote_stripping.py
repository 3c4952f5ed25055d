"""What a post is labelled with is told by its own words: a sentence that it quotes has no label, no thread is parted.

Two posts of one thread quote each other. Told apart by them, authors would seem easier to tell than they are.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vestige.case.attributes import AUTHORS
from vestige.text.authors import own_text, own_texts, thread
from vestige.text.corpus import Corpus
from vestige.text.sentences import split_sentences
from vestige.text.words import words

THREADS = ("thread", "thread_id", "subject", "conversation", "conversation_id")
"""Columns that say which texts answer each other."""

WRITERS = (*AUTHORS, "poster", "posted_by", "name", "account", "handle", "user_id", "author_id")
"""Columns in which a class is a person, whose lines that come again are a signature."""

PARAGRAPH = 150
"""A line of more characters is no line of a post but a paragraph, of which one sentence may be foreign."""

TELLING = 0.1
"""Where more of the texts quote or sign, it may be told by that."""


def threads_of(corpus: Corpus) -> dict[str, set[str]]:
    """The threads of each document; none where no column names any."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in corpus.attributes:
        if name.lower() in THREADS:
            for document, subject in zip(corpus.documents, corpus.attributes[name], strict=True):
                found[document].add(thread(str(subject or document)))
    return dict(found)


def only_own(posts: Corpus, sentences: Corpus) -> Corpus:
    """Sentences of posts, without a label where the post quotes them, or signs with them."""
    if not sentences.attributes:
        return sentences
    lines, flat = [_lines(text) for text in posts.texts], [_flat(text) for text in sentences.texts]

    def said(own: Iterable[str]) -> list[bool]:
        by_document: dict[str, str] = defaultdict(str)
        for document, text in zip(posts.documents, own, strict=True):
            by_document[document] += f"{_flat(text)}\n"
        return [text in by_document[document] for text, document in zip(flat, sentences.documents, strict=True)]

    bare, attributes = said(map(own_text, lines)), {}
    for name, labels in sentences.attributes.items():
        signed = [label or "" for label in posts.attributes[name]] if name.lower() in WRITERS else None
        own = bare if signed is None else said(own_texts(lines, signed))
        attributes[name] = [label if kept else None for label, kept in zip(labels, own, strict=True)]
    return replace(sentences, attributes=attributes)


def walled(known: Corpus, attacked: Sequence[str], threads: dict[str, set[str]]) -> Corpus:
    """The stranger's texts, without labels where they are of a thread of a document under attack.

    Which thread a text is of may itself be asked, and is left to be told.
    """
    taken = {name for document in attacked for name in threads.get(document, ())}
    shared = [bool(threads.get(document, set()) & taken) for document in known.documents]
    attributes = {
        name: labels
        if name.lower() in THREADS
        else [None if out else label for label, out in zip(labels, shared, strict=True)]
        for name, labels in known.attributes.items()
    }
    return replace(known, attributes=attributes)


def quoting(texts: Sequence[str]) -> float:
    """The share of texts in which something is quoted, or that end on a signature."""
    return sum(own_text(text) != _plain(text) for text in map(_lines, texts)) / len(texts)


def _lines(post: str) -> str:
    """A paragraph has a line a sentence, unless it begins as what is quoted does: then all of it is."""
    return "\n".join(
        part
        for line in post.splitlines()
        for part in (split_sentences(line) if len(line) > PARAGRAPH and _begins_own(line) else [line])
    )


def _begins_own(line: str) -> bool:
    return bool(own_text(" ".join(line.split()[:3])))


def _plain(text: str) -> str:
    return "\n".join(text.splitlines()).strip()


def _flat(text: str) -> str:
    return f" {' '.join(words(text))} "
