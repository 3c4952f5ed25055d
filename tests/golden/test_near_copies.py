"""Shared words over all words, by hand."""

from vestige.metrics.near_copies import find_near_copies


def test_by_hand():
    others = [{"a", "b", "c", "d"}, {"x"}]
    texts = [
        {"a", "b", "c", "d"},  # 4 of 4
        {"a", "b", "c"},  # 3 of 4: 0.75
        {"a", "b", "c", "d", "e", "f"},  # 4 of 6: 0.67
        {"y"},
    ]
    assert find_near_copies(texts, others).tolist() == [True, True, False, False]


def test_a_long_text_that_holds_a_short_one_is_no_copy():
    assert find_near_copies([{"a"}], [set("abcdefgh")]).tolist() == [False]
