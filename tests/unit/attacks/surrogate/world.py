"""Documents on topics, and two toy encoders that agree on nothing but the words: other vectors, and a bend."""

from functools import cache
from zlib import crc32

import numpy as np

from tests.conftest import SYLLABLES, WordSum
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.encoders.metered import Metered
from vestige.metrics.keyword_ranking import keyword_ranking
from vestige.text.importance import ImportantWords, TfidfImportance
from vestige.text.words import words
from vestige.types import silent


class Bent:
    """The surrogate."""

    name = identity = "bent"
    dimension = 48

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        rows = np.zeros((len(texts), self.dimension))
        for row, text in enumerate(texts):
            for word in words(text):
                rows[row] += np.random.default_rng(crc32(word.encode()) + 7).standard_normal(self.dimension)
        return np.tanh(rows / np.sqrt(20)).astype(np.float32)


def on_topics(documents, seed):
    """A document has nine words of one of twenty topics of five, and three of any."""
    rng = np.random.default_rng(seed)
    lexicon = np.array([first + second + "x" for first in SYLLABLES for second in SYLLABLES])
    topics = lexicon.reshape(20, 5)
    return [
        " ".join([*rng.choice(topics[rng.integers(20)], size=9), *rng.choice(lexicon, size=3)])
        for _ in range(documents)
    ]


POOL, SECRET, EXTERNAL = on_topics(300, 3), on_topics(80, 4), on_topics(120, 5)
WEIGHER = TfidfImportance(ImportantWords.build(POOL, any_kind=True), POOL)
TARGETS = WordSum().encode(SECRET)


class Scrambled(WordSum):
    """The control: an encoder whose answers belong to other texts."""

    def encode(self, texts, *, progress=silent):
        return np.random.default_rng(0).permutation(super().encode(texts, progress=progress))


class Stretched(WordSum):
    """An encoder that puts texts far apart along three directions that say nothing of their words."""

    def encode(self, texts, *, progress=silent):
        rows = super().encode(texts, progress=progress)
        noise = [np.random.default_rng(crc32(text.encode())).standard_normal(3) for text in texts]
        along = np.random.default_rng(9).standard_normal((3, rows.shape[1])) / np.sqrt(rows.shape[1])
        return (rows + 6 * np.linalg.norm(rows, axis=1).mean() * np.array(noise) @ along).astype(np.float32)


def fitted(
    encoder=None, *, targets=TARGETS, pool=POOL, external=(), validation=(), weigher=WEIGHER, seed=0, **settings
):
    return SurrogateAttack(**settings).fit(
        targets,
        pool,
        validation=validation,
        encoder=encoder or Metered(WordSum(), settings.get("budget", 200)),
        surrogate=Bent(),
        weigher=weigher,
        external=external,
        rng=np.random.default_rng(seed),
    )


@cache
def usual():
    return fitted(budget=150)


def ndcg(attack, targets=TARGETS):
    found = keyword_ranking(attack.infer(targets).ranked, WEIGHER.weigh(SECRET), rng=np.random.default_rng(0))
    return found[5].ndcg.value
