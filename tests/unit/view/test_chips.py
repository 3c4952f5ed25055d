"""What was recovered of one text, compared with it."""

from vestige.types import WordGuesses
from vestige.view.chips import NameList, list_chips, mark_words


def test_chips_are_right_wrong_or_missed():
    guesses = WordGuesses([frozenset({"bank", "loan"})], [[("bank", 0.9), ("loan", 0.6), ("fee", 0.2)]])
    chips = list_chips(guesses, frozenset({"bank", "fee", "house"}))
    assert [(chip.word, chip.probability, chip.outcome) for chip in chips] == [
        ("bank", 0.9, "correct"),
        ("loan", 0.6, "wrong"),
        ("fee", 0.2, "missed"),
        ("house", None, "missed"),
    ]


def test_the_text_stays_whole_when_it_is_marked():
    text = "The <b>Bank's</b>\n\x1b[31m fee."
    pieces = mark_words(text, frozenset({"bank"}))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.text for piece in pieces if piece.state == "hit"] == ["Bank's"]
    assert [piece.text for piece in pieces if piece.state == "missed"] == ["31m", "fee"]
    assert "".join(piece.shown for piece in pieces) == "The <b>Bank's</b>\n\\x1b[31m fee."


def test_names_are_those_of_the_text_and_those_that_were_claimed():
    names = NameList(frozenset({"sanchez"}))
    assert names.find_in("My lawyer Mr. Sanchez and my friend Miller called.") == {"sanchez", "miller"}
    assert names.find_in("The bank called.") == frozenset()
