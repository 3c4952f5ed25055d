"""Personal names in texts: find them, complete them with first names, and swap one person for another."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from vestige.text.corpora import DATA

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_OPENING = re.compile(r"(?:^|[.!?:;\"“”(\n])\W*$")
_MOST_LOWER = 0.1
_LEAST_WITH_FIRST, _MOST_BEFORE_CAPITAL = 0.1, 0.15
_FEWEST_FIRST = 0.1


@dataclass(frozen=True, slots=True)
class Name:
    """A person by last name and, where it is known, first name, both in lower case."""

    last: str
    first: str | None = None


@cache
def first_names() -> frozenset[str]:
    """The frequent first names of the US census of 1990, as packaged in `names` 0.3.0; public domain."""
    return _read_list("first_names")


@cache
def last_names() -> frozenset[str]:
    """The frequent last names of the same census."""
    return _read_list("last_names")


def find_names(texts: Iterable[str], listed: Iterable[str]) -> dict[str, int]:
    """The listed names that these texts use as names, with the number of texts that contain them, most frequent first.

    A name occurs with a capital inside a sentence, and in at most a tenth of its uses without one. Where "will" is a
    verb, Will is not a name.
    """
    known = frozenset(listed)
    inside, lower, held = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        matches = [(word, match) for match in _WORD.finditer(text) if (word := match[0].lower()) in known]
        held.update({word for word, _ in matches})
        lower.update(word for word, match in matches if match[0] == word)
        inside.update(
            word for word, match in matches if match[0][0].isupper() and not _begins_sentence(text, match.start())
        )
    used = (name for name in inside if lower[name] <= _MOST_LOWER * (inside[name] + lower[name]))
    return dict(sorted(((name, held[name]) for name in used), key=lambda item: (-item[1], item[0])))


def find_persons(texts: Sequence[str]) -> dict[str, int]:
    """The listed last names that these texts use for persons, with the number of texts that contain them.

    The name of a person follows a listed first name in at least 10% of its uses, and precedes a capitalised word in at
    most 15%. So neither Wells of Wells Fargo nor Jackson of Jackson Hole counts.
    """
    used = find_names(texts, last_names())
    uses, with_first, before_capital = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        run = [match[0] for match in _WORD.finditer(text)]
        for before, word, after in zip(["", *run], run, [*run[1:], ""], strict=False):
            name = word.lower()
            if name in used:
                uses[name] += 1
                with_first[name] += before[:1].isupper() and before.lower() in first_names()
                before_capital[name] += after[:1].isupper()
    return {
        name: count
        for name, count in used.items()
        if with_first[name] >= _LEAST_WITH_FIRST * uses[name]
        and before_capital[name] <= _MOST_BEFORE_CAPITAL * uses[name]
    }


def find_full_name(last: str, texts: Iterable[str]) -> Name:
    """The last name with the listed first name that precedes it most often, if in at least a tenth of its uses."""
    used = re.compile(rf"(?:({_WORD.pattern})\s+)?(?:[A-Z]\.\s+)?\b{re.escape(last)}\b", re.IGNORECASE)
    uses = [match[1] for text in texts if last in text.lower() for match in used.finditer(text)]
    firsts = Counter(word.lower() for word in uses if word and word[0].isupper() and word.lower() in first_names())
    first, count = min(firsts.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    return Name(last, first if count and count >= _FEWEST_FIRST * len(uses) else None)


def names_person(text: str, name: Name) -> bool:
    """Whether a text contains the last name of this person with a capital."""
    return any(match[0].lower() == name.last and match[0][0].isupper() for match in _WORD.finditer(text))


def swap_person(text: str, old: Name, new: Name) -> str:
    """Replace one person by another: the last name and, where it occurs, the first name, in the same case.

    If the new person has no first name, the old first name is removed.
    """
    if old.first is not None:
        after = r"\b" if new.first else r"\b\s*"
        text = _replace(text, rf"\b{re.escape(old.first)}{after}", new.first or "")
    return _replace(text, rf"\b{re.escape(old.last)}\b", new.last)


def _replace(text: str, pattern: str, new: str) -> str:
    return re.sub(pattern, lambda match: _match_case(match[0], new), text, flags=re.IGNORECASE)


def _match_case(old: str, new: str) -> str:
    if old.isupper():
        return new.upper()
    return new.title() if old[:1].isupper() else new


def _begins_sentence(text: str, start: int) -> bool:
    """Whether a sentence, or a quotation within one, begins here."""
    return _OPENING.search(text, max(0, start - 8), start) is not None


def _read_list(name: str) -> frozenset[str]:
    lines: Sequence[str] = (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
