"""What tells of a person by how it is written: addresses, numbers, names; and how to show it without telling."""

import re
from collections.abc import Callable, Sequence

from vestige.text.names import persons_used
from vestige.text.personal import WRITTEN

MOST_WORDS = 8
BLOCK = "•••"

_ABROAD = re.compile(r"(?<![\w+])\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}(?!\w)")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_WEB = re.compile(r"\bhttps?://\S+|\bwww\.\w\S+")
_PATH = re.compile(
    r"(?:\b[A-Za-z]:\\|\\\\|(?<![\w/:.])~?/|\b(?:file|s3|gs)://)(?=[^\s]*[a-z])[\w.~-]{1,99}(?:[/\\][\w.~ -]{1,99})+"
    r"|\b[\w-]{1,99}\.(?i:pdf|docx?|xlsx?|pptx?|eml|msg|txt|csv|html?)\b"
)
_WORD = re.compile(r"[^\W\d_]+")


def _card(cell: str) -> str | None:
    """A number of a card, whose last digit is right by Luhn's rule."""
    found = WRITTEN["card-number"].search(cell)
    if found is None:
        return None
    digits = [int(digit) for digit in found[0] if digit.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return found[0] if (doubled + sum(digits[::-2])) % 10 == 0 else None


def _by(*forms: re.Pattern[str]) -> Callable[[str], str | None]:
    return lambda cell: next((found[0] for form in forms if (found := form.search(cell))), None)


KINDS: dict[str, Callable[[str], str | None]] = {
    "e-mail addresses": _by(_MAIL),
    "phone numbers": _by(WRITTEN["phone-number"], _ABROAD),
    "card numbers": _card,
    "citizens' numbers": _by(WRITTEN["citizen-id"]),
    "web addresses": _by(_WEB),
    "paths and names of files": lambda cell: _by(_PATH)(_WEB.sub(" ", cell)),
}
"""Each finds the first of its kind in a cell."""


def persons_in(cells: Sequence[str]) -> list[str | None]:
    """For each cell a word of it that is the last name of a person, by the lists of `text.names`; None without."""
    used = persons_used(cells)
    return [
        next((found[0] for found in _WORD.finditer(cell) if found[0].lower() in used and found[0][0].isupper()), None)
        for cell in cells
    ]


def masked(cell: str) -> str:
    """The shape of a cell: each run of letters and digits a block of one width, the first few of them."""
    shown = " ".join(cell.split()[:MOST_WORDS])
    return re.sub(r"\w+", BLOCK, shown) + (" ..." if len(cell.split()) > MOST_WORDS else "")
