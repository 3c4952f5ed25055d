"""What was recovered of one text, compared with it: chips, marks and names."""

from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from vestige.case.findings import State
from vestige.text.names import find_names, first_names, last_names
from vestige.text.words import content_form, content_words, word_spans
from vestige.types import WordGuesses
from vestige.view.live_records import Chip, MarkedText


@dataclass(frozen=True)
class NameList:
    """Names of persons that the attacker looks for among the words it recovers: those in its own texts."""

    names: frozenset[str]

    def find_in(self, text: str) -> frozenset[str]:
        """The names in a text that somebody typed: listed names with a capital inside a sentence."""
        return frozenset(find_names([text], _list_known_names())) | (content_words(text) & self.names)


@cache
def _list_known_names() -> frozenset[str]:
    return first_names() | last_names()


def list_chips(guesses: WordGuesses, truth: frozenset[str]) -> tuple[Chip, ...]:
    """The claimed words, likeliest first, right or wrong; then the words of the text that were missed."""
    chances, claimed = dict(guesses.ranked[0]), guesses.sets[0]
    ranked = sorted(claimed, key=lambda word: (-chances.get(word, 0.0), word))
    missed = sorted(truth - claimed, key=lambda word: (-chances.get(word, 0.0), word))
    return tuple(
        [Chip(word, chances.get(word), "correct" if word in truth else "wrong") for word in ranked]
        + [Chip(word, chances.get(word), "missed") for word in missed]
    )


def mark_words(text: str, claimed: frozenset[str]) -> tuple[MarkedText, ...]:
    """The text in pieces: words that were recovered, words that were missed, and everything else."""
    text = normalize("NFC", text)
    pieces: list[MarkedText] = []
    end = 0
    for start, stop in word_spans(text):
        pieces += [MarkedText("other", text[end:start])] if start > end else []
        form = content_form(text[start:stop].lower())
        state: State = "other" if form is None else "hit" if form in claimed else "missed"
        pieces.append(MarkedText(state, text[start:stop]))
        end = stop
    return (*pieces, *([MarkedText("other", text[end:])] if end < len(text) else []))
