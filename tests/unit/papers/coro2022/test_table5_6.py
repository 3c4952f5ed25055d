"""Tables 5.6 and 5.7 on posts made up for the purpose."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.papers.conftest import CORO_SIZES
from tests.unit.papers.measuring import reproduce
from vestige.papers.coro2022.table5_6 import read_people
from vestige.papers.record import OURS, PAPER
from vestige.papers.run import PaperRun
from vestige.text.names import Name

POLITICIANS = {"clinton": "Bill", "bush": "George", "reno": "Janet", "weaver": "Randy"}
PLAYERS = dict(
    zip(
        ("lemieux", "morris", "murray", "gainey", "keenan", "messier", "winfield", "simmons", "mitchell", "stevens"),
        ("Mario", "Jack", "Bryan", "Bob", "Mike", "Mark", "Dave", "Ted", "Kevin", "Scott"),
        strict=True,
    )
)
THINGS = ("budget", "treaty", "court", "senate", "tax", "police", "rifle", "budget", "press", "army")


def posts():
    """Each politician in 24 posts on politics, each player in 12 on sport; a first name before every second."""
    rows = []
    for topic, people, count, about in (
        ("talk.politics.misc", POLITICIANS, 24, "said that the {} must be changed before the next long week"),
        ("rec.sport.hockey", PLAYERS, 12, "played with the {} team and scored late in the second game"),
    ):
        for last, first in people.items():
            for number in range(count):
                person = f"{first} {last.title()}" if number % 2 else last.title()
                rows.append(
                    (topic, f"Today we heard {person}, who {about.format(THINGS[number % 10])} of {number + 100}.")
                )
    # Politicians are known outside of politics as well, so that the inverter can learn their names.
    rows += [
        (
            "soc.religion.christian",
            f"We spoke of {first} {last.title()} after the long service of week {number + 10}.",
        )
        for last, first in POLITICIANS.items()
        for number in range(8)
    ]
    rows += [
        ("sci.space", f"The orbiter number {number} went up to the station above the planet.") for number in range(60)
    ]
    return rows


@pytest.fixture
def newsgroups(tmp_path, monkeypatch):
    topics, texts = zip(*posts(), strict=True)
    table = pa.table({"id": [str(row) for row in range(len(texts))], "text": texts, "topic": topics})
    pq.write_table(table, tmp_path / "newsgroups.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))


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


@pytest.mark.usefixtures("newsgroups")
@pytest.mark.parametrize(("table", "rows"), [("table5.6", 4), ("table5.7", 10)])
def test_every_name_has_a_row(coro_run, table, rows):
    record = reproduce("coro2022", table, coro_run)
    assert len(record.rows) == rows
    for row in record.rows:
        assert [line.by for line in row.lines] == [PAPER, OURS, "our default, false alarms"]
        assert all(score is not None for line in row.lines for score in line.scores)
    assert "here Bush, in " in record.rows[0].section or table == "table5.7"
    if table == "table5.6":
        alarms = record.rows[0].lines[2].scores[0]
        assert alarms.n == 3 * record.rows[0].lines[1].scores[0].n


def test_without_the_corpus_every_row_is_skipped(coro_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    record = reproduce("coro2022", "table5.6", coro_run)
    assert {row.note[:31] for row in record.rows} == {"skipped: corpus 'newsgroups' is"}
