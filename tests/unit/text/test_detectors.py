"""What detectors find, and what they leave."""

import sys
from types import SimpleNamespace

import pytest

from vestige.errors import InputError, MissingExtra
from vestige.text import detectors
from vestige.text.detectors import Mention, find_listed_names, find_numbers, load_detector


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("we met Anna Smith there", ["Anna Smith"]),
        ("we met John A. Smith there", ["John A. Smith"]),
        ("dear Mr. Oyelaran, hello", ["Oyelaran"]),
        ("I will call. Will you?", []),
        ("they live in a house", []),
    ],
)
def test_names_are_listed_or_follow_a_title(text, found):
    assert [text[each.start : each.end] for each in find_listed_names(text)] == found


@pytest.mark.parametrize("text", ["$1,200.50", "(555) 123-4567", "12/03/2019", "401k", "4111 1111 1111 1111"])
def test_a_number_is_one_part(text):
    assert [(each.start, each.end) for each in find_numbers(f"x {text} y")] == [(2, 2 + len(text))]


def test_presidio_is_named_with_its_installation_if_it_is_missing(monkeypatch):
    detectors._load_presidio.cache_clear()
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    monkeypatch.setattr(detectors, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="Presidio is not installed"):
        load_detector("presidio")(["text"])


def test_what_presidio_finds_is_translated(monkeypatch):
    found = [SimpleNamespace(entity_type="PERSON", start=0, end=4)]
    monkeypatch.setattr(detectors, "_load_presidio", lambda: SimpleNamespace(analyze=lambda **_: found))
    assert load_detector("presidio")(["Anna"]) == [[Mention("names", 0, 4), Mention("PERSON", 0, 4)]]


def test_presidio_does_not_download_its_model(monkeypatch):
    detectors._load_presidio.cache_clear()
    monkeypatch.setattr(detectors, "find_spec", lambda name: None if name == detectors.PRESIDIO_MODEL else name)
    with pytest.raises(InputError, match="python -m spacy download en_core_web_lg"):
        load_detector("presidio")(["text"])


def test_a_label_that_presidio_never_gives_is_refused():
    with pytest.raises(InputError, match="Presidio does not find 'LAW'; known: DATE"):
        load_detector("presidio", ["ORG", "LAW"])


def test_labels_need_a_tagger():
    with pytest.raises(MissingExtra, match="tagger"):
        load_detector("lists", ["ORG"])
