"""Read the `report.json` of an audit."""

import json
from pathlib import Path
from typing import Any

from vestige.audit.result import SCHEMA, AuditResult
from vestige.case.codec import from_plain
from vestige.errors import InputError


def read_result(path: str | Path) -> AuditResult:
    """The result in a `report.json`; a file of another schema is refused rather than half understood."""
    plain = _read_json(Path(path))
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if type(schema) is not int or schema != SCHEMA:
        writer = f" (vestige {plain['version']})" if isinstance(plain, dict) and "version" in plain else ""
        raise InputError(
            f"{path} has schema {schema!r}, expected {SCHEMA}; read it with the version that wrote it{writer}, "
            "or run the audit again"
        )
    try:
        return from_plain(AuditResult, plain)
    except InputError as error:
        raise InputError(f"{path}: {error}; run the audit again") from error


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name the report.json of an audit") from error
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); expected the report.json of an audit") from error
