"""The record and its schema."""

import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import get_args, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from tests.unit.papers.sample import GOOD, sample
from vestige.case.codec import dumps, from_plain
from vestige.papers.record import CLOSED_FORM, PAPER, PRIOR, Line, Reproduction
from vestige.types import TrainingLog

SCHEMA = json.loads(files("vestige.papers").joinpath("reproduction-2.schema.json").read_text(encoding="utf-8"))


def records(kind):
    """A record and every record that it holds."""
    if not is_dataclass(kind):
        return {found for part in get_args(kind) for found in records(part)}
    return {kind}.union(*(records(hint) for hint in get_type_hints(kind).values()))


def test_a_record_survives_the_way_to_json_and_back():
    assert from_plain(Reproduction, json.loads(dumps(sample()))) == sample()


def test_the_record_fits_its_schema():
    Draft202012Validator.check_schema(SCHEMA)
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(dumps(sample())))) == []


def test_the_schema_names_every_field_of_every_record():
    for record in records(Reproduction):
        described = SCHEMA["$defs"][record.__name__]
        names = {field.name for field in fields(record)}
        assert set(described["properties"]) == set(described["required"]) == names, record


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.update(schema=1),
        lambda plain: plain.pop("differs"),
        lambda plain: plain["rows"][0]["lines"][0]["scores"][0].update(value=56.7),
        lambda plain: plain["rows"][0].update(published=[567.4, None]),
    ],
)
def test_the_schema_refuses(spoil):
    plain = json.loads(dumps(sample()))
    spoil(plain)
    assert list(Draft202012Validator(SCHEMA).iter_errors(plain))


def test_a_line_has_converged_if_every_training_ended_by_its_rule():
    ended, cut = TrainingLog("until it ends", True, 7), TrainingLog("until it ends", False, 9)
    assert Line(PAPER, (GOOD,), (ended, CLOSED_FORM)).converged is True
    assert Line(PAPER, (GOOD,), (ended, cut)).converged is False
    assert Line(PAPER, (GOOD,)).converged is None
    assert Line(PRIOR, (GOOD,)).converged is True
