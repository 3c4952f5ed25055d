"""What the benchmark of the default audit says of its lines."""

from bench.audit import _list_conclusions

LINES = [
    (2.0, "encoding"),
    (21.4, "first look at words, with 3,000 pairs: leakage at least 0.54 (0.53 to 0.55), severe"),
    (40.2, "words: leakage 0.60 (0.58 to 0.61), severe, 12 s"),
    (51.0, "keywords: leakage 0.48 (0.47 to 0.49), severe, 10 s"),
]


def test_the_first_look_and_the_finding_are_told_apart():
    first, *others = _list_conclusions(LINES)
    assert first == "  first verdict on words (a lower bound) after 21 s, the finding after 40 s"
    assert [line.split(":")[0] for line in others] == ["  after 21 s", "  after 40 s", "  after 51 s"]


def test_without_a_conclusion_nothing_is_said():
    assert list(_list_conclusions(LINES[:1])) == []
