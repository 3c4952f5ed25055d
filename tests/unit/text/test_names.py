"""Names in texts, by lists of names."""

import pytest

from vestige.text.names import (
    Name,
    find_full_name,
    find_names,
    find_persons,
    first_names,
    last_names,
    names_person,
    swap_person,
)

TEXTS = [
    "I think that Johnson will win, said the bank.",
    "We asked Johnson about the will. Will is short for William Johnson.",
    "You will see that the brown dog of Brown barks.",
    "Miller came first. JOHNSON came last, or did Will?",
    "A johnson is no person.",
]


def test_the_lists_are_short_and_contain_the_most_frequent_names():
    assert {"mary", "james"} <= first_names()
    assert {"smith", "johnson"} <= last_names()
    assert len(first_names()) < 4000
    assert len(last_names()) < 7000
    assert not {"paris", "english", "april"} & (first_names() | last_names())
    assert all(name.isalpha() and name.islower() for name in first_names() | last_names())


def test_a_name_is_capital_inside_a_sentence_and_rare_without():
    listed = ["johnson", "will", "brown", "miller", "nobody"]
    assert find_names(TEXTS[:4], listed) == {"johnson": 3}, "will and brown are words; Miller only opens a sentence"
    assert find_names(TEXTS, listed) == {}, "one in four of 'johnson' is lower-case now"
    assert find_names(["He met Miller.", "He met Adams.", "And Miller too."], ["adams", "miller"]) == {
        "miller": 2,
        "adams": 1,
    }


def test_the_first_name_is_the_listed_one_that_precedes_most_often():
    texts = ["Uncle Johnson met William Johnson.", "Then James A. Johnson met William Johnson.", "the Johnson"]
    assert find_full_name("johnson", texts) == Name("johnson", "william")
    assert find_full_name("miller", texts) == Name("miller")


def test_a_text_names_a_person_by_the_last_name_with_a_capital():
    assert names_person("It was Brown's dog.", Name("brown"))
    assert not names_person("It was a brown dog.", Name("brown"))
    assert not names_person("It was Browning.", Name("brown"))


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
def test_a_person_is_swapped_in_the_same_case(text, new, expected):
    assert swap_person(text, Name("draghi", "mario"), new) == expected


def test_swapping_back_restores_the_text():
    old, new = Name("draghi", "mario"), Name("renzi", "matteo")
    text = "Mario Draghi, or Draghi's twin: MARIO DRAGHI."
    assert swap_person(swap_person(text, old, new), new, old) == text


def test_a_company_with_a_last_name_is_not_a_person():
    texts = [
        "Yesterday I called Wells Fargo about it.",
        "They said that Wells Fargo had sold it.",
        "Last week I met Sarah Johnson there.",
        "We then asked Johnson for the papers.",
        "In the end Jackson Hole was closed.",
    ]
    assert find_persons(texts) == {"johnson": 2}
