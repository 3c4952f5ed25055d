"""What an audit would ask of an encoder elsewhere, told before anything is sent: as many texts, of the same lengths."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

import numpy as np

from vestige.attacks.guided.inverter import LEXICON
from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.keywords.inference import SUBSTITUTED
from vestige.audit.settings import EXTERNAL, MADE_UP, MOST_KEYWORDS, MOST_SWAPPED, RECORDS, Settings
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.text.personal import held_patterns


def to_be_asked(truth: Corpus, own: Sequence[Corpus], settings: Settings) -> list[str]:
    """Texts such as each probe may ask. All are made different, since an estimate counts a text once."""
    return [
        *_sentences(truth, settings),
        *_single_words(own),
        *_numbered(own[0].texts, _substituted(own[0], settings), "with keywords"),
        *(_numbered(own[1].texts, _external(settings), "with a keyword") if len(own) > 1 else ()),
        *_numbered(truth.texts, MOST_SWAPPED, "with a name"),
        *_records(truth, settings),
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
