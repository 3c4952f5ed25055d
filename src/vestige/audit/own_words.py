"""Who wrote a post is told by its own words: a sentence that it quotes has no author here, and no thread is parted.

Two posts of one thread quote each other. Told apart by them, authors would seem easier to tell than they are.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from vestige.audit.attributes import AUTHORS
from vestige.text.authors import own_texts, thread
from vestige.text.corpus import Corpus
from vestige.text.words import words

THREADS = ("thread", "thread_id", "subject", "conversation", "conversation_id")
"""Columns that say which texts answer each other."""


def threads_of(corpus: Corpus) -> dict[str, set[str]]:
    """The threads of each document; none where no column names any."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in corpus.attributes:
        if name.lower() in THREADS:
            for document, subject in zip(corpus.documents, corpus.attributes[name], strict=True):
                found[document].add(thread(str(subject or document)))
    return dict(found)


def only_own(posts: Corpus, sentences: Corpus) -> Corpus:
    """Sentences of posts, without an author where the post quotes them, or signs with them."""
    attributes = dict(sentences.attributes)
    for name in _authors(posts):
        own = own_texts(posts.texts, [author or "" for author in posts.attributes[name]])
        said: dict[str, str] = defaultdict(str)
        for document, text in zip(posts.documents, own, strict=True):
            said[document] += f"{_flat(text)}\n"
        attributes[name] = [
            author if _flat(text) in said[document] else None
            for author, text, document in zip(attributes[name], sentences.texts, sentences.documents, strict=True)
        ]
    return replace(sentences, attributes=attributes)


def walled(known: Corpus, attacked: Sequence[str], threads: dict[str, set[str]]) -> Corpus:
    """The stranger's texts, without an author where they are of a thread of a document under attack."""
    taken = {name for document in attacked for name in threads.get(document, ())}
    shared = [bool(threads.get(document, set()) & taken) for document in known.documents]
    attributes = dict(known.attributes)
    for name in _authors(known):
        attributes[name] = [None if out else author for author, out in zip(attributes[name], shared, strict=True)]
    return replace(known, attributes=attributes)


def _authors(corpus: Corpus) -> list[str]:
    return [name for name in corpus.attributes if name.lower() in AUTHORS]


def _flat(text: str) -> str:
    return f" {' '.join(words(text))} "
