"""Authorship without shortcuts: threads, quoted lines and signatures, and a split that separates whole documents.

Two posts of one author in one thread quote each other and end with the same lines. A split between them would measure
how well an encoder preserves a signature, not how well it preserves a style.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.text.split import Split
from vestige.text.words import words

_REPLY = re.compile(r"^\s*(?:(?:re|fwd?|aw|sv)(?:\[\d+\]|\^\d+)?\s*:\s*)+", re.IGNORECASE)
_QUOTED = re.compile(r"^\s*(?:\w{0,4} ?[>|}]|[:#%]\s)")
_ATTRIBUTION = re.compile(
    r"(?:writes|wrote|says|said)(?: in [^:]*)?:?\s*$|^\s*(?:In article|Quoted from)\b", re.IGNORECASE
)
_SIGNATURE = re.compile(r"^\s*(?:--\s*$|[-_=*+~#|/\\]{8,}\s*$)")
_ADDRESS = re.compile(r"\S+@\S+\.\S+")
_LONGEST_SIGNATURE = 12


def normalize_subject(subject: str) -> str:
    """The subject without "Re:", in folded case and with single spaces; posts of one thread share it."""
    return " ".join(_REPLY.sub("", subject).casefold().split())


def strip_quotes(post: str) -> str:
    """A post without quoted lines, the lines that introduce them, lines with an email address, and its signature.

    A signature begins with a line of two dashes or a ruler among the last twelve lines that are not blank.
    """
    lines = post.splitlines()
    filled = [place for place, line in enumerate(lines) if line.strip()]
    late = filled[-_LONGEST_SIGNATURE:]
    end = next((place for place in late if _SIGNATURE.match(lines[place])), len(lines))
    return "\n".join(line for line in lines[:end] if not _is_quoted(line)).strip()


def strip_repeated_lines(posts: Sequence[str], authors: Sequence[str]) -> list[str]:
    """Posts after `strip_quotes`, without lines shared by two posts of an author or with only the author's name."""
    stripped = [strip_quotes(post) for post in posts]
    seen: dict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
    for text, author in zip(stripped, authors, strict=True):
        for line in {tuple(words(line)) for line in text.splitlines()}:
            seen[author, line] += 1
    return [
        "\n".join(line for line in text.splitlines() if _is_unique(tuple(words(line)), author, seen)).strip()
        for text, author in zip(stripped, authors, strict=True)
    ]


def split_by_author(authors: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> Split:
    """Assign half of every author's rows to each side, as nearly as whole documents allow.

    Documents come in random order, and each goes to the side on which its authors have fewer rows so far. A document (a
    speech, a thread) may have several authors; all of its rows stay together.
    """
    if len(authors) != len(documents):
        raise InputError(f"{len(authors)} authors but {len(documents)} documents; expected one of each per text")
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, document in enumerate(documents):
        rows_of[document].append(row)
    lead: dict[str, int] = defaultdict(int)
    sides: tuple[list[int], list[int]] = ([], [])
    names = sorted(rows_of)
    for place in rng.permutation(len(names)):
        rows = rows_of[names[place]]
        ahead = sum(lead[authors[row]] for row in rows)
        side = int(ahead > 0) if ahead else int(rng.integers(2))
        sides[side].extend(rows)
        for row in rows:
            lead[authors[row]] += 1 - 2 * side
    return Split(sorted(sides[0]), sorted(sides[1]))


def _is_quoted(line: str) -> bool:
    return any(pattern.search(line) for pattern in (_QUOTED, _ATTRIBUTION, _ADDRESS))


def _is_unique(line: tuple[str, ...], author: str, seen: dict[tuple[str, tuple[str, ...]], int]) -> bool:
    """Whether only this post of the author has the line; a blank line separates paragraphs and stays."""
    return not line or (seen[author, line] == 1 and not set(line) <= set(words(author)))
