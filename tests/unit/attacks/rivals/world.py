"""Documents of a toy language, and how much their words matter."""

from dataclasses import dataclass

from tests.conftest import WordSum, toy_corpus
from vestige.text.importance.record import Importance
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import ImportantWords
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
    weigher = TfidfImportance(ImportantWords.of(texts, rarest=0.01), texts)
    vectors = WordSum().encode(texts)
    weights = weigher.weigh(texts)
    known, strange = slice(0, PAIRS), slice(PAIRS, PAIRS + EXTERNAL)
    return World(
        vectors[known],
        weights.take(range(PAIRS)),
        vectors[strange],
        weights.take(range(PAIRS, PAIRS + EXTERNAL)),
        vectors[-200:],
        weights.take(range(len(texts) - 200, len(texts))),
    )
