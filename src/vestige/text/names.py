"""Personal names in texts: which words are names, whose they are, and a text with another person in it (R6)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from vestige.text.named import DATA

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_OPENING = re.compile(r"(?:^|[.!?:;\"“”(\n])\W*$")
_MOST_LOWER = 0.1
_FEWEST_FIRST = 0.1


@dataclass(frozen=True, slots=True)
class Name:
    """A person, by last name and, where it is known, first name. Lower-cased."""

    last: str
    first: str | None = None


@cache
def first_names() -> frozenset[str]:
    """The frequent first names of the US census of 1990, as packed in `names` 0.3.0; public domain."""
    return _listed("first_names")


@cache
def last_names() -> frozenset[str]:
    """The frequent last names of the same census."""
    return _listed("last_names")


def names_used(texts: Iterable[str], listed: Iterable[str]) -> dict[str, int]:
    """The listed names that these texts use as names, with the number of texts that hold them, most frequent first.

    A name is met with a capital inside a sentence, and in at most a tenth of its uses without one: where "will" is a
    verb, Will is nobody's name.
    """
    known = frozenset(listed)
    inside, lower, held = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        found = [(word, match) for match in _WORD.finditer(text) if (word := match[0].lower()) in known]
        held.update({word for word, _ in found})
        lower.update(word for word, match in found if match[0] == word)
        inside.update(word for word, match in found if _capital(match) and not _opens(text, match.start()))
    used = (name for name in inside if lower[name] <= _MOST_LOWER * (inside[name] + lower[name]))
    return dict(sorted(((name, held[name]) for name in used), key=lambda item: (-item[1], item[0])))


def full_name(last: str, texts: Iterable[str]) -> Name:
    """The last name with the listed first name that stands before it most often, and in a tenth of its uses."""
    used = re.compile(rf"(?:({_WORD.pattern})\s+)?(?:[A-Z]\.\s+)?\b{re.escape(last)}\b", re.IGNORECASE)
    uses = [match[1] for text in texts if last in text.lower() for match in used.finditer(text)]
    firsts = Counter(word.lower() for word in uses if word and word[0].isupper() and word.lower() in first_names())
    first, count = min(firsts.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    return Name(last, first if count and count >= _FEWEST_FIRST * len(uses) else None)


def holds(text: str, name: Name) -> bool:
    """Whether a text names this person, by the last name, with a capital."""
    return any(match[0].lower() == name.last and _capital(match) for match in _WORD.finditer(text))


def swapped(text: str, old: Name, new: Name) -> str:
    """The text with another person in it: the last name and, where it stands there, the first name, in the same case.

    A new person without a first name leaves the old one's first name out.
    """
    if old.first is not None:
        after = r"\b" if new.first else r"\b\s*"
        text = _replaced(text, rf"\b{re.escape(old.first)}{after}", new.first or "")
    return _replaced(text, rf"\b{re.escape(old.last)}\b", new.last)


def _replaced(text: str, pattern: str, new: str) -> str:
    return re.sub(pattern, lambda match: _in_case_of(match[0], new), text, flags=re.IGNORECASE)


def _in_case_of(old: str, new: str) -> str:
    if old.isupper():
        return new.upper()
    return new.title() if old[:1].isupper() else new


def _capital(match: re.Match[str]) -> bool:
    return match[0][0].isupper()


def _opens(text: str, start: int) -> bool:
    """Whether a sentence, or a quotation within it, begins here."""
    return _OPENING.search(text, max(0, start - 8), start) is not None


def _listed(name: str) -> frozenset[str]:
    lines: Sequence[str] = (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
