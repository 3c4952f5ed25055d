"""What texts lack that probes rely on: spaces between words, capital letters, English."""

import re
from collections import Counter
from collections.abc import Sequence

from vestige.text.languages import ENGLISH, list_languages, stop_words_of
from vestige.text.words import count_words, unspaced_share, words

NO_SPACES = "written without spaces between words"

_UNSPACED = 0.3
_FEWEST_WORDS = 200
_FEWEST_CAPITALS = 0.002
"""English prose has a capital in about 30 letters; text without case has none but for a few acronyms."""

_FEWEST_STOP_WORDS = 0.12
"""About 40% of the words of English prose are stop words of English; of a related language, a few are."""

_CASED = re.compile(r"[^\W\d_]")
_SURVEYED = 2000


def is_unspaced(text: str) -> bool:
    """Whether a text is written without spaces between words, as Chinese or Thai: a clause would count as one word."""
    return unspaced_share([text]) > _UNSPACED


def lacks_capitals(texts: Sequence[str]) -> bool:
    """Whether the texts have next to no capital letters, by which names are found."""
    letters = Counter[bool]()
    for text in texts[:_SURVEYED]:
        letters.update(sign.isupper() for sign in _CASED.findall(text) if sign.isupper() or sign.islower())
    return sum(letters.values()) >= _FEWEST_WORDS and letters[True] < _FEWEST_CAPITALS * sum(letters.values())


def guess_language(texts: Sequence[str]) -> str | None:
    """The language whose stop words are most frequent, by code; "" for one that is unknown, None for too few words."""
    found = [word for text in texts[:_SURVEYED] for word in words(text) if not word.isdecimal()]
    if len(found) < _FEWEST_WORDS:
        return None
    shares = {code: sum(word in stop_words_of(code) for word in found) / len(found) for code in list_languages()}
    best = max(shares, key=lambda code: (shares[code], code == ENGLISH))
    return best if shares[best] >= _FEWEST_STOP_WORDS else ""


def describe_traits(texts: Sequence[str]) -> list[str]:
    """What the texts lack, and what that means for the probes."""
    notes = []
    if lacks_capitals(texts):
        notes.append(
            "The texts have almost no capital letters: names cannot be found in them (probe names), and "
            "formats that are written with capitals are missed (probe patterns). All other probes ignore case. "
            "Give the texts in their original case."
        )
    language = guess_language(texts)
    if language not in (ENGLISH, None):
        guessed = f" ({language})" if language else ""
        notes.append(
            f"The texts do not seem to be English{guessed}: frequent words such as articles count as content (probes "
            "words, sentences, inversions, budget), and the lists of names and of sensitive words are English (probes "
            "names, keywords). The figures of these probes are too high or too low; name your own --keywords. "
            "The probes attributes, fingerprint, membership, patterns and training need no list of words."
        )
    return notes


def explain_skipped(text: str, shortest: int, longest: float) -> str | None:
    """Why a sentence is not used; None if it is."""
    if is_unspaced(text):
        return NO_SPACES
    count = count_words(text)
    if count < shortest:
        return f"of fewer than {shortest} words"
    return f"of more than {longest:g} words" if count > longest else None
