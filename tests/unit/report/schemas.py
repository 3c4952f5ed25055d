"""The JSON schemas that come with the reports, and a helper to hold them against the records."""

import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any, get_args, get_type_hints

from jsonschema import Draft202012Validator


def load_schema(name: str, version: int = 1) -> dict[str, Any]:
    schema = json.loads(files("vestige.report").joinpath(f"{name}-{version}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return schema


def list_errors(schema: dict[str, Any], plain: Any) -> list[Any]:
    return list(Draft202012Validator(schema).iter_errors(plain))


def list_records(kind: Any) -> set[type]:
    """A record class and every record class that it contains."""
    if not is_dataclass(kind):
        return {record for part in get_args(kind) for record in list_records(part)}
    return {kind}.union(*(list_records(hint) for hint in get_type_hints(kind).values()))


def assert_names_every_field(schema: dict[str, Any], *kinds: type) -> None:
    """Every record has a definition with exactly its fields; definitions keep their names when a class is renamed."""
    described = [part for part in schema["$defs"].values() if part.get("type") == "object"]
    for record in set().union(*map(list_records, kinds)):
        names = {field.metadata.get("key", field.name) for field in fields(record)}
        assert any(set(part["properties"]) == set(part["required"]) == names for part in described), record
    assert all(part["additionalProperties"] is False for part in described)
