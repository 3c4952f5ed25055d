"""A comparison in plain words."""

import pytest

from vestige.audit.compare_wording import write_headline, write_sentences
from vestige.audit.comparison import InputChange, ProbeChange
from vestige.types import Score

SCORE = Score(0.4, 0.38, 0.42, 100, 0.0)


def change(probe, kind, *, high=0.02, paired=True, reason=""):
    difference = None if kind == "not comparable" else Score(0.0, -high, high, 100, 0.0)
    return ProbeChange(probe, "?", kind, SCORE, SCORE, difference, paired, reason)


def test_the_headline_names_what_is_worse_first():
    worse, better, open_ = change("words", "worse"), change("names", "better"), change("keywords", "undecided")
    names = ("old", "new")
    assert write_headline([worse, better, open_], names) == "'new' leaks more than 'old' in words, and less in names."
    assert write_headline([better, open_], names) == "'new' leaks less than 'old' in names."
    assert write_headline([open_], names) == "No change of the leakage from 'old' to 'new' could be shown."
    assert write_headline([change("x", "not comparable")], names) == "'old' and 'new' could not be compared."


def test_what_is_not_excluded_is_stated():
    (sentence,) = write_sentences([change("words", "undecided", high=0.031)], [])
    assert sentence == "Not excluded: an increase of words by up to 0.031."


def test_several_probes_share_one_chance_of_a_false_alarm():
    first, *_ = write_sentences([change("words", "worse"), change("names", "worse")], [])
    assert "2 comparisons at once" in first
    assert "at most 5% of cases, half of which is for words." in first
    first, *_ = write_sentences([change("patterns", "worse"), change("names", "worse")], [])
    assert "at most 5% of cases. They" in first


def test_each_reason_against_pairing_is_given_once():
    changes = [change(probe, "worse", paired=False, reason="the two audits scored different targets") for probe in "ab"]
    sentences = list(write_sentences(changes, [InputChange("seed", "0", "1"), InputChange("pairs", "1", "2")]))
    assert len(sentences) == 3
    assert "Not paired: a, b, because" in sentences[1]
    assert "(these inputs differ: seed)" in sentences[1]
    assert "The attackers differ (pairs)" in sentences[2]


@pytest.mark.parametrize(("base", "new", "named"), [("minilm", "-", True), ("minilm", "use", False)])
def test_an_encoder_that_one_attacker_lacks_is_named_and_another_encoder_is_not(base, new, named):
    sentences = " ".join(write_sentences([], [InputChange("encoder", base, new)]))
    assert ("The attackers differ (encoder)" in sentences) == named
