"""People, places and organisations in texts, found by a tagger."""

from types import SimpleNamespace

import pytest

from vestige.text import tagger
from vestige.text.corpora import load_corpus
from vestige.text.names import Name
from vestige.text.tagger import SpacyTagger, find_common_entities, find_model, find_people, load_tagger, parse_name


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
    assert parse_name(mention) == name


class _Model:
    """Tags what is in brackets, such as [GPE: Rome]."""

    def pipe(self, texts):
        for text in texts:
            marked = (part.split("]")[0].split(": ") for part in text.split("[")[1:])
            yield SimpleNamespace(ents=[SimpleNamespace(text=mention, label_=label) for label, mention in marked])


TAGGER = SpacyTagger(_Model())


def test_only_people_are_names():
    texts = ["we saw [PERSON: Ann Lee's] at [ORG: Acme]", "nobody", "[PERSON: Bob] and [PERSON: 42]"]
    assert find_people(TAGGER, texts) == {"ann", "lee", "bob"}


def test_entities_are_counted_by_document_the_most_frequent_first():
    texts = [
        "[GPE: Rome] and [ORG: the White House’s]",
        "[ORG: White House], [GPE: Oslo], [NORP: Danish] and [GPE: the US]",
        "[GPE: Oslo], [GPE: Rome], [PERSON: Ann] and [GPE: US]",
        "[ORG: The white house], [GPE: Rome] and [DATE: Monday]",
    ]
    found = find_common_entities(TAGGER, texts, ["a", "b", "b", "c"], 2)
    assert list(found.items()) == [("rome", "place"), ("white house", "organisation")]
    assert find_common_entities(TAGGER, texts, ["a", "b", "c", "d"], 1)["danish"] == "nationality"


def test_without_a_model_there_is_no_tagger(monkeypatch):
    monkeypatch.setattr(tagger, "find_spec", lambda _name: None)
    assert load_tagger.__wrapped__() is None


@pytest.fixture(scope="module")
def real():
    if find_model() is None:
        pytest.skip("no model of spaCy is installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tagger, "find_model", find_model)
        yield load_tagger.__wrapped__()


def test_an_installed_model_finds_a_name_that_no_list_has(real):
    assert find_people(real, ["The film was directed by Stanley Kubrick in London."]) == {"stanley", "kubrick"}


def test_an_installed_model_finds_what_speeches_are_about(real):
    some = load_corpus("speeches").sentences(8, 40).take(range(300))
    found = find_common_entities(real, some.texts, some.documents, 1)
    assert found["united states"] == "place"
    assert found["congress"] == "organisation"
