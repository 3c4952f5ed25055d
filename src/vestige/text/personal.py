"""Numbers and dates of persons in texts, by how they are written."""

import re
from collections.abc import Sequence

FEWEST = 5

WRITTEN = {
    "birth-date": re.compile(r"\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b"),
    "phone-number": re.compile(r"(?<!\d)(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\d)"),
    "card-number": re.compile(r"(?<!\d)(?:\d{4}[ -]?){3}\d{4}(?!\d)"),
    "citizen-id": re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)"),
}
"""What shipped patterns look like in a text."""


def held_patterns(texts: Sequence[str]) -> list[str]:
    """The shipped patterns that at least five of the texts hold."""
    return [name for name, form in WRITTEN.items() if sum(map(bool, map(form.search, texts))) >= FEWEST]
