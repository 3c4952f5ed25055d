"""What an audit would ask of an encoder elsewhere, told before anything is sent: as many texts, of the same lengths."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

import numpy as np

from vestige.attacks.guided.inverter import LEXICON
from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.keywords.inference import SUBSTITUTED
from vestige.case.case import Missing, Training
from vestige.case.settings import (
    ASKED_FOR,
    EXTERNAL,
    MADE_UP,
    MOST_KEYWORDS,
    MOST_SWAPPED,
    NOT_THERE,
    RECORDS,
    Settings,
)
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.text.personal import held_patterns
from vestige.text.variants import VARIANTS


def to_be_asked(truth: Corpus, own: Sequence[Corpus], training: Training | Missing, settings: Settings) -> list[str]:
    """Texts such as each probe may ask. All are made different, since an estimate counts a text once."""
    return [
        *_sentences(truth, settings),
        *_single_words(own),
        *_numbered(own[0].texts, _substituted(own[0], settings), "with keywords"),
        *(_numbered(own[1].texts, _external(settings), "with a keyword") if len(own) > 1 else ()),
        *_numbered(truth.texts, MOST_SWAPPED, "with a name"),
        *_records(truth, settings),
        *_store(truth, own[0]),
        *(training.sentences.texts if isinstance(training, Training) else ()),
    ]


def _sentences(truth: Corpus, settings: Settings) -> Iterator[str]:
    for text in truth.texts[: settings.rewritten]:
        yield from (f"{text} {n}" for n in range(settings.queries or 0))


def _single_words(own: Sequence[Corpus]) -> Iterator[str]:
    """The stranger asks the words of its own texts once to read words, and once more to write sentences."""
    for corpus in own:
        for word in Lexicon.build(corpus.texts, LEXICON).words:
            yield from (word, f"{word}.")


def _substituted(own: Corpus, settings: Settings) -> int:
    """As published, every text is asked once more for each keyword."""
    return SUBSTITUTED if settings.recipe == "default" else len(own) * (len(settings.keywords) or MOST_KEYWORDS)


def _external(settings: Settings) -> int:
    return EXTERNAL * (1 + (len(settings.keywords) or MOST_KEYWORDS))


def _numbered(texts: Sequence[str], count: int, mark: str) -> Iterator[str]:
    yield from (f"{text} {mark} {n}" for n, text in enumerate(islice(cycle(texts), count)))


def _records(truth: Corpus, settings: Settings) -> Iterator[str]:
    for name in settings.patterns or held_patterns(truth.texts):
        yield from load_pattern(name).generate(MADE_UP + RECORDS, np.random.default_rng(0)).texts


def _store(truth: Corpus, own: Corpus) -> Iterator[str]:
    """Members and others, each in every variant, and near copies of either; the control asks for no other texts."""
    asked = min(2 * ASKED_FOR, len(truth))
    yield from _numbered(truth.texts, len(VARIANTS) * asked + min(2 * ASKED_FOR, len(truth) - asked), "in a store")
    yield from _numbered(own.texts, min(NOT_THERE, len(own)), "not in a store")
