"""Labels belong to a post's own words: sentences that it quotes get no label, and threads are not split.

Posts of one thread quote each other. If quotes had labels, authors would seem easier to infer than they are.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vestige.case.attributes import AUTHORS
from vestige.text.authors import normalize_subject, strip_quotes, strip_repeated_lines
from vestige.text.corpus import Corpus
from vestige.text.sentences import split_sentences
from vestige.text.words import words

THREADS = ("thread", "thread_id", "subject", "conversation", "conversation_id")
"""Columns that name the thread of a text."""

WRITERS = (*AUTHORS, "poster", "posted_by", "name", "account", "handle", "user_id", "author_id")
"""Columns in which a class is a person; lines that a person repeats are a signature."""

PARAGRAPH = 150
"""A line of more characters is a paragraph, of which single sentences may be quoted."""

MOST_QUOTED_SHARE = 0.1
"""If more of the texts quote others or are signed, an attack may rely on that."""


def find_threads(corpus: Corpus) -> dict[str, set[str]]:
    """The threads of each document; none if no column names them."""
    threads: dict[str, set[str]] = defaultdict(set)
    for name in corpus.attributes:
        if name.lower() in THREADS:
            for document, subject in zip(corpus.documents, corpus.attributes[name], strict=True):
                threads[document].add(normalize_subject(str(subject or document)))
    return dict(threads)


def strip_quoted_labels(posts: Corpus, sentences: Corpus) -> Corpus:
    """Sentences of posts, without a label if the post quotes them or signs with them."""
    if not sentences.attributes:
        return sentences
    lines, flat = [_lines(text) for text in posts.texts], [_flat(text) for text in sentences.texts]

    def said(own: Iterable[str]) -> list[bool]:
        by_document: dict[str, str] = defaultdict(str)
        for document, text in zip(posts.documents, own, strict=True):
            by_document[document] += f"{_flat(text)}\n"
        return [text in by_document[document] for text, document in zip(flat, sentences.documents, strict=True)]

    bare, attributes = said(map(strip_quotes, lines)), {}
    for name, labels in sentences.attributes.items():
        signed = [label or "" for label in posts.attributes[name]] if name.lower() in WRITERS else None
        own = bare if signed is None else said(strip_repeated_lines(lines, signed))
        attributes[name] = [label if is_own else None for label, is_own in zip(labels, own, strict=True)]
    return replace(sentences, attributes=attributes)


def hide_thread_labels(known: Corpus, attacked: Sequence[str], threads: dict[str, set[str]]) -> Corpus:
    """The adversary's texts, without labels if they are from the thread of a document under attack.

    The thread itself may be an attribute under attack, and keeps its labels.
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


def quoted_share(texts: Sequence[str]) -> float:
    """The share of texts that quote others or end with a signature."""
    return sum(strip_quotes(text) != _plain(text) for text in map(_lines, texts)) / len(texts)


def _lines(post: str) -> str:
    """Split paragraphs into one line per sentence, unless they begin like a quote: then all of it is quoted."""
    return "\n".join(
        part
        for line in post.splitlines()
        for part in (split_sentences(line) if len(line) > PARAGRAPH and _begins_own(line) else [line])
    )


def _begins_own(line: str) -> bool:
    return bool(strip_quotes(" ".join(line.split()[:3])))


def _plain(text: str) -> str:
    return "\n".join(text.splitlines()).strip()


def _flat(text: str) -> str:
    return f" {' '.join(words(text))} "
