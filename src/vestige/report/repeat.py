"""The command that repeats an audit."""

import shlex
from dataclasses import fields

from vestige.audit.result import AuditResult
from vestige.case.findings import Subject

Value = str | int | bool | None
LISTED = {"keywords", "patterns", "attributes", "probes"}


def command(result: AuditResult) -> list[str] | None:
    """The command, an option an item, or None where something cannot be named on a command line: what was given in
    Python, or a keyword with a comma in it.
    """
    subject = result.subject
    if not subject.named or any("," in keyword for keyword in result.settings.keywords):
        return None
    options: list[tuple[str, Value]] = [
        ("texts", subject.corpus),
        ("encoder", subject.encoder),
        ("auxiliary", subject.auxiliary),
        ("trained_on", subject.trained_on),
        *(
            (field.name, getattr(result.settings, field.name))
            for field in fields(result.settings)
            if field.name not in LISTED
        ),
        ("keywords", ",".join(result.settings.keywords) or None),
        *(("pattern", pattern) for pattern in result.settings.patterns),
        *(("probe", name) for name in result.settings.probes),
        *(("attribute", column) for column in result.settings.attributes),
        *(("fail_on", gate.gate) for gate in result.gates),
    ]
    return [
        start_of("vestige audit", subject),
        *(option(name, value) for name, value in options if value is not None and value is not False),
    ]


def start_of(words: str, subject: Subject) -> str:
    """The command and, where there is one, the file of vectors."""
    return words if subject.vectors is None else f"{words} {shlex.quote(subject.vectors)}"


def option(name: str, value: Value) -> str:
    """An option as it is typed."""
    flag = f"--{name.replace('_', '-')}"
    return flag if value is True else f"{flag} {shlex.quote(str(value))}"
