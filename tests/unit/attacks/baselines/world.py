"""Documents of a toy language, and how much their words matter."""

from dataclasses import dataclass

from tests.conftest import WordSum, toy_corpus
from vestige.text.importance import Importance, ImportantWords, TfidfImportance
from vestige.types import Vectors

PAIRS, EXTERNAL = 160, 120


@dataclass(frozen=True)
class World:
    vectors: Vectors
    importance: Importance
    external: Vectors
    external_importance: Importance
    targets: Vectors
    truth: Importance


def toy_world() -> World:
    texts = toy_corpus(400, seed=3).sentences(4, 40).texts
    weigher = TfidfImportance(ImportantWords.build(texts, rarest=0.01), texts)
    vectors = WordSum().encode(texts)
    weights = weigher.weigh(texts)
    known, external = slice(0, PAIRS), slice(PAIRS, PAIRS + EXTERNAL)
    return World(
        vectors[known],
        weights.take(range(PAIRS)),
        vectors[external],
        weights.take(range(PAIRS, PAIRS + EXTERNAL)),
        vectors[-200:],
        weights.take(range(len(texts) - 200, len(texts))),
    )
