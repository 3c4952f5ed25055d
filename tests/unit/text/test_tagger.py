"""People, places and organisations in texts, by a tagger."""

from types import SimpleNamespace

import pytest

from vestige.text import tagger
from vestige.text.named import load_corpus
from vestige.text.names import Name
from vestige.text.tagger import SpacyTagger, as_name, common_entities, model_here, people, tagger_here


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
    """Tags what stands in brackets, such as [GPE: Rome]."""

    def pipe(self, texts):
        for text in texts:
            marked = (part.split("]")[0].split(": ") for part in text.split("[")[1:])
            yield SimpleNamespace(ents=[SimpleNamespace(text=mention, label_=label) for label, mention in marked])


TAGGER = SpacyTagger(_Model())


def test_only_people_are_names():
    texts = ["we saw [PERSON: Ann Lee's] at [ORG: Acme]", "nobody", "[PERSON: Bob] and [PERSON: 42]"]
    assert people(TAGGER, texts) == {"ann", "lee", "bob"}


def test_entities_are_counted_by_document_the_commonest_first():
    texts = [
        "[GPE: Rome] and [ORG: the White House’s]",
        "[ORG: White House], [GPE: Oslo], [NORP: Danish] and [GPE: the US]",
        "[GPE: Oslo], [GPE: Rome], [PERSON: Ann] and [GPE: US]",
        "[ORG: The white house], [GPE: Rome] and [DATE: Monday]",
    ]
    found = common_entities(TAGGER, texts, ["a", "b", "b", "c"], 2)
    assert list(found.items()) == [("rome", "place"), ("white house", "organisation")]
    assert common_entities(TAGGER, texts, ["a", "b", "c", "d"], 1)["danish"] == "nationality"


def test_without_a_model_there_is_no_tagger(monkeypatch):
    monkeypatch.setattr(tagger, "find_spec", lambda _name: None)
    assert tagger_here.__wrapped__() is None


@pytest.fixture(scope="module")
def real():
    if model_here() is None:
        pytest.skip("no model of spaCy is installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tagger, "model_here", model_here)
        yield tagger_here.__wrapped__()


def test_an_installed_model_finds_a_name_that_no_list_has(real):
    assert people(real, ["The film was directed by Stanley Kubrick in London."]) == {"stanley", "kubrick"}


def test_an_installed_model_finds_what_speeches_are_about(real):
    some = load_corpus("speeches").sentences(8, 40).take(range(300))
    found = common_entities(real, some.texts, some.documents, 1)
    assert found["united states"] == "place"
    assert found["congress"] == "organisation"
