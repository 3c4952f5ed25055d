"""What limits guided inversion: the words, their order, or the search? Only the first search is an attack.

The second knows every word of the texts. The others do too, and have a start that no adversary has: the true text with
its words shuffled, with some words replaced, or without its function words. Film reviews that are never scored, MiniLM,
20,000 pairs. `--develop N` sets the number of texts, `--queries N` the budget.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from bench.guided import describe_scores
from bench.invert import SETTINGS
from bench.recovery import ALL_WORDS, Attacked, build_attacked, read_option
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.guided.search import Search
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.encoders.memoized import Memoized
from vestige.text.words import content_words, tokenize
from vestige.types import Vectors

QUERIES, TEXTS = 300, 40
REPLACED, AMONG = 3, 2000
"""Every third word is replaced by one of the most frequent."""

Start = Callable[[list[int], GuidedInverter, np.random.Generator], list[int]]


class InformedInverter(GuidedInverter):
    """A search whose first start is made from the truth."""

    def __init__(self, truth: Sequence[str], start: Start | None, **settings: Any) -> None:
        super().__init__(**settings)
        self.truth, self.start = list(truth), start

    def _open(self, targets: Vectors) -> list[Search]:
        rng, searches = stream(0, "start"), []
        for target, text in zip(targets, self.truth, strict=True):
            made = [] if self.start is None else [tuple(self.start(list(self.lexicon_.parse(text)), self, rng))]
            searches.append(self._search(target, made))
        return searches


def run() -> Iterator[str]:
    if "--develop" not in sys.argv:
        sys.argv += ["--develop", str(TEXTS)]
    attacked, queries = build_attacked("imdb", SETTINGS), read_option("--queries", QUERIES)
    encoder = Memoized(load_encoder("minilm", precision="bf16"))
    attack = InformedInverter(attacked.texts, None, queries=queries, vocabulary_size=ALL_WORDS)
    yield f"{attacked.name}, {queries:,} queries, n {len(attacked.texts)}"
    public = attacked.public_words
    lexicons = {
        "as an adversary": public,
        "with every word of the texts in the lexicon": [*public, *chain(*map(tokenize, attacked.texts))],
    }
    for label, words in lexicons.items():
        attack.fit(attacked.pairs.vectors, attacked.pairs.texts, encoder=encoder, further_words=words)
        yield _describe(label, attack, attacked)
    starts: dict[str, Start] = {
        "from the true words in random order": _shuffle,
        "from the true text, every third word replaced": _replace,
        "from the true content words in order": _drop_function_words,
    }
    for label, start in starts.items():
        attack.start = start
        yield _describe(label, attack, attacked)


def _describe(label: str, attack: GuidedInverter, attacked: Attacked) -> str:
    guesses = attack.infer(attacked.vectors)
    cosines = [trail[-1].similarity for trail in guesses.trails]
    return f"  {label}: {describe_scores(guesses.texts, attacked.texts, attacked.documents, cosines)}"


def _shuffle(words: list[int], _attack: GuidedInverter, rng: np.random.Generator) -> list[int]:
    order: list[int] = rng.permutation(words).tolist()
    return order


def _replace(words: list[int], attack: GuidedInverter, rng: np.random.Generator) -> list[int]:
    among = min(AMONG, len(attack.lexicon_.words))
    return [word if place % REPLACED else int(rng.integers(among)) for place, word in enumerate(words)]


def _drop_function_words(words: list[int], attack: GuidedInverter, _rng: np.random.Generator) -> list[int]:
    kept = content_words(attack.lexicon_.spell(words))
    return [word for word in words if attack.lexicon_.words[word] in kept] or words
