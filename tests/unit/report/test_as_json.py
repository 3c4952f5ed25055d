import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any, get_args, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from tests.sample_result import CROSS_DOMAIN, crowded, result, typical
from vestige.audit.result import AuditResult
from vestige.case.codec import to_plain
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.report.as_json import dumps, read_result

SCHEMA = json.loads(files("vestige.report").joinpath("audit-1.schema.json").read_text(encoding="utf-8"))


def errors(plain: Any) -> list[Any]:
    return list(Draft202012Validator(SCHEMA).iter_errors(plain))


def records(kind: Any) -> set[type]:
    """A record and every record that it holds."""
    if not is_dataclass(kind):
        return {found for part in get_args(kind) for found in records(part)}
    return {kind}.union(*(records(hint) for hint in get_type_hints(kind).values()))


def test_the_schema_is_itself_valid():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("made", [typical(), crowded(), result(not_run=(CROSS_DOMAIN,))])
def test_results_fit_the_schema(made):
    assert errors(json.loads(dumps(made))) == []


def test_the_schema_names_every_field_of_every_record():
    for record in records(AuditResult) | {Settings}:
        described = SCHEMA["$defs"][record.__name__]
        names = {field.name for field in fields(record)}
        assert set(described["properties"]) == set(described["required"]) == names, record
        assert described["additionalProperties"] is False


def drop(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda plain: plain.pop(key)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.update(schema=2),
        lambda plain: plain.update(more=1),
        lambda plain: plain["verdict"].update(level="grave"),
        lambda plain: plain["findings"][0]["leakage"].update(n=1.5),
        lambda plain: plain["findings"][0]["leakage"].pop("baseline"),
        lambda plain: plain["findings"][0]["examples"][0]["tokens"][0].update(state="seen"),
        lambda plain: plain["findings"][0]["adversary"].update(queries=-1),
        lambda plain: plain["subject"].pop("documents"),
        lambda plain: plain["settings"].update(show_text="no"),
        *(drop(field.name) for field in fields(AuditResult)),
    ],
)
def test_a_spoiled_result_does_not_fit_the_schema(spoil):
    plain = to_plain(typical())
    spoil(plain)
    assert errors(plain)


@pytest.mark.parametrize("made", [typical(), crowded(), result(not_run=(CROSS_DOMAIN,))])
def test_a_result_is_read_back_as_it_was(made, tmp_path):
    place = tmp_path / "report.json"
    place.write_text(dumps(made), encoding="utf-8")
    back = read_result(place)
    assert dumps(back) == dumps(made)
    assert type(back) is AuditResult


@pytest.mark.parametrize(
    ("found", "shown"), [(2, "schema 2"), (None, "schema None"), ("1", "schema '1'"), (True, "True")]
)
def test_another_schema_is_refused(found, shown, tmp_path):
    place = tmp_path / "report.json"
    place.write_text(json.dumps(to_plain(typical()) | {"schema": found, "version": "9.9"}), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_result(place)
    message = str(refused.value)
    for part in (str(place), shown, "expected 1", "vestige 9.9", "run the audit again"):
        assert part in message


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[]", "schema None"),
        ("{", "is not JSON"),
        ('{"schema": 1}', "does not fit AuditResult"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_result_is_refused_by_name(content, complaint, tmp_path):
    place = tmp_path / "report.json"
    if content is not None:
        place.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as refused:
        read_result(place)
    assert str(place) in str(refused.value)
