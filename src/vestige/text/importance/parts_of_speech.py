"""Which words are nouns or verbs, where spaCy and an English model are here."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Any, Protocol

from vestige.text import tagger
from vestige.text.words import content_form

KEPT = ("NN", "VB")
"""What the tags of nouns, names and verbs begin with (Penn Treebank)."""

MOST_TAGGED = 1000
LONGEST = 2000
"""Characters of a text that are looked at."""


class PartsOfSpeech(Protocol):
    """Tells what each word of a text is."""

    def tags(self, texts: Sequence[str]) -> Iterable[list[tuple[str, str]]]:
        """Per text each word, lower-cased, with its tag."""


class SpacyPartsOfSpeech:
    """The tags of a model of spaCy."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def tags(self, texts: Sequence[str]) -> Iterable[list[tuple[str, str]]]:
        """Per text each word with its tag."""
        for tagged in self.model.pipe(texts):
            yield [(token.lower_, token.tag_) for token in tagged]


@cache
def parts_of_speech_here() -> PartsOfSpeech | None:
    """The model that is installed; None where there is none (`pip install 'vestige[tagger]'`)."""
    return None if tagger.model_here() is None else SpacyPartsOfSpeech(tagger.load_model("tok2vec", "tagger"))


def nouns_and_verbs(found: PartsOfSpeech, texts: Sequence[str]) -> Set[str]:
    """The words that are a noun or a verb at least every other time, by so many of the texts as tell.

    The paper tags each word where it stands; here a word is kept or left out as a whole, so that a thousand texts do.
    """
    every = max(1, -(-len(texts) // MOST_TAGGED))
    seen: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for text in found.tags([text[:LONGEST] for text in texts[::every]]):
        for word, tag in text:
            if form := content_form(word):
                seen[form] += 1
                kept[form] += tag.startswith(KEPT)
    return {word for word, times in seen.items() if 2 * kept[word] >= times}
