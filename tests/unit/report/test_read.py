import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from tests.sample_comparison import compared
from tests.sample_frontier import swept
from tests.sample_result import CROSS_DOMAIN, crowded, result, typical
from tests.unit.report.schemas import assert_names_every_field, list_errors, load_schema
from vestige.audit.result import AuditResult
from vestige.case.codec import dumps, to_plain
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.report.read import read_comparison, read_frontier, read_result
from vestige.report.write import write_comparison, write_frontier

SCHEMA = load_schema("audit", 2)


@pytest.mark.parametrize("made", [typical(), crowded(), result(not_run=(CROSS_DOMAIN,))])
def test_results_fit_the_schema(made):
    assert list_errors(SCHEMA, json.loads(dumps(made))) == []


def test_the_schema_names_every_field_of_every_record():
    assert_names_every_field(SCHEMA, AuditResult, Settings)


def drop(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda plain: plain.pop(key)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.update(schema=1),
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
    assert list_errors(SCHEMA, plain)


@pytest.mark.parametrize("made", [typical(), crowded(), result(not_run=(CROSS_DOMAIN,))])
def test_a_result_is_read_back_unchanged(made, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(dumps(made), encoding="utf-8")
    back = read_result(path)
    assert back == made
    assert type(back) is AuditResult


@pytest.mark.parametrize(
    ("found", "shown"), [(1, "schema 1"), (None, "schema None"), ("2", "schema '2'"), (True, "True")]
)
def test_another_schema_is_refused(found, shown, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(to_plain(typical()) | {"schema": found, "version": "9.9"}), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_result(path)
    message = str(refused.value)
    for part in (str(path), shown, "expected 2", "vestige 9.9", "run the audit again"):
        assert part in message


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[]", "schema None"),
        ("{", "is not JSON"),
        ('{"schema": 2}', "does not fit AuditResult"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_holds_no_result_is_refused_by_name(content, complaint, tmp_path):
    path = tmp_path / "report.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as refused:
        read_result(path)
    assert str(path) in str(refused.value)


def test_sweeps_and_comparisons_are_read_back_unchanged(tmp_path):
    assert read_frontier(write_frontier(swept(), tmp_path).json) == read_frontier(tmp_path) == swept()
    assert read_comparison(write_comparison(compared(), tmp_path).json) == read_comparison(tmp_path) == compared()


def test_the_right_function_is_named_for_another_kind(tmp_path):
    path = write_frontier(swept(), tmp_path).json
    with pytest.raises(InputError, match=r"result of a sweep of defenses, expected that of an audit.*read_frontier"):
        read_result(path)
