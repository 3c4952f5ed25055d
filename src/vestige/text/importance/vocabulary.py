"""The words whose importance is asked for (C1): nouns and verbs that are not too rare."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from vestige.errors import InputError
from vestige.text.importance.forms import forms
from vestige.text.importance.parts_of_speech import PartsOfSpeech, nouns_and_verbs, parts_of_speech_here
from vestige.text.vocabulary import Vocabulary

RAREST = 0.003
SHORTEST = 15


class EmptyVocabulary(InputError):
    """No word is left whose importance could be asked for."""


@dataclass(frozen=True)
class ImportantWords:
    """The words, most frequent first; `tagged` is False where no tagger was there to leave out all but nouns and verbs.

    The paper takes them from the whole data set, private documents included; an adversary has its own texts alone.
    """

    words: tuple[str, ...]
    tagged: bool

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        *,
        rarest: float = RAREST,
        tagger: PartsOfSpeech | None = None,
        any_kind: bool = False,
    ) -> "ImportantWords":
        """Content words in at least the share `rarest` of the texts; with a tagger, or one that is here, tagged.

        Words of `any_kind` need no tagger, which reads but a hundred texts a second.
        """
        counted = Vocabulary.build(map(frozenset, map(forms, texts)), None)
        least = max(1, ceil(rarest * len(texts)))
        common = [word for word, count in zip(counted.words, counted.counts, strict=True) if count >= least]
        tagger = None if any_kind else tagger or parts_of_speech_here()
        if tagger is not None:
            kept = nouns_and_verbs(tagger, texts)
            common = [word for word in common if word in kept]
        if not common:
            kind = "word" if tagger is None else "noun or verb"
            raise EmptyVocabulary(
                f"no {kind} stands in {least} of {len(texts)} texts; give more texts, or a lower 'rarest'"
            )
        return cls(tuple(common), tagger is not None)

    def long_enough(self, texts: Sequence[str], shortest: int = SHORTEST) -> list[int]:
        """The rows of the texts that hold at least so many of the words, each as often as it stands."""
        known = frozenset(self.words)
        return [row for row, text in enumerate(texts) if sum(form in known for form in forms(text)) >= shortest]
