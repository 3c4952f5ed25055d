"""Values of `vestige.toml` and of presets become defaults of a command: flag, then file, then preset, then default."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from vestige.case.settings import PRESETS, Settings
from vestige.cli.command_keys import (
    NOT_CONFIGURED,
    OTHER_SOURCE,
    describe_commands,
    find_command_path,
    find_source,
)
from vestige.cli.echo import echo
from vestige.cli.fault_lines import META, FileSettings
from vestige.config.config_file import ConfigFile, find_config, read_config
from vestige.config.config_key import CommandTable, check_tables
from vestige.errors import InputError, VestigeError
from vestige.registry import nearest

ALTERNATIVES = {"within": "targets", "targets": "within", "quiet": "verbose", "verbose": "quiet"}
"""Of two such options, only one can be given."""

INPUTS = ("vectors", "source", "texts", OTHER_SOURCE)
"""The parameters that say what a command works on."""


def configure(context: Any, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Set the defaults of a command from the file and the preset; returns the parameters to replace after parsing.

    `typed` has the options as they were typed, by parameter. A SOURCE that names a run of the file is replaced by the
    source of that run.
    """
    path = find_command_path(context)
    if not path or path[-1] in NOT_CONFIGURED:
        return {}
    file = read_nearest(_as_text(typed.get("config")))
    values, replaced = ({}, {}) if file is None else _take_run(context, file, path, typed)
    other = _as_text(typed.get(OTHER_SOURCE))
    if other is not None:
        replaced = {_check_replaces(context, replaced, typed): other}
    preset = _as_text(typed.get("preset")) or values.get("preset")
    known = {option.name for option in context.command.params}
    below = {name: value for name, value in PRESETS.get(str(preset), {}).items() if name in known}
    if "probes" in below:
        below["probes"] = _add_gated(below["probes"], typed.get("fail_on") or values.get("fail_on") or ())
    context.default_map = {**below, **_drop_overridden(values, typed)}
    return {**replaced, **_drop_encoder(context, typed)}


def _drop_encoder(context: Any, typed: Mapping[str, Any]) -> dict[str, None]:
    """`--encoder ""` takes back the encoder of the file, which does not match vectors that were protected."""
    optional = any(option.name == "encoder" and not option.required for option in context.command.params)
    return {"encoder": None} if optional and typed.get("encoder") == "" else {}


def _check_replaces(context: Any, replaced: Mapping[str, Any], typed: Mapping[str, Any]) -> str:
    """The parameter that --source replaces. Raises if SOURCE was typed and names no run: then there are two sources."""
    source = find_source(context.command).name
    if source not in replaced and typed.get(source) is not None:
        raise InputError(
            f"'{typed[source]}' and --source both name vectors; give one, or the name of an audit as SOURCE"
        )
    return str(source)


def _add_gated(probes: Sequence[str], gates: Sequence[str]) -> tuple[str, ...]:
    """The probes of a preset, and those that gates need; gates that cannot be read are reported by the command."""
    from vestige.audit.gate import parse_gate
    from vestige.probes.plan import list_probes

    gated = []
    for gate in gates:
        with suppress(InputError):
            gated.append(parse_gate(gate, list_probes()).probe)
    return tuple(dict.fromkeys([*probes, *gated]))


