"""The grid of recovery on a toy encoder: every cell once, one search for all numbers of queries."""

import re
from dataclasses import replace

import pytest
from bench import recovery_grid
from bench.recovery import Attacked

from tests.conftest import WordSum
from vestige.case.case import Auxiliary


class CountedWords(WordSum):
    """Counts how often each text was encoded."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def encode(self, texts, **more):
        self.asked += texts
        return super().encode(texts, **more)


@pytest.fixture
def encoder(toy_pairs, monkeypatch):
    vectors, texts = toy_pairs
    pairs = Auxiliary(vectors[20:220], texts[20:220], [str(row) for row in range(20, 220)], "toys", 0)
    attacked = Attacked("toys", vectors[:20], texts[:20], [str(row) for row in range(20)], pairs)
    public = replace(attacked, pairs=pairs.take(range(100)), public_words=["unheard"])
    counted = CountedWords()
    monkeypatch.setattr(recovery_grid, "build_attacked", lambda *_: public)
    monkeypatch.setattr(recovery_grid, "_build", lambda _length: attacked)
    monkeypatch.setattr(recovery_grid, "load_encoder", lambda *_, **__: counted)
    return counted


def run(monkeypatch, *options):
    monkeypatch.setattr("sys.argv", ["bench", "recovery_grid", "--lengths", "8-16", *options])
    return list(recovery_grid.run())


def test_every_cell_is_scored_once_and_no_text_is_encoded_twice(encoder, monkeypatch):
    lines = run(monkeypatch, "--pairs", "0,50,200", "--queries", "0,10,40")
    held = ["same-domain, 50", "same-domain, 200", "cross-domain, 50", "cross-domain, 100"]
    assert [line.partition(":")[0] for line in lines] == [
        "8-16 words, 0 pairs, 0 queries",
        *(f"8-16 words, {pairs} pairs, {queries} queries" for pairs in held for queries in (0, 10, 40)),
    ]
    assert len(set(encoder.asked)) == len(encoder.asked)


@pytest.mark.usefixtures("encoder")
def test_queries_recover_more_than_guessing(monkeypatch):
    guessed, *found = run(monkeypatch, "--pairs", "200", "--queries", "10,40", "--domains", "same-domain")
    scores = [float(re.search(r"ROUGE-L ([\d.]+)", line)[1]) for line in (guessed, *found)]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0] + 0.2


def test_without_queries_the_encoder_is_not_used(encoder, monkeypatch):
    lines = run(monkeypatch, "--pairs", "50", "--queries", "0", "--domains", "same-domain")
    assert len(lines) == 2
    assert encoder.asked == []
