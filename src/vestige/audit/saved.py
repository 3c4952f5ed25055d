"""Read the JSON file of a result: of an audit, or of a comparison."""

import json
from pathlib import Path
from typing import Any, TypeVar

from vestige.audit.result import SCHEMA, AuditResult
from vestige.case.codec import from_plain
from vestige.errors import InputError
from vestige.memory import read_file

Record = TypeVar("Record")

KINDS = {
    "findings": ("report.json", "an audit", "read_result"),
    "trials": ("frontier.json", "a sweep of defenses", "read_frontier"),
    "effects": ("judge.json", "a judgement", "read_judgement"),
    "changes": ("compare.json", "a comparison", "read_comparison"),
    "ranked": ("leaderboard.json", "a leaderboard", "read_leaderboard"),
}
"""A field that only one kind of result has: its file, what made it, and the function that reads it."""


def read_audit(path: str | Path) -> AuditResult:
    """The result in a `report.json`, or in a folder that has one."""
    return read_kind(AuditResult, "findings", SCHEMA, path)


def read_kind(kind: type[Record], field: str, schema: int, path: str | Path) -> Record:
    """The record in a file, or in a folder that has one; a file of another kind or schema is refused."""
    file, made_by, _ = KINDS[field]
    path = Path(path) / file if Path(path).is_dir() else Path(path)
    plain = _read_json(path, f"the {file} of {made_by}")
    _check_kind(path, plain, field)
    found = plain.get("schema") if isinstance(plain, dict) else None
    if type(found) is not int or found != schema:
        writer = f" (vestige {plain['version']})" if isinstance(plain, dict) and "version" in plain else ""
        raise InputError(
            f"{path} has schema {found!r}, expected {schema}; read it with the version that wrote it{writer}, "
            f"or run the {made_by.partition(' ')[2]} again"
        )
    try:
        return from_plain(kind, plain)
    except InputError as error:
        raise InputError(f"{path}: {error}; run the {made_by.partition(' ')[2]} again") from error


def _check_kind(path: Path, plain: Any, expected: str) -> None:
    for field, (_, made_by, reader) in KINDS.items():
        if isinstance(plain, dict) and field in plain and field != expected:
            raise InputError(
                f"{path} is the result of {made_by}, expected that of {KINDS[expected][1]}; "
                f"vestige.{reader} reads it in Python"
            )


def _read_json(path: Path, expected: str) -> Any:
    try:
        return json.loads(read_file(path).decode("utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name {expected}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON ({error}); expected {expected}") from error
