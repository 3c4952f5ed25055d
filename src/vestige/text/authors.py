"""Who wrote what, without being told by the way: threads, quoted lines, signatures, and a wall between documents.

Two posts of one author in one thread quote each other and end on the same lines. A split between them would show how
well an encoder keeps a signature, and not how well it keeps a hand.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.text.split import Split
from vestige.text.words import words

_ANSWER = re.compile(r"^\s*(?:(?:re|fwd?|aw|sv)(?:\[\d+\]|\^\d+)?\s*:\s*)+", re.IGNORECASE)
_QUOTED = re.compile(r"^\s*(?:\w{0,4} ?[>|}]|[:#%]\s)")
_INTRODUCES = re.compile(
    r"(?:writes|wrote|says|said)(?: in [^:]*)?:?\s*$|^\s*(?:In article|Quoted from)\b", re.IGNORECASE
)
_SIGNATURE = re.compile(r"^\s*(?:--\s*$|[-_=*+~#|/\\]{8,}\s*$)")
_ADDRESS = re.compile(r"\S+@\S+\.\S+")
_LONGEST_SIGNATURE = 12


def thread(subject: str) -> str:
    """The subject without "Re:", case and white space folded: what posts of one thread share."""
    return " ".join(_ANSWER.sub("", subject).casefold().split())


def own_text(post: str) -> str:
    """A post without quoted lines, the lines that introduce them, lines with an address, and what ends it as signature.

    A signature begins at a line of two dashes, or at a ruler in the last twelve lines that hold anything.
    """
    lines = post.splitlines()
    filled = [place for place, line in enumerate(lines) if line.strip()]
    late = filled[-_LONGEST_SIGNATURE:]
    end = next((place for place in late if _SIGNATURE.match(lines[place])), len(lines))
    return "\n".join(line for line in lines[:end] if not _foreign(line)).strip()


def own_texts(posts: Sequence[str], authors: Sequence[str]) -> list[str]:
    """Posts by `own_text`; out go too the lines that hold only the author's name, and those of two of his posts."""
    bare = [own_text(post) for post in posts]
    seen: dict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
    for text, author in zip(bare, authors, strict=True):
        for line in {tuple(words(line)) for line in text.splitlines()}:
            seen[author, line] += 1
    return [
        "\n".join(line for line in text.splitlines() if _says(tuple(words(line)), author, seen)).strip()
        for text, author in zip(bare, authors, strict=True)
    ]


def split_by_author(authors: Sequence[str], documents: Sequence[str], rng: np.random.Generator) -> Split:
    """Half of every author's rows to either side, as nearly as whole documents allow.

    Documents come up at random, and each goes to the side on which its authors have fewer rows so far. A document (a
    speech, a thread) may have several authors; all of its rows stay together.
    """
    if len(authors) != len(documents):
        raise InputError(f"{len(authors)} authors but {len(documents)} documents; expected one of each a text")
    held: dict[str, list[int]] = defaultdict(list)
    for row, document in enumerate(documents):
        held[document].append(row)
    lead: dict[str, int] = defaultdict(int)
    sides: tuple[list[int], list[int]] = ([], [])
    names = sorted(held)
    for place in rng.permutation(len(names)):
        rows = held[names[place]]
        ahead = sum(lead[authors[row]] for row in rows)
        side = int(ahead > 0) if ahead else int(rng.integers(2))
        sides[side].extend(rows)
        for row in rows:
            lead[authors[row]] += 1 - 2 * side
    return Split(sorted(sides[0]), sorted(sides[1]))


def _foreign(line: str) -> bool:
    return any(pattern.search(line) for pattern in (_QUOTED, _INTRODUCES, _ADDRESS))


def _says(line: tuple[str, ...], author: str, seen: dict[tuple[str, tuple[str, ...]], int]) -> bool:
    """Whether it belongs to this text alone; a blank line parts paragraphs and stays."""
    return not line or (seen[author, line] == 1 and not set(line) <= set(words(author)))
