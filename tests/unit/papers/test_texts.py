"""Who trains on what, who is attacked with what."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import CORO_SIZES, SONG_SIZES
from vestige.errors import InputError
from vestige.papers.coro2022.classes import EIGHT, read_classes
from vestige.papers.coro2022.contest import contest, mean_words
from vestige.papers.coro2022.texts import Paragraph, Side, articles, paragraphs, read_sides
from vestige.papers.elsewhere import encyclopedia, first_present
from vestige.papers.run import Run
from vestige.papers.song2020.texts import read_texts
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words, words

TEN = "one two three four five six seven eight nine ten"


@pytest.fixture(scope="module")
def song_texts():
    return read_texts(Run(SONG_SIZES))


@pytest.fixture(scope="module")
def coro_sides():
    return read_sides(Run(CORO_SIZES))


def test_song_sides_share_no_document_and_no_text(song_texts):
    sides = [set(song_texts.study.documents), set(song_texts.targets.documents)]
    sides.append(set(song_texts.auxiliary["same"].documents))
    assert not sides[0] & sides[1]
    assert not sides[0] & sides[2]
    assert not sides[1] & sides[2]
    targets = {tuple(words(text)) for text in song_texts.targets.texts}
    for pairs in song_texts.auxiliary.values():
        assert not targets & {tuple(words(text)) for text in pairs.texts}


def test_song_sizes_are_kept(song_texts):
    assert len(song_texts.targets) == 40
    assert len(song_texts.few_targets([1] * len(song_texts.targets))) == 12
    assert {name: len(pairs) for name, pairs in song_texts.auxiliary.items()} == {"same": 100, "cross": 80}


def test_the_few_targets_are_of_as_many_documents(song_texts):
    assert len(set(song_texts.few_targets([1] * len(song_texts.targets)).documents)) == 12


def test_the_few_targets_come_in_fours_of_one_length(song_texts):
    lengths = [row % 2 for row in range(len(song_texts.targets))]
    length_of = dict(zip(song_texts.targets.texts, lengths, strict=True))
    few = [length_of[text] for text in song_texts.few_targets(lengths).texts]
    assert [len(set(few[start : start + 4])) for start in (0, 4)] == [1, 1]


def test_paragraphs_hold_128_to_168_words_of_one_document():
    sentences = [f"{TEN} number {number:03d}." for number in range(40)]
    built = paragraphs(Corpus("made up", [" ".join(sentences).capitalize()], ["first"]), set())
    sizes = [sum(len(word) > 1 for part in one.sentences for word in words(part)) for one in built]
    assert sizes
    assert all(128 <= size <= 168 for size in sizes)
    assert {one.document for one in built} == {"first"}
    assert built[0].sentences[0] == sentences[0]


def test_sentences_too_short_too_long_or_seen_before_are_passed_over():
    repeated = " ".join([f"{TEN} again."] * 40)
    assert paragraphs(Corpus("made up", [repeated]), set()) == []
    assert paragraphs(Corpus("made up", ["Too short. " * 100, " ".join([TEN] * 20) + "."]), set()) == []


def test_words_of_one_character_do_not_make_a_sentence_longer():
    letters = [f"a b c d e f g h i word{number} other." for number in range(200)]
    assert paragraphs(Corpus("made up", [" ".join(letters)]), set()) == []


def test_coro_domains_share_no_sentence_and_the_test_is_its_own(coro_sides):
    parts = [set(side.sentences.texts) for side in (coro_sides.in_domain, coro_sides.cross_domain, coro_sides.test)]
    assert not parts[0] & parts[1]
    assert not parts[0] & parts[2]
    assert not parts[1] & parts[2]
    assert abs(len(coro_sides.test.sentences) - 70) < 20


def test_the_seed_chooses_the_texts(coro_sides):
    assert read_sides(Run(CORO_SIZES)).test == coro_sides.test
    assert read_sides(Run(CORO_SIZES, seed=1)).test != coro_sides.test


def test_guesses_for_sentences_are_put_together_by_paragraph():
    side = Side("made up", (Paragraph("x", ("one", "two")), Paragraph("y", ("three",))))
    assert side.united([frozenset({"a"}), frozenset({"b"}), frozenset({"c"})]) == [{"a", "b"}, {"c"}]
    assert side.paragraphs.texts == ["one two", "three"]
    assert side.sentences.documents == ["x", "x", "y"]
    assert len(side.shortened(1).parts) == 1
    assert len(side.shortened(3).parts) == 2


def test_across_domains_only_words_of_both_vocabularies_count(coro_sides):
    run = Run(replace(CORO_SIZES, vocabulary=50))
    inside, across = (contest(run, coro_sides, section) for section in ("In-domain", "Cross-domain"))
    assert len(inside.counted) == 50
    assert across.counted < inside.counted
    truth = across.truth(coro_sides.test.sentences)
    assert all(words <= across.counted for words in truth.words)


def test_the_steps_are_the_mean_number_of_known_words():
    known = Vocabulary.build([{"bank", "river", "boat"}], 3)
    # 2, 3 and 0 words of the vocabulary, once each: 5/3 is nearest to 2.
    texts = ["the bank of the river, the bank", "bank, river, boat and zebra", "zebra"]
    assert mean_words(Corpus("made up", texts), known) == 2
    assert mean_words(Corpus("made up", ["zebra"]), known) == 1


def test_too_few_paragraphs_are_refused(monkeypatch):
    few = Corpus("few", ["word " * 10], attributes={"product": ["Credit reporting"]})
    monkeypatch.setattr("vestige.papers.coro2022.texts.articles", lambda _name: few)
    with pytest.raises(InputError, match="few has 0 paragraphs of 128 words"):
        read_sides(Run(CORO_SIZES))


def test_posts_are_read_without_what_they_quote(monkeypatch):
    post = (
        "In article <1> me@here writes:\n> quoted line\nJoe wrote:\nmine: all of it\n  | quoted as well\nJD> and this"
    )
    posts = Corpus("newsgroups", [post], ["7"], {"topic": ["sci.med"]})
    monkeypatch.setattr("vestige.papers.coro2022.texts.load_corpus", lambda _name: posts)
    found = articles("newsgroups")
    assert found.texts == ["mine: all of it"]
    assert found.documents == ["sci.med/7"]


def test_threads_are_on_one_side_and_titles_lose_their_re(monkeypatch):
    topics = EIGHT["newsgroups"][1].split()
    rows = [
        (topic, f"{'Re: ' * (number % 2)}Thread {number // 3} of {topic}") for topic in topics for number in range(30)
    ]
    posts = Corpus(
        "newsgroups",
        [f"Text {number}. More. Even more. The end." for number in range(len(rows))],
        attributes={"topic": [topic for topic, _ in rows], "subject": [subject for _, subject in rows]},
    )
    monkeypatch.setattr("vestige.papers.coro2022.classes.articles", lambda _name: posts)
    classes = read_classes(Run(replace(CORO_SIZES, corpus="newsgroups")))
    assert not set(classes.train["titles"].documents) & set(classes.test["titles"].documents)
    assert classes.train["titles"].texts[0] == "thread 0 of comp.graphics"
    assert classes.train["sentences"].texts[0].endswith("more. even more.")
    assert classes.train["text"].texts[0].endswith("the end.")
    assert set(classes.train_labels) == set(classes.test_labels) == set(topics)


def test_the_shipped_corpus_stands_in_where_the_other_is_not_here(monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    assert first_present("imdb", "complaints") == "complaints"
    assert encyclopedia().name == "speeches"


def test_paragraphs_from_elsewhere_are_spread_over_the_whole():
    some = encyclopedia("speeches", 50)
    assert len(some) == 50
    assert len(set(some.documents)) > 30
    assert all(content_words(text) or text for text in some.texts)
