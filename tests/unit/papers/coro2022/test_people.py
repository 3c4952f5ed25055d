"""The people of two domains, found in posts made up for the purpose."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import CORO_SIZES
from tests.unit.papers.coro2022.conftest import PLAYERS, POLITICIANS
from vestige.papers.coro2022.people import read_people
from vestige.papers.run import PaperRun
from vestige.text.names import Name


@pytest.mark.usefixtures("newsgroups")
def test_people_of_two_domains_are_found_with_their_first_names():
    people = read_people(PaperRun(CORO_SIZES))
    assert people.own == tuple(Name(last, POLITICIANS[last].lower()) for last in sorted(POLITICIANS))
    assert people.foreign == tuple(Name(last, PLAYERS[last].lower()) for last in sorted(PLAYERS))
    attacked = {document for test in people.tests.values() for document in test.documents}
    assert not attacked & set(people.training.documents)
    assert not any(topic.startswith("talk.politics") for topic in people.training.attributes["topic"])
    assert all(people.training_counts[name.last] for name in (*people.own, *people.foreign))


@pytest.mark.usefixtures("newsgroups")
def test_an_enriched_training_has_documents_of_the_domain_and_more_names():
    people = read_people(PaperRun(replace(CORO_SIZES, enriched=True, named=100)))
    attacked = {document for test in people.tests.values() for document in test.documents}
    assert not attacked & set(people.training.documents)
    assert any(topic.startswith("talk.politics") for topic in people.training.attributes["topic"])
    naming = sum(any(last.title() in text for last in (*POLITICIANS, *PLAYERS)) for text in people.training.texts)
    assert naming == 50


@pytest.mark.usefixtures("newsgroups")
def test_a_sentence_is_attacked_once_with_each_name_and_unchanged_with_its_own():
    people = read_people(PaperRun(CORO_SIZES))
    made = people.swap(people.own)
    assert len(made.corpus) == 4 * sum(map(len, people.tests.values()))
    for text, put, stood in zip(made.corpus.texts, made.put_in, made.stood, strict=True):
        assert put.title() in text
        assert (stood.title() in text) == (put == stood)
    own = [text for text, put, stood in zip(made.corpus.texts, made.put_in, made.stood, strict=True) if put == stood]
    assert own == [text for test in people.tests.values() for text in test.texts]