def _drop_overridden(values: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the file, without those that contradict an option that was typed."""
    for option, other in ALTERNATIVES.items():
        if option < other and typed.get(option) and typed.get(other):
            raise InputError(f"--{option} and --{other} contradict each other; give one of them")
    return {name: value for name, value in values.items() if not typed.get(ALTERNATIVES.get(name, ""))}


def read_nearest(named: str | None) -> ConfigFile | None:
    """The file that --config names, or the nearest one; None if there is none."""
    path = find_config(Path.cwd()) if named is None else Path(named)
    return None if path is None else read_config(path)


def list_run_names(context: Any) -> list[str]:
    """The names of the runs of a command, for completion; none if the nearest file cannot be read."""
    try:
        file = read_nearest(None)
        return [] if file is None else _list_names(file, find_command_path(context))
    except (InputError, OSError, AttributeError):
        return []


def _take_run(
    context: Any, file: ConfigFile, path: tuple[str, ...], typed: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the run, and the parameters whose typed value was the name of the run."""
    from vestige.config.runs import AUDIT, borrow_inputs, build_run, list_runs

    tables = describe_commands(context.find_root().command)
    check_tables(file, tables)
    source = find_source(context.command)
    name = None if source is None else _choose_run(file, path, _as_text(typed.get(source.name)), typed)
    borrowed = name is not None and name not in list_runs(file, path)
    run = borrow_inputs(file, path, tables, str(name)) if borrowed else build_run(file, path, tables[path], name)
    if name is not None and source.required and source.name not in run.values and not typed.get(OTHER_SOURCE):
        raise file.fault(
            (*(AUDIT if borrowed else path), name),
            f"'{name}' has no vectors: it encodes texts; write them with `vestige encode`, and give the file as SOURCE",
        )
    table = (*(AUDIT if borrowed else path), *([name] if name else []))
    for parameter in context.command.params:
        if parameter.name in run.places:
            _check_value(context, file, parameter, run.values[parameter.name], run.places[parameter.name])
    if run.values:
        if not (typed.get("quiet") or run.values.get("quiet")):
            echo(f"settings: {file.path} [{'.'.join(table)}]", err=True)
        _check_complete(context, file, tables[path], {**run.values, **_drop_absent(typed)}, table)
    flags = {key.name for key in tables[path].keys.values() if typed.get(key.parameter)}
    places = {str(place[-1]): place for place in run.places.values() if place[-1] not in flags}
    context.meta[META] = FileSettings(file, places, frozenset(flags), table if name else None)
    return run.values, {} if name is None else {source.name: run.values.get(source.name)}


def _drop_absent(typed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in typed.items() if value is not None}


def _check_complete(
    context: Any, file: ConfigFile, described: CommandTable, given: Mapping[str, Any], table: tuple[str, ...]
) -> None:
    """Raise for what the command needs, and neither the file nor the command line gives."""
    absent = {each.name for each in context.command.params if each.required and each.name not in given}
    if OTHER_SOURCE in given:
        absent.discard(find_source(context.command).name)
    names = [key.name for key in described.keys.values() if key.parameter in absent]
    if names:
        needed = " and ".join(names)
        raise file.fault(table, f"[{'.'.join(table)}] does not set {needed}; set it here, or on the command line")


def _list_names(file: ConfigFile, path: tuple[str, ...]) -> list[str]:
    """The runs of a command, and the audits, whose inputs any command can take."""
    from vestige.config.runs import AUDIT, list_runs

    return [*dict.fromkeys([*list_runs(file, path), *list_runs(file, AUDIT)])]


def _choose_run(file: ConfigFile, path: tuple[str, ...], source: str | None, typed: Mapping[str, Any]) -> str | None:
    """The run that SOURCE names, if it does; raises if a run must be named, or was probably meant."""
    from vestige.config.runs import AUDIT, list_runs

    own, names = list_runs(file, path), _list_names(file, path)
    if source in names:
        if Path(str(source)).exists():
            echo(
                f"note: '{source}' is in {file.path}, and a file has that name too; for the file, write ./{source}",
                err=True,
            )
        return source
    table = file.tables.get(path[0], {})
    if not names:
        return None
    if own and source is None and not any(typed.get(name) for name in INPUTS) and not {"source", "texts"} & set(table):
        choice = f"vestige {' '.join(path)} {'|'.join(own)}"
        raise file.fault((*path, own[0]), f"the runs of this command have names; choose one: {choice}")
    if source is not None and not set(source) & set(".:/\\") and not Path(source).exists():
        first = (*path, own[0]) if own else (*AUDIT, names[0])
        raise file.fault(first, f"'{source}' is neither a file nor a run that is named here; {nearest(source, names)}")
    return None


def _check_value(context: Any, file: ConfigFile, parameter: Any, value: Any, place: Any) -> None:
    """Let the command judge a value now, to report a fault with its line."""
    try:
        parameter.process_value(context, value)
    except typer.BadParameter as error:
        raise file.fault(place, f"'{place[-1]}' is {value}: {error.message}") from error
    if context.info_name in ("audit", "defend") and parameter.name in Settings.__dataclass_fields__:
        _check_setting(file, parameter.name, value, place)
    check = _find_check(file, context.info_name, parameter.name)
    if check is None:
        return
    elements = [((*place, at), each) for at, each in enumerate(value)] if isinstance(value, list) else [(place, value)]
    for where, element in elements:
        try:
            check(element)
        except VestigeError as error:
            raise file.fault(where, str(error)) from error


def _check_setting(file: ConfigFile, name: str, value: Any, place: Any) -> None:
    """Report a number that is out of range; two of them limit each other and are checked together later."""
    if name in ("shortest", "longest") or not isinstance(value, int):
        return
    number: dict[str, Any] = {name: value}
    try:
        Settings(**number)
    except InputError as error:
        raise file.fault(place, str(error)) from error


def _find_check(file: ConfigFile, command: str, parameter: str) -> Any:
    """The function that parses a value, or each element of an array, in a notation of ours; None for plain values."""
    from vestige.audit.change_gate import parse_change_gate
    from vestige.audit.gate import parse_gate
    from vestige.cli.compare import find_side
    from vestige.defend.candidates import split_specs
    from vestige.defend.limits import parse_limit
    from vestige.defenses.catalogue import make_defense
    from vestige.encoders.load import check_spec
    from vestige.probes.plan import check_recipe, choose_probes, list_probes
    from vestige.protect.resolve_defense import is_folder
    from vestige.text.patterns.load import load_pattern

    checks: dict[tuple[str, str], Any] = {
        ("audit", "fail_on"): lambda gate: parse_gate(gate, list_probes()),
        ("compare", "fail_on"): lambda gate: parse_change_gate(gate, list_probes()),
        ("compare", "base"): lambda side: find_side(side, file.path),
        ("compare", "new"): lambda side: find_side(side, file.path),
        ("defend", "limits"): parse_limit,
        ("defend", "defenses"): split_specs,
        ("protect", "defense"): lambda spec: is_folder(spec) or make_defense(spec.partition("@")[0]),
        ("audit", "recipe"): check_recipe,
    }
    named: dict[str, Any] = {
        "probes": lambda name: choose_probes([name]),
        "patterns": load_pattern,
        "encoder": check_spec,
        "surrogate": check_spec,
    }
    return checks.get((command, parameter)) or named.get(parameter)


def _as_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
