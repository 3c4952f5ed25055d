"""Importance by how a word stands in its document: case, place, frequency, company (YAKE)."""

from collections.abc import Sequence
from importlib.util import find_spec

from vestige.errors import MissingExtra
from vestige.text.importance.listed import tabulated
from vestige.text.importance.record import Importance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.text.words import content_form
from vestige.types import Progress, silent


class YakeImportance:
    """YAKE's score s is smaller for a better keyword; the weight is 1 / (1 + s), since the paper names none."""

    def __init__(self, vocabulary: ImportantWords, *, progress: Progress = silent) -> None:
        if find_spec("yake") is None:
            raise MissingExtra("'yake'", "importance")
        self.vocabulary = vocabulary
        self.progress = progress

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return self.vocabulary.words

    def weigh(self, texts: Sequence[str]) -> Importance:
        """The weight of each word by YAKE, one text at a time."""
        from yake import KeywordExtractor

        extractor = KeywordExtractor(n=1, dedup_lim=1, top=len(self.words) + 10_000)
        advance = self.progress("weighing words", len(texts))
        scored = []
        for text in texts:
            weights: dict[str, float] = {}
            for keyword, score in extractor.extract_keywords(text):
                if form := content_form(keyword.lower()):
                    weights[form] = max(weights.get(form, 0.0), 1 / (1 + score))
            scored.append(weights)
            advance(1)
        return tabulated(self.vocabulary, scored)
