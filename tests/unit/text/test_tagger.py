"""Names in texts, by a tagger."""

from types import SimpleNamespace

import pytest

from vestige.errors import MissingExtra
from vestige.text import tagger
from vestige.text.names import Name
from vestige.text.tagger import NameTagger, as_name, load_tagger


@pytest.mark.parametrize(
    ("mention", "name"),
    [
        ("Steven A. Spielberg's", Name("spielberg", "steven")),
        ("Spielberg’s", Name("spielberg")),
        ("Conan O'Brien", Name("o'brien", "conan")),
        ("42 - !", None),
    ],
)
def test_a_mention_is_a_person(mention, name):
    assert as_name(mention) == name


class _Model:
    def pipe(self, texts):
        for text in texts:
            yield SimpleNamespace(
                ents=[
                    SimpleNamespace(text=word, label_="PERSON" if word == "Ann" else "ORG")
                    for word in text.split()
                    if word[0].isupper()
                ]
            )


def test_only_people_are_names():
    assert list(NameTagger(_Model()).names(["we saw Ann at Acme", "nobody"])) == [
        frozenset({Name("ann")}),
        frozenset(),
    ]


def test_without_a_model_the_way_to_one_is_told(monkeypatch):
    monkeypatch.setattr(tagger, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"vestige\[tagger\]"):
        load_tagger()


def test_an_installed_model_finds_a_name_that_no_list_has():
    pytest.importorskip("spacy")
    try:
        found = load_tagger()
    except MissingExtra:
        pytest.skip("no model of spaCy is installed")
    assert list(found.names(["The film was directed by Stanley Kubrick in London."])) == [
        frozenset({Name("kubrick", "stanley")})
    ]
