"""Questions of newcomers: the first page links to the answer, and the answer is near the place that it links to."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.unit.test_docs import slugify

DOCS = Path(__file__).parents[2] / "docs"
MINUTE = 240
"""Words that a reader manages in a minute."""


class Question(NamedTuple):
    """A question, the link of the first page that a newcomer follows, and words of the answer."""

    text: str
    link: str
    answer: str


QUESTIONS = (
    Question("Who is the attacker?", "explanation/threat-model.md", "Someone who has your vectors but not the texts"),
    Question("What does the control mean?", "", "*Control* is the same attack on shuffled data"),
    Question("How do I audit pgvector?", "tutorials/your-own-store.md", "`pgvector:postgresql://"),
    Question(
        "What does a leakage of 0.6 mean?",
        "explanation/read-a-report.md#what-does-a-leakage-of-06-mean",
        "recovers most of the meaningful words",
    ),
    Question("Which defense should I pick?", "tutorials/choose-a-defense.md", "Vestige names the cheapest defense"),
    Question(
        "What do I tell my board?", "explanation/personal-data.md#what-to-tell-the-board", "There are three options"
    ),
    Question(
        "What helps against an insider?",
        "explanation/defenses.md#recommendations",
        "an insider with pairs",
    ),
    Question("How do I put a gate into CI?", "tutorials/ci-gate.md", "`fail-on` is the gate"),
    Question(
        "Does any text leave my machine?",
        "explanation/threat-model.md#what-vestige-itself-reveals",
        "Nothing leaves the machine, unless",
    ),
    Question(
        "What do 10 million vectors need?", "scaling.md#how-much-for-10-million-vectors", "an audit reads a sample"
    ),
    Question("How do I use my own encoder, or OpenAI's?", "how-to/encode.md", "`openai:text-embedding-3-small`"),
    Question(
        "Can they get the whole text back, and up to which length?",
        "explanation/attacks/sentences.md#can-it-recover-the-whole-text",
        "The longer, the less",
    ),
)


def count_words(question: Question) -> int:
    """The words between the place that the link leads to and the answer."""
    name, _, anchor = question.link.partition("#")
    page = (DOCS / (name or "index.md")).read_text(encoding="utf-8")
    start = 0
    if anchor:
        headings = [found for found in re.finditer(r"^#+ (.*)$", page, re.MULTILINE) if slugify(found[1]) == anchor]
        start = headings[0].end()
    words = " ".join(page[start:].split())
    return len(words[: words.index(question.answer)].split())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_the_first_page_links_to_the_answer(question):
    assert f"]({question.link})" in (DOCS / "index.md").read_text(encoding="utf-8") or not question.link


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_the_answer_takes_less_than_a_minute(question):
    assert count_words(question) < MINUTE


def test_the_decision_record_lists_the_questions():
    page = (DOCS / "decisions" / "docs-site.md").read_text(encoding="utf-8")
    for question in QUESTIONS:
        assert f"| {question.text} | {1 if question.link else 0} |" in page


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_the_record_of_the_trial_has_clicks_and_words(question):
    page = (DOCS / "decisions" / "docs-site.md").read_text(encoding="utf-8")
    assert f"| {question.text} | {1 if question.link else 0} | {count_words(question)} |" in page
