"""Patterns of personal data in a cell: addresses, numbers, names; and a mask that shows the shape of a cell alone."""

import re
from collections.abc import Callable, Sequence

from vestige.text.names import find_persons
from vestige.text.patterns.load import EXPRESSIONS

MOST_WORDS = 8
BLOCK = "•••"

_INTERNATIONAL = re.compile(r"(?<![\w+])\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}(?!\w)")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_WEB = re.compile(r"\bhttps?://\S+|\bwww\.\w\S+")
_PATH = re.compile(
    r"(?:\b[A-Za-z]:\\|\\\\|(?<![\w/:.])~?/|\b(?:file|s3|gs)://)(?=[^\s]*[a-z])[\w.~-]{1,99}(?:[/\\][\w.~ -]{1,99})+"
    r"|\b[\w-]{1,99}\.(?i:pdf|docx?|xlsx?|pptx?|eml|msg|txt|csv|html?)\b"
)
_WORD = re.compile(r"[^\W\d_]+")


def _find_card(cell: str) -> str | None:
    """A card number whose check digit is right by Luhn's algorithm."""
    match = EXPRESSIONS["card-number"].search(cell)
    if match is None:
        return None
    digits = [int(digit) for digit in match[0] if digit.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return match[0] if (doubled + sum(digits[::-2])) % 10 == 0 else None


def _find_first(*patterns: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda cell: next((match[0] for pattern in patterns if (match := pattern.search(cell))), None)


def _find_path(cell: str) -> str | None:
    """A path or a file name that is not part of a web address."""
    return _find_first(_PATH)(_WEB.sub(" ", cell))


PII_PATTERNS: dict[str, Callable[[str], str | None]] = {
    "e-mail addresses": _find_first(_MAIL),
    "phone numbers": _find_first(EXPRESSIONS["phone-number"], _INTERNATIONAL),
    "card numbers": _find_card,
    "citizen ids": _find_first(EXPRESSIONS["citizen-id"]),
    "web addresses": _find_first(_WEB),
    "file paths and names": _find_path,
}
"""Each function returns the first match in a cell, or None."""


def find_person_names(cells: Sequence[str]) -> list[str | None]:
    """For each cell, a word of it that is a person's last name by the lists of `text.names`, or None."""
    names = find_persons(cells)
    return [
        next((word[0] for word in _WORD.finditer(cell) if word[0].lower() in names and word[0][0].isupper()), None)
        for cell in cells
    ]


def mask(cell: str) -> str:
    """The shape of a cell: every run of letters and digits becomes a block of one width; the first few words only."""
    words = cell.split()
    return re.sub(r"\w+", BLOCK, " ".join(words[:MOST_WORDS])) + (" ..." if len(words) > MOST_WORDS else "")
