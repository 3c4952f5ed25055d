"""A search learns from what it queries: effects, orders, and what a repeated word costs."""

from itertools import combinations

import numpy as np
import pytest

from vestige.attacks.guided import search as module
from vestige.attacks.guided.lexicon import BigramModel, WordStock
from vestige.attacks.guided.search import Search

WORDS = 70
TRUE_EFFECTS = np.random.default_rng(0).normal(size=(WORDS, 16)).astype(np.float32)


def embed(text):
    """Words by their place in the palette, which is their number and one."""
    vector = TRUE_EFFECTS[np.array(text) - 1].sum(axis=0)
    return vector / np.linalg.norm(vector)


def build_search(target, starts, effects=TRUE_EFFECTS, weight=0.0, restarts=0):
    language = BigramModel([tuple(range(start, start + 5)) for start in range(0, WORDS - 5, 5)], WORDS)
    stock = WordStock(np.vstack([effects, np.zeros_like(effects[:1])]), language)
    return Search(target, stock.palette(range(WORDS)), starts, stock, weight=weight, beam=2, restarts=restarts)


def run_round(search, left=50):
    texts = search.propose(left)
    search.update(texts, np.array([embed(text) for text in texts]))
    return texts


def test_no_text_is_queried_twice_and_the_best_never_gets_worse():
    search = build_search(embed((3, 9, 27)), [(3, 4, 5), (6, 7)])
    seen = [text for _ in range(8) for text in run_round(search)]
    assert len(seen) == len(set(seen))
    cosines = [each.cosine for each in search.trail]
    assert cosines == sorted(cosines)
    assert cosines[-1] > 0.98


def test_wrong_effects_are_corrected_by_what_is_seen():
    wrong = TRUE_EFFECTS + np.random.default_rng(1).normal(size=TRUE_EFFECTS.shape).astype(np.float32)
    search = build_search(embed((3, 9, 27, 40, 50)), [(3, 9, 27, 41, 51)], wrong)
    for _ in range(10):
        run_round(search)
    seen = [word for word, times in search.seen.items() if times > 3]
    assert len(seen) > 5

    def distance(effects):
        """By direction, since vectors of unit length do not show how long effects are."""
        true, own = TRUE_EFFECTS[np.array(seen) - 1], effects[seen]
        return 1 - np.mean((true * own).sum(axis=1) / np.linalg.norm(true, axis=1) / np.linalg.norm(own, axis=1))

    assert distance(search.palette.effects) < distance(search.stock.palette(range(WORDS)).effects)


def test_effects_of_other_searches_stay():
    search = build_search(embed((3, 9, 27)), [(3, 4, 5)])
    before = search.stock.effects.copy()
    for _ in range(4):
        run_round(search)
    np.testing.assert_array_equal(search.stock.effects, before)


def test_a_rare_word_that_is_repeated_costs_and_a_common_one_does_not():
    search = build_search(embed((3,)), [(3,)])
    once, common, rare = ((search._candidate(text, embed((3,)))).value for text in ((3, 68), (3, 3), (68, 68)))
    assert once == common == pytest.approx(rare + module.REPEATED)


def test_a_stuck_search_restarts_and_keeps_the_best():
    """The target is nothing that a text can reach."""
    target = -TRUE_EFFECTS.sum(axis=0) / np.linalg.norm(TRUE_EFFECTS.sum(axis=0))
    search = build_search(target, [(3, 4, 5, 6), (6, 7)], restarts=2)
    seen = []
    while texts := run_round(search, 3000 - search.spent):
        seen += texts
        assert search.best.value >= search.beam[0].value
    assert len(seen) == len(set(seen)) == search.spent < 3000
    cosines = [each.cosine for each in search.trail]
    assert cosines == sorted(cosines)
    assert search.restarts == 0


def test_a_restart_drops_some_words_and_starts_over():
    search = build_search(embed((3, 9, 27)), [(3, 4, 5, 6, 8, 10)], restarts=1)
    run_round(search)
    search.idle = module.SOON
    best = search.best
    texts = run_round(search)
    assert texts
    assert all(0 < len(text) < len(best.text) for text in texts)
    assert all(text in combinations(best.text, len(text)) for text in texts)
    assert {candidate.text for candidate in search.beam} <= set(texts)
    assert search.best.value >= best.value
