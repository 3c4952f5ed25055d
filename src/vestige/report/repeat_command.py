"""The command line that repeats a run: an audit, a sweep of defenses, or any other command with options."""

import shlex
from collections.abc import Iterable
from dataclasses import fields

from vestige.audit.result import AuditResult
from vestige.case.findings import Subject
from vestige.case.settings import Settings
from vestige.defend.record import DefendResult

OptionValue = str | int | bool | None

LIST_SETTINGS = {"keywords", "patterns", "attributes", "probes"}
"""The settings that hold several values."""

AUDIT_ONLY = {"recipe", "show_text"}
"""The settings of an audit that a sweep of defenses does not have."""


def build_audit_command(result: AuditResult) -> list[str] | None:
    """The command that repeats an audit, one option per item; None if no command line can (see `_is_repeatable`)."""
    subject, settings = result.subject, result.settings
    if not _is_repeatable(subject, settings):
        return None
    options: list[tuple[str, OptionValue]] = [
        ("texts", subject.corpus),
        ("encoder", subject.encoder),
        ("auxiliary", subject.auxiliary),
        ("trained_on", subject.trained_on),
        *((name, getattr(settings, name)) for name in _list_single(settings)),
        ("keywords", ",".join(settings.keywords) or None),
        *(("pattern", pattern) for pattern in settings.patterns),
        *(("probe", name) for name in settings.probes),
        *(("attribute", column) for column in settings.attributes),
        *(("fail_on", gate.gate) for gate in result.gates),
    ]
    return build_command("vestige audit", subject.vectors, options)


def build_defend_command(result: DefendResult) -> list[str] | None:
    """The command that repeats a sweep of defenses, one option per item; None if no command line can."""
    subject, settings = result.subject, result.settings
    if not _is_repeatable(subject, settings):
        return None
    options: list[tuple[str, OptionValue]] = [
        ("texts", subject.corpus),
        ("encoder", subject.encoder),
        ("auxiliary", subject.auxiliary),
        ("trained_on", subject.trained_on),
        *(("limit", limit) for limit in result.limits),
        ("defenses", ",".join(result.defenses)),
        ("task", result.task),
        ("draws", result.draws),
        *((name, getattr(settings, name)) for name in list_defend_settings(settings)),
        ("keywords", ",".join(settings.keywords) or None),
        *(("pattern", pattern) for pattern in settings.patterns),
        *(("attribute", column) for column in settings.attributes),
        *(("probe", name) for name in settings.probes),
        ("no_halving", not result.halving),
    ]
    return build_command("vestige defend", subject.vectors, options)


def list_defend_settings(settings: Settings) -> list[str]:
    """The settings of a sweep of defenses that hold one value."""
    return [name for name in _list_single(settings) if name not in AUDIT_ONLY]


def _list_single(settings: Settings) -> list[str]:
    """The settings that hold one value."""
    return [field.name for field in fields(settings) if field.name not in LIST_SETTINGS]


def build_command(command: str, argument: str | None, options: Iterable[tuple[str, OptionValue]]) -> list[str]:
    """A command with its argument, then one item per option; an option that is None or False is not typed."""
    start = command if argument is None else f"{command} {shlex.quote(argument)}"
    return [start, *(_type_option(name, value) for name, value in options if value is not None and value is not False)]


def _type_option(name: str, value: OptionValue) -> str:
    flag = f"--{name.replace('_', '-')}"
    return flag if value is True else f"{flag} {shlex.quote(str(value))}"


def _is_repeatable(subject: Subject, settings: Settings) -> bool:
    """Whether a command line can name everything: not what was passed in Python, nor a keyword with a comma."""
    return subject.named and not any("," in keyword for keyword in settings.keywords)
