"""Find the parts of a text that are to be redacted: by expressions, by lists of names, by a tagger or by Presidio."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from vestige.errors import InputError, MissingExtra
from vestige.text.names import first_names, last_names
from vestige.text.tagger import find_model, load_tagger
from vestige.text.words import stop_words

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
LINK = re.compile(r"\bhttps?://\S+|\bwww\.\w\S+")
NUMBER = re.compile(r"(?<!\w)[$£€+(]?\w*\d\w*(?:[.,:/()\- ]{1,2}\w*\d\w*)*%?")

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]{2,})*")
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "prof", "sir", "madam", "dear", "hi", "hello", "regards"))
_INITIAL = re.compile(r"\s+(?:[A-Z]\.?\s+)?")
_ALSO_WORDS = frozenset(
    (
        *("will", "may", "mark", "bill", "chase", "wells"),
        *("art", "banks", "price", "best", "young", "long", "march"),
        *("april", "june", "august", "general", "major", "king"),
        *("case", "park", "hill", "rose", "grace", "faith"),
        *("hope", "joy", "sunny", "story", "love", "day"),
        *("west", "east", "north", "south", "church", "street", "lane"),
        *("court", "house", "field", "ford", "law", "page"),
        *("post", "power", "rich", "short", "sharp", "small", "still"),
        *("swift", "wise", "good", "little", "bush", "camp"),
        *("close", "cook", "cross", "dean", "fair", "fields"),
        *("forest", "frank", "free", "grant", "green", "white"),
        *("black", "brown", "gray", "stone", "wood", "worth"),
        *("pace", "star", "summer", "winter", "guy"),
        *("jewel", "christian", "precious", "royal", "prince", "duke"),
        *("american", "english"),
        *("french", "german", "call"),
    )
)
"""Listed names that are common words: these count only next to another name or after a title."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a text, by its kind."""

    kind: str
    start: int
    end: int


Detector = Callable[[Sequence[str]], list[list[Mention]]]
"""Texts to their mentions of persons, of kind `names`, and to those with a label of a tagger."""


def find_emails(text: str) -> Iterator[Mention]:
    """E-mail addresses."""
    yield from (Mention("emails", *match.span()) for match in EMAIL.finditer(text))


def find_links(text: str) -> Iterator[Mention]:
    """Web addresses."""
    yield from (Mention("links", *match.span()) for match in LINK.finditer(text))


def find_numbers(text: str) -> Iterator[Mention]:
    """Words with a digit: amounts, dates, phone and account numbers; adjacent ones are one number."""
    yield from (Mention("numbers", *match.span()) for match in NUMBER.finditer(text))


def find_listed_names(text: str) -> Iterator[Mention]:
    """Runs of capitalised words with a listed first or last name in them, or after a title.

    A listed name that is also a common word is none by itself.
    """
    for run in _list_runs(text):
        words = [match[0].lower() for match in run]
        listed = [word in first_names() or word in last_names() for word in words]
        sure = [known and word not in _ALSO_WORDS for word, known in zip(words, listed, strict=True)]
        if _follows_title(text, run[0].start()) or any(sure) or sum(listed) > 1:
            yield Mention("names", run[0].start(), run[-1].end())


def _list_runs(text: str) -> Iterator[list["re.Match[str]"]]:
    """Consecutive capitalised words, with spaces and initials alone between them; titles and stop words are none."""
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        if len(match[0]) == 1 and match[0].isupper() and match[0] != "I":
            continue  # An initial.
        capital = match[0][0].isupper() and match[0].lower() not in stop_words() | _TITLES
        apart = bool(run) and _INITIAL.fullmatch(text, run[-1].end(), match.start()) is None
        if run and (apart or not capital):
            yield run
            run = []
        run += [match] if capital else []
    if run:
        yield run


def _follows_title(text: str, start: int) -> bool:
    before = _WORD.findall(text[max(0, start - 12) : start].rstrip(" .,"))
    return bool(before) and before[-1].lower() in _TITLES


def detect_by_lists(texts: Sequence[str]) -> list[list[Mention]]:
    """Names by lists and titles."""
    return [list(find_listed_names(text)) for text in texts]


def detect_by_tagger(texts: Sequence[str]) -> list[list[Mention]]:
    """Names by lists and by the tagger; other entities by their label."""
    tagger = load_tagger()
    if tagger is None:
        raise MissingExtra("a tagger of entities", "tagger")
    listed = detect_by_lists(texts)
    tagged = [list(_locate(text, found)) for text, found in zip(texts, tagger.entities(texts), strict=True)]
    return [[*one, *other] for one, other in zip(listed, tagged, strict=True)]


def _locate(text: str, entities: Sequence[tuple[str, str]]) -> Iterator[Mention]:
    """Every place of every mention; the parts of a person's name count alone too."""
    for mention, label in dict.fromkeys(entities):
        persons = [word for word in mention.split() if len(word) > 2 and word[0].isupper()] if label == "PERSON" else []
        for part in (mention, *persons):
            for match in re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text):
                yield Mention("names" if label == "PERSON" else label, *match.span())
                if label == "PERSON":
                    yield Mention(label, *match.span())


PRESIDIO_MODEL = "en_core_web_lg"
"""The model that Presidio uses unless it is configured."""


@cache
def _load_presidio() -> Any:
    if find_spec("presidio_analyzer") is None:
        raise MissingExtra("Presidio", "presidio")
    if find_spec(PRESIDIO_MODEL) is None:
        raise InputError(
            f"Presidio needs the spaCy model {PRESIDIO_MODEL}, which it would download by itself; "
            f"get it with: python -m spacy download {PRESIDIO_MODEL}"
        )
    from presidio_analyzer import AnalyzerEngine

    return AnalyzerEngine()


PRESIDIO = {
    "PERSON": ("names", "PERSON"),
    "LOCATION": ("GPE", "LOC", "FAC"),
    "ORGANIZATION": ("ORG",),
    "NRP": ("NORP",),
    "DATE_TIME": ("DATE",),
}
"""Entities of Presidio, and the kinds that they are here."""


def detect_by_presidio(texts: Sequence[str]) -> list[list[Mention]]:
    """Names and other entities by Presidio, which loads a model of its own."""
    engine = _load_presidio()
    found = (engine.analyze(text=text, language="en", entities=list(PRESIDIO)) for text in texts)
    return [
        [Mention(kind, each.start, each.end) for each in one for kind in PRESIDIO[each.entity_type]] for one in found
    ]


DETECTORS: dict[str, Detector] = {
    "lists": detect_by_lists,
    "tagger": detect_by_tagger,
    "presidio": detect_by_presidio,
}


def load_detector(name: str, labels: Sequence[str] = ()) -> Detector:
    """The detector of a name, which must know these labels; "auto" is the tagger if there is one."""
    if name == "auto":
        name = "tagger" if labels or find_model() is not None else "lists"
    if name == "presidio":
        _check_labels_of_presidio(labels)
    if name == "lists" and labels:
        raise MissingExtra("a tagger of entities, which labels such as ORG need,", "tagger")
    if name == "tagger" and find_model() is None:
        raise MissingExtra("a tagger of entities", "tagger")
    return DETECTORS[name]


def _check_labels_of_presidio(labels: Sequence[str]) -> None:
    """Raise InputError for a label that Presidio never gives: its texts would stay as they are."""
    known = sorted(kind for kinds in PRESIDIO.values() for kind in kinds if kind != "names")
    for label in labels:
        if label not in known:
            raise InputError(f"Presidio does not find '{label}'; known: {', '.join(known)}; or use --detector tagger")
