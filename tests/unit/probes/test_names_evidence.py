"""The evidence of the probe `names`: name by name, and names put in place of others."""

from collections import Counter

import numpy as np
import pytest

from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.probes.names_evidence import by_context, by_name, exchange_names
from vestige.types import WordGuesses, silent

SKEWED = {"smith": 100, "jones": 60, "brown": 40, "davis": 20}


class OneName:
    """Recovers one name wherever it occurs, and nothing else."""

    def __init__(self, name):
        self.name = name

    def infer(self, vectors):
        return WordGuesses([frozenset({self.name} if row[0] else ()) for row in vectors], [])


class Marking:
    """A vector says whether the name is in the text."""

    def __init__(self, name):
        self.name = name

    def encode(self, texts, **_given):
        return np.array([[self.name in text.lower()] for text in texts], np.float32)


@pytest.mark.parametrize("name", SKEWED)
def test_a_frequent_name_is_put_in_as_often_as_it_is_replaced(name):
    original = [each for each, count in SKEWED.items() for _ in range(count)]
    texts = [f"we met {each.title()} there" for each in original]
    present = [frozenset({each}) for each in original]
    pairs = Auxiliary(np.zeros((len(texts), 1), np.float32), texts, texts, "toy", 0)
    encoder, inverter = Marking(name), OneName(name)
    own = inverter.infer(encoder.encode(texts)).sets
    truth = Truth(texts, [str(row) for row in range(len(texts))])
    charts = by_context(Knowledge(pairs.vectors, pairs, encoder), truth, present, own, inverter, 0, silent)
    in_text, put_in, absent = (bar.score.value for bar in next(charts).bars)
    assert in_text == pytest.approx(SKEWED[name] / len(texts), abs=0.01)
    assert put_in == in_text
    assert absent == 0


def test_texts_exchange_names_that_neither_contains():
    own = dict(enumerate(["ann"] * 7 + ["bob"] * 2 + ["cat"]))
    present = [frozenset({name}) for name in own.values()]
    present[8] = frozenset({"bob", "ann"})
    other = exchange_names(own, present, np.random.default_rng(0))
    assert Counter(other.values()) == Counter(own[row] for row in other) == {"ann": 2, "bob": 1, "cat": 1}
    assert not any(name in present[row] for row, name in other.items())


def test_the_share_of_documents_in_which_a_name_is_recovered_by_hand():
    """`ann` is claimed in every text: right in six documents, and wrong in both texts without her."""
    present = [frozenset({"ann"})] * 6 + [frozenset({"bob"})] * 2
    chart = by_name([frozenset({"ann"})] * 8, present, [str(row) for row in range(8)], "names", show_text=False)
    (bar,) = chart.bars
    assert (bar.label, bar.score.value, bar.score.n, bar.score.baseline) == ("name 1", 1.0, 6, 1.0)
