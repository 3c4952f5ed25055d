"""Names in texts, by list."""

import pytest

from vestige.text.names import Name, first_names, full_name, holds, last_names, names_used, swapped

TEXTS = [
    "I think that Johnson will win, said the bank.",
    "We asked Johnson about the will. Will is short for William Johnson.",
    "You will see that the brown dog of Brown barks.",
    "Miller came first. JOHNSON came last, or did Will?",
    "A johnson is no person.",
]


def test_the_lists_are_short_and_hold_the_most_frequent_names():
    assert {"mary", "james"} <= first_names()
    assert {"smith", "johnson"} <= last_names()
    assert len(first_names()) < 4000
    assert len(last_names()) < 7000
    assert not {"paris", "english", "april"} & (first_names() | last_names())
    assert all(name.isalpha() and name.islower() for name in first_names() | last_names())


def test_a_name_is_capital_inside_a_sentence_and_rare_without():
    listed = ["johnson", "will", "brown", "miller", "nobody"]
    assert names_used(TEXTS[:4], listed) == {"johnson": 3}, "will and brown are words; Miller only opens a sentence"
    assert names_used(TEXTS, listed) == {}, "one in four of 'johnson' is lower-case now"
    assert names_used(["He met Miller.", "He met Adams.", "And Miller too."], ["adams", "miller"]) == {
        "miller": 2,
        "adams": 1,
    }


def test_the_first_name_is_the_listed_one_that_stands_before_most_often():
    texts = ["Uncle Johnson met William Johnson.", "Then James A. Johnson met William Johnson.", "the Johnson"]
    assert full_name("johnson", texts) == Name("johnson", "william")
    assert full_name("miller", texts) == Name("miller")


def test_a_person_is_held_by_the_last_name_with_a_capital():
    assert holds("It was Brown's dog.", Name("brown"))
    assert not holds("It was a brown dog.", Name("brown"))
    assert not holds("It was Browning.", Name("brown"))


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("Draghi spoke.", Name("renzi", "matteo"), "Renzi spoke."),
        ("Mario Draghi's bank, said DRAGHI.", Name("renzi", "matteo"), "Matteo Renzi's bank, said RENZI."),
        ("Mario Draghi spoke.", Name("renzi"), "Renzi spoke."),
        ("Mario and Draghis.", Name("renzi", "matteo"), "Matteo and Draghis."),
        ("mario draghi", Name("o'brien", "ann"), "ann o'brien"),
        ("Draghi", Name("o'brien"), "O'Brien"),
    ],
)
def test_another_person_is_put_in(text, new, expected):
    assert swapped(text, Name("draghi", "mario"), new) == expected


def test_there_and_back():
    old, new = Name("draghi", "mario"), Name("renzi", "matteo")
    text = "Mario Draghi, or Draghi's twin: MARIO DRAGHI."
    assert swapped(swapped(text, old, new), new, old) == text
