"""Paragraphs, domains and what newsgroup posts quote."""

import json
from dataclasses import replace

import pytest

from tests.unit.papers.conftest import CORO_SIZES
from vestige.errors import InputError
from vestige.papers.coro2022.texts import DomainSide, Paragraph, build_paragraphs, load_articles, read_split
from vestige.papers.run import PaperRun
from vestige.text.corpus import Corpus
from vestige.text.words import words

TEN = "one two three four five six seven eight nine ten"


@pytest.fixture(scope="module")
def coro_split():
    return read_split(PaperRun(CORO_SIZES))


def test_paragraphs_hold_128_to_168_words_of_one_document():
    sentences = [f"{TEN} number {number:03d}." for number in range(40)]
    built = build_paragraphs(Corpus("made up", [" ".join(sentences).capitalize()], ["first"]), set())
    sizes = [sum(len(word) > 1 for part in one.sentences for word in words(part)) for one in built]
    assert sizes
    assert all(128 <= size <= 168 for size in sizes)
    assert {one.document for one in built} == {"first"}
    assert built[0].sentences[0] == sentences[0]


def test_sentences_too_short_too_long_or_seen_before_are_skipped():
    repeated = " ".join([f"{TEN} again."] * 40)
    assert build_paragraphs(Corpus("made up", [repeated]), set()) == []
    assert build_paragraphs(Corpus("made up", ["Too short. " * 100, " ".join([TEN] * 20) + "."]), set()) == []


def test_words_of_one_character_do_not_make_a_sentence_longer():
    letters = [f"a b c d e f g h i word{number} other." for number in range(200)]
    assert build_paragraphs(Corpus("made up", [" ".join(letters)]), set()) == []


def test_coro_domains_share_no_sentence_and_the_test_is_its_own(coro_split):
    parts = [set(side.sentences.texts) for side in (coro_split.in_domain, coro_split.cross_domain, coro_split.test)]
    assert not parts[0] & parts[1]
    assert not parts[0] & parts[2]
    assert not parts[1] & parts[2]
    assert abs(len(coro_split.test.sentences) - 70) < 20


def test_the_seed_chooses_the_texts(coro_split):
    assert read_split(PaperRun(CORO_SIZES)).test == coro_split.test
    assert read_split(PaperRun(CORO_SIZES, seed=1)).test != coro_split.test


def test_guesses_for_sentences_are_merged_by_paragraph():
    side = DomainSide("made up", (Paragraph("x", ("one", "two")), Paragraph("y", ("three",))))
    assert side.merge_sentences([frozenset({"a"}), frozenset({"b"}), frozenset({"c"})]) == [{"a", "b"}, {"c"}]
    assert side.paragraphs.texts == ["one two", "three"]
    assert side.sentences.documents == ["x", "x", "y"]
    assert len(side.take_sentences(1).parts) == 1
    assert len(side.take_sentences(3).parts) == 2


def test_too_few_paragraphs_are_refused(monkeypatch):
    few = Corpus("few", ["word " * 10], attributes={"product": ["Credit reporting"]})
    monkeypatch.setattr("vestige.papers.coro2022.texts.load_articles", lambda _name: few)
    with pytest.raises(InputError, match="few has 0 paragraphs of 128 words"):
        read_split(PaperRun(CORO_SIZES))


def test_posts_lose_what_they_quote(monkeypatch):
    post = (
        "In article <1> me@here writes:\n> quoted line\nJoe wrote:\nmine: all of it\n  | quoted as well\nJD> and this"
    )
    posts = Corpus("newsgroups", [post], ["7"], {"topic": ["sci.med"]})
    monkeypatch.setattr("vestige.papers.coro2022.texts.load_corpus", lambda _name: posts)
    found = load_articles("newsgroups")
    assert found.texts == ["mine: all of it"]
    assert found.documents == ["sci.med/7"]


def test_lower_case_comes_after_the_split():
    sentences = [f"Dr. Smith said {TEN} {number:03d}." for number in range(30)]
    built = build_paragraphs(Corpus("made up", [" ".join(sentences)]), set())
    assert built[0].sentences[0] == sentences[0].lower()


def test_italian_elisions_are_separated():
    sentences = [
        f"l'ispezione della compagnia ha chiesto dieci milioni per {TEN} {number:03d}." for number in range(30)
    ]
    built = build_paragraphs(Corpus("made up", [" ".join(sentences)]), set(), "it")
    assert built[0].sentences[0].startswith("l' ispezione della")


def test_a_corpus_of_ones_own_names_its_domain(tmp_path):
    rows = [
        json.dumps(
            {
                "text": f"{category} {number} said {TEN}. "
                + " ".join(f"{TEN} {number} {part} {category}." for part in range(30)),
                "category": category,
            }
        )
        for category in ("Economy", "Sport")
        for number in range(20)
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(rows))
    split = read_split(PaperRun(replace(CORO_SIZES, corpus=str(path), domain="category:Econ")))
    assert split.domain == "'Econ' of news.jsonl"
    assert all("economy" in text for text in split.test.sentences.texts)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"corpus": "speeches"}, "the domain under attack in 'speeches' is ''; name a column"),
        ({"domain": "product"}, "the domain under attack in 'complaints' is 'product'; name a column"),
        ({"domain": "page:Economy"}, "corpus 'complaints' has no column 'page'; its columns: product"),
    ],
)
def test_a_domain_that_is_not_known_is_an_error(changes, message):
    with pytest.raises(InputError, match=message):
        read_split(PaperRun(replace(CORO_SIZES, **changes)))
