"""Stop words and elisions of languages besides English."""

import pytest

from vestige.errors import InputError
from vestige.text.languages import check_language, content_words_of, list_languages, separate_elisions, stop_words_of
from vestige.text.words import content_words


def test_italian_articles_are_no_part_of_a_word():
    # Corò 2022, Table 5.3: the inverter recovers "ispezione" from a text that begins with "l'ispezione".
    text = "l'ispezione si è conclusa con la richiesta alla compagnia di versare all’inps contributi"
    expected = {"ispezione", "conclusa", "richiesta", "compagnia", "versare", "inps", "contributi"}
    assert content_words_of(text, "it") == expected


def test_french_elisions_are_separated():
    assert content_words_of("L'homme qu'il aime n'est pas d'accord", "fr") == {"homme", "aime", "accord"}
    assert separate_elisions("aujourd'hui", "fr") == "aujourd'hui"


def test_english_stays_as_it_is():
    text = "It's the bank's account, and O'Brien's"
    assert separate_elisions(text, "en") == text
    assert content_words_of(text, "en") == content_words(text)


@pytest.mark.parametrize("language", list_languages())
def test_every_language_has_stop_words_in_lower_case(language):
    stops = stop_words_of(language)
    assert len(stops) > 100
    assert all(word == word.lower() for word in stops)


def test_an_unknown_language_is_an_error():
    with pytest.raises(InputError, match="unknown language 'ti'; did you mean 'it'"):
        check_language("ti")
