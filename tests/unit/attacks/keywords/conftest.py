"""A toy shadow corpus and targets of the toy language, and the accuracy of guesses on balanced sets."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.metrics.keyword_accuracy import BalancedTests, keyword_accuracy
from vestige.text.keywords import keyword_table
from vestige.types import Vectors

KEYWORDS = ("Bagix", "cofex", "dulox gigix")


@dataclass
class World:
    texts: list[str]
    vectors: Vectors
    targets: Vectors
    tests: BalancedTests

    def accuracy(self, guesses):
        return keyword_accuracy(self.tests, guesses, np.random.default_rng(0)).mean.value


@pytest.fixture(scope="package")
def world():
    """The third keyword, two words in a row, is in no shadow text and was put into every tenth target."""
    texts = toy_corpus(150, seed=1).sentences(4, 40).texts
    targets = toy_corpus(400, seed=2).sentences(4, 40).texts
    targets = [f"Dulox gigix {text}" if place % 10 == 0 else text for place, text in enumerate(targets)]
    held = keyword_table(targets, KEYWORDS)
    names = [str(place) for place in range(len(targets))]
    tests = BalancedTests.draw(KEYWORDS, held, names, np.random.default_rng(3))
    return World(texts, WordSum().encode(texts), WordSum().encode(targets), tests)
