"""What word counts need to know of a language besides English: its stop words, and the words that elisions hide."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.words import content_words, stop_words, words

ENGLISH = "en"
Words = frozenset[str]


def list_languages() -> tuple[str, ...]:
    """The languages whose stop words are known, by code."""
    return (ENGLISH, *sorted(_read()))


def check_language(language: str) -> None:
    """Raise if the stop words of a language are not known."""
    if language not in list_languages():
        raise InputError(f"unknown language '{language}'; {nearest(language, list(list_languages()))}")


@cache
def stop_words_of(language: str) -> Words:
    """The stop words of a language."""
    check_language(language)
    return stop_words() if language == ENGLISH else frozenset(_read()[language]["stop_words"].split())


def separate_elisions(text: str, language: str) -> str:
    """The text with a space after the article or preposition that lost its vowel: "l'ispezione" as "l' ispezione".

    Without it, "l'ispezione" and "ispezione" are two words. An English text stays as it is.
    """
    check_language(language)
    return text if language == ENGLISH else _elisions_of(language).sub(r"\1' ", text)


def content_words_of(text: str, language: str) -> Words:
    """The set of content words of a text in this language: words of two and more characters, without stop words."""
    if language == ENGLISH:
        return content_words(text)
    stops = stop_words_of(language)
    found = words(separate_elisions(text, language))
    return frozenset(word for word in found if len(word) > 1 and word not in stops)


@cache
def _elisions_of(language: str) -> re.Pattern[str]:
    beginnings = "|".join(sorted(_read()[language]["elisions"].split(), key=len, reverse=True))
    return re.compile(rf"\b({beginnings})['’](?=\w)", re.IGNORECASE)


@cache
def _read() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("vestige.text").joinpath("data/languages.toml").read_text(encoding="utf-8"))
