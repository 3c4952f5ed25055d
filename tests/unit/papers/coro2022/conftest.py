"""Posts of newsgroups that name people, made up for the purpose."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
