"""How to repeat a run: as a `vestige.toml`, and as a command line."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from vestige.audit.result import AuditResult
from vestige.case.findings import Subject
from vestige.case.settings import Settings
from vestige.config.toml_writer import TomlValue, format_table
from vestige.defend.judge_record import UNNAMED, JudgeResult
from vestige.defend.record import DefendResult
from vestige.defend.thief import is_thief
from vestige.leaderboard.record import Leaderboard

JUDGE_SETTINGS = (
    "pairs",
    "labels",
    "targets",
    "sample",
    "vocabulary_size",
    "vector_column",
    "id_column",
    "text_column",
    "document_column",
    "seed",
)
"""The settings of `vestige judge` that hold one value."""

LEADERBOARD_SETTINGS = ("targets", "pairs", "rewritten", "text_column", "document_column", "precision", "seed")
"""The settings of `vestige leaderboard` that hold one value."""

OptionValue = str | int | bool | tuple[str, ...] | None

LIST_SETTINGS = {"keywords", "patterns", "attributes", "probes", "vocabulary", "budgets"}
"""The settings that hold several values."""

AUDIT_ONLY = {"recipe", "show_text", "inverter"}
"""The settings of an audit that a sweep of defenses does not have."""


def build_audit_command(result: AuditResult) -> list[str] | None:
    """The command that repeats an audit, one option per item; None if no command line can (see `_is_repeatable`)."""
    if not _is_repeatable(result.subject, result.settings):
        return None
    return build_command("vestige audit", result.subject.vectors, _list_audit_options(result))


def build_reaudit_command(result: AuditResult, vectors: str, out: str) -> str:
    """The command that audits a protected copy of the vectors with the same texts and settings.

    Settings at their defaults are not typed. Neither is the encoder: its vectors are not protected, so that queries to
    it would mislead an attack on protected ones.
    """
    unchanged = replace(result, settings=Settings(), gates=())
    changed = [option for option in _list_audit_options(result) if option not in _list_audit_options(unchanged)]
    options = [("texts", result.subject.corpus or "TEXTS"), *changed, ("out", out)]
    return " ".join(build_command("vestige audit", vectors, options))


def build_audit_config(result: AuditResult) -> str | None:
    """The `vestige.toml` that repeats an audit; None if no file can."""
    if not _is_repeatable(result.subject, result.settings):
        return None
    return _build_config("audit", result.subject.vectors, dict(_list_audit_options(result)))


def build_defend_command(result: DefendResult) -> list[str] | None:
    """The command that repeats a sweep of defenses, one option per item; None if no command line can."""
    if not _is_repeatable(result.subject, result.settings):
        return None
    halving: list[tuple[str, OptionValue]] = [("no_halving", not result.halving)]
    return build_command("vestige defend", result.subject.vectors, [*_list_defend_options(result), *halving])


def build_defend_config(result: DefendResult) -> str | None:
    """The `vestige.toml` that repeats a sweep of defenses; None if no file can."""
    if not _is_repeatable(result.subject, result.settings):
        return None
    options = {**dict(_list_defend_options(result)), "halving": result.halving}
    return _build_config("defend", result.subject.vectors, options)


def build_judge_command(result: JudgeResult) -> list[str] | None:
    """The command that repeats a judgement, one option per item; None if no command line can."""
    sweep, settings = result.sweep, result.sweep.settings
    if not _is_repeatable(sweep.subject, settings) or UNNAMED in (result.raw, result.protected, result.queries):
        return None
    options: list[tuple[str, OptionValue]] = [
        ("queries", result.queries),
        ("metric", None if result.metric == "cosine" else result.metric),
        ("texts", sweep.subject.corpus),
        ("defenses", ",".join(sweep.defenses) or "none"),
        ("task", sweep.task),
        *((name, getattr(settings, name)) for name in JUDGE_SETTINGS),
        ("keywords", ",".join(settings.keywords) or None),
        ("attribute", settings.attributes),
        ("probe", settings.probes),
    ]
    start, *rest = build_command("vestige judge", result.raw, options)
    return [f"{start} {shlex.quote(result.protected)}", *rest]


def build_leaderboard_command(result: Leaderboard) -> list[str] | None:
    """The command that repeats a leaderboard, one option per item; None if its texts were passed in Python."""
    if not result.named:
        return None
    options: list[tuple[str, OptionValue]] = [
        ("texts", result.corpus),
        ("encoder", result.encoders),
        ("probe", result.probes),
        ("lengths", ",".join(map(str, result.long_texts)) or "none"),
        *((name, getattr(result.settings, name)) for name in LEADERBOARD_SETTINGS),
    ]
    return build_command("vestige leaderboard", None, options)


def list_defend_settings(settings: Settings) -> list[str]:
    """The settings of a sweep of defenses that hold one value."""
    return [name for name in _list_single(settings) if name not in AUDIT_ONLY]


def build_command(command: str, argument: str | None, options: Iterable[tuple[str, OptionValue]]) -> list[str]:
    """A command with its argument, then one item per option; an option that is None or False is not typed."""
    start = command if argument is None else f"{command} {shlex.quote(argument)}"
    return [start, *(item for name, value in options for item in _type_option(name, value))]


def _build_config(command: str, source: str | None, options: Mapping[str, OptionValue]) -> str:
    """The table of a command; what is None or empty is left to the defaults."""
    given: dict[str, TomlValue] = {} if source is None else {"source": source}
    given |= {name.replace("_", "-"): value for name, value in options.items() if value is not None and value != ()}
    return format_table(command, given)


def _list_audit_options(result: AuditResult) -> list[tuple[str, OptionValue]]:
    settings = result.settings
    return [
        *_list_inputs(result.subject),
        *((name, getattr(settings, name)) for name in _list_single(settings)),
        *_list_joined(settings),
        ("pattern", settings.patterns),
        ("probe", settings.probes),
        ("attribute", settings.attributes),
        ("fail_on", tuple(gate.gate for gate in result.gates)),
    ]


def _list_defend_options(result: DefendResult) -> list[tuple[str, OptionValue]]:
    settings = result.settings
    return [
        *_list_inputs(result.subject),
        ("limit", tuple(result.limits)),
        ("defenses", ",".join(result.defenses)),
        ("task", result.task),
        ("draws", result.draws),
        ("thief", any(map(is_thief, result.trials[0].leakage)) or None),
        *((name, getattr(settings, name)) for name in list_defend_settings(settings)),
        *_list_joined(settings),
        ("pattern", settings.patterns),
        ("attribute", settings.attributes),
        ("probe", settings.probes),
    ]


def _list_joined(settings: Settings) -> list[tuple[str, OptionValue]]:
    """The settings whose values an option has with commas between them."""
    names = ("keywords", "vocabulary", "budgets")
    return [(name, ",".join(map(str, getattr(settings, name))) or None) for name in names]


def _list_inputs(subject: Subject) -> list[tuple[str, OptionValue]]:
    return [
        ("texts", subject.corpus),
        ("encoder", subject.encoder),
        ("auxiliary", subject.auxiliary),
        ("trained_on", subject.trained_on),
    ]


def _list_single(settings: Settings) -> list[str]:
    """The settings that hold one value."""
    return [field.name for field in fields(settings) if field.name not in LIST_SETTINGS]


def _type_option(name: str, value: OptionValue) -> list[str]:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, tuple):
        return [f"{flag} {shlex.quote(element)}" for element in value]
    if value is None or value is False:
        return []
    return [flag if value is True else f"{flag} {shlex.quote(str(value))}"]


def _is_repeatable(subject: Subject, settings: Settings) -> bool:
    """Whether a command line can name everything: not what was passed in Python, nor a keyword with a comma."""
    return subject.named and not any("," in word for word in (*settings.keywords, *settings.vocabulary))
