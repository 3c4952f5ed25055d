"""The verdict: the most severe finding decides, and what was not measured is not called safe."""

from dataclasses import replace

import pytest

from tests.sample_preflight import preflighted
from tests.sample_result import CROSS_DOMAIN, finding
from vestige.audit.verdict import Scope, judge

WORDS = finding(leakage=0.457)


def test_a_finding_with_a_warning_counts_as_unknown():
    verdict = judge([replace(WORDS, warnings=("do not rely on this",))], [])
    assert verdict.level == "unknown"
    assert verdict.sentences[0] == "do not rely on this"


def test_a_finding_with_a_warning_does_not_outweigh_a_severe_one():
    quiet, doubtful = replace(WORDS, level="none"), replace(WORDS, warnings=("odd",))
    assert judge([quiet, doubtful], []).level == "unknown"
    assert judge([WORDS, doubtful], []).level == "severe"


def test_labels_alone_are_not_called_text():
    labels = replace(WORDS, probe="attributes")
    assert "infer the labels of a text" in judge([labels, replace(WORDS, level="slight")], []).headline
    assert "read much of the text" in judge([labels, WORDS], []).headline


@pytest.mark.parametrize("presence", [("membership",), ("membership-training", "fingerprint")])
def test_presence_is_not_called_text_and_hides_no_inconclusive_probe(presence):
    quiet = replace(WORDS, level="none")
    stored = [replace(quiet, probe=name, level="slight") for name in presence]
    assert "not what a text says" in judge([quiet, *stored], []).headline
    assert "a little of the text" in judge([replace(quiet, level="slight"), *stored], []).headline
    assert judge([replace(quiet, level="unknown"), *stored], []).level == "unknown"
    assert judge([replace(quiet, level="severe"), *stored], []).level == "severe"


def test_if_no_probe_of_content_ran_the_level_is_unknown():
    stored = replace(WORDS, probe="membership", level="slight")
    verdict = judge([stored], [CROSS_DOMAIN])
    assert verdict.level == "unknown"
    assert verdict.headline == "What a stranger could recover of the texts was not measured."
    assert CROSS_DOMAIN.remedy in verdict.sentences[-2]


def test_without_findings_every_probe_is_listed_with_its_reason():
    verdict = judge([], [CROSS_DOMAIN])
    assert verdict.level == "unknown"
    assert verdict.sentences[0] == f"Not answered: {CROSS_DOMAIN.question} ({CROSS_DOMAIN.reason})"


def test_plaintext_stored_with_the_vectors_comes_first():
    sentences = judge([WORDS], [], preflighted()).sentences
    assert sentences[0].endswith("contains plain text.")
    assert sentences[1] == WORDS.summary


def test_a_verdict_on_some_questions_says_so():
    scope = Scope(1, ("names", "words"), ("Skipped: 3 of 9 texts: 3 of fewer than 8 words.",))
    verdict = judge([finding(leakage=0.1)], [], None, scope)
    assert verdict.headline == f"Judged by the 1 question asked: {_lower(judge([finding(leakage=0.1)], []).headline)}"
    assert (
        "Not asked: names, words. Run without --probe, or with --preset standard, to ask everything."
        in verdict.sentences
    )
    assert verdict.sentences[-2] == scope.notes[0]
    assert judge([finding(leakage=0.1)], [], None, Scope(3)).headline == judge([finding(leakage=0.1)], []).headline


def _lower(sentence):
    return sentence[0].lower() + sentence[1:]


def test_an_audit_that_has_not_finished_says_so_first():
    pending = Scope(8, (), (), ("names",))
    headline = judge([WORDS], [], scope=pending).headline
    assert headline.startswith("Incomplete: judged by 7 of the 8 questions asked: whoever holds these vectors")
    assert judge([WORDS], [], scope=Scope(8)).headline.startswith("Whoever holds these vectors")
    narrow = Scope(2, ("names",), (), ("budget",))
    assert judge([WORDS], [], scope=narrow).headline.startswith(
        "Incomplete: judged by 1 of the 2 questions asked: whoever"
    )
