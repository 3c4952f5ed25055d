"""Records in JSON: keys that differ from field names are declared, so that files keep their format."""

import json
from dataclasses import dataclass, field

import pytest

from tests.sample_frontier import swept
from vestige.case.codec import dumps, from_plain, key, round_fields, to_plain
from vestige.case.settings import Settings
from vestige.defend.record import DefendResult
from vestige.errors import InputError
from vestige.types import Score


@dataclass(frozen=True)
class Renamed:
    status: str = field(metadata=key("fate"))
    sizes: tuple[int, ...] = ()
    share: float | None = None


def test_a_declared_key_is_written_and_read():
    record = Renamed("chosen", (1, 2), 0.12345678)
    assert to_plain(record) == {"fate": "chosen", "sizes": [1, 2], "share": 0.123457}
    assert from_plain(Renamed, {"fate": "chosen", "sizes": [1, 2], "share": None}) == Renamed("chosen", (1, 2))


def test_the_record_of_a_sweep_keeps_its_keys():
    plain = to_plain(swept())
    assert {"question", "rungs"} <= plain.keys()
    assert not {"probe", "rounds"} & plain.keys()
    trial = plain["trials"][0]
    assert (trial["fate"], trial["rung"]) == ("reference", 2)
    assert trial["privacy"][0]["question"] == "words"
    assert plain["attacks"][0] == {
        "question": "words",
        "measure": "Words recovered (F1)",
        "attack": "multi-label inversion",
        "rung": 1,
    }
    assert dumps(from_plain(DefendResult, json.loads(dumps(swept())))) == dumps(swept())


def test_a_record_of_another_version_is_refused():
    with pytest.raises(InputError, match=r"does not fit Renamed .* written by another version"):
        from_plain(Renamed, {"status": "chosen"})


def test_settings_survive_json():
    settings = Settings(keywords=("loan",), queries=None, sample=500)
    assert from_plain(Settings, json.loads(dumps(settings))) == settings


def test_a_record_can_hold_what_would_be_read_back():
    record = Pair("a", Score(1 / 3, 0, 1, 5))
    round_fields(record)
    assert record == Pair("a", Score(0.333333, 0.0, 1.0, 5))
    assert from_plain(Pair, to_plain(record)) == record


@dataclass(frozen=True, slots=True)
class Pair:
    name: str
    score: Score
