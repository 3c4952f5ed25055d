"""The values that a file gives to one run: those of the command's table, and those of a named run below it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vestige.config.config_file import ConfigFile
from vestige.config.config_key import Commands, CommandTable, ConfigKey
from vestige.config.line_numbers import KeyPath
from vestige.config.references import resolve_reference
from vestige.errors import InputError

OUT = "out"

AUDIT = ("audit",)

INPUT_KEYS = ("source", "texts", "encoder", "auxiliary", "vector-column", "id-column", "text-column", "document-column")
"""What a named audit lends to another command: what it is about, and no setting of the audit."""


@dataclass(frozen=True, slots=True)
class ConfiguredRun:
    """The values of a run by parameter of its command, and the key of the file that each comes from."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, KeyPath] = field(default_factory=dict)


def list_runs(file: ConfigFile, path: tuple[str, ...]) -> list[str]:
    """The names of the runs below a command's table, in the order of the file."""
    return [name for name, value in _find_table(file, path).items() if isinstance(value, dict)]


def build_run(file: ConfigFile, path: tuple[str, ...], table: CommandTable, name: str | None) -> ConfiguredRun:
    """The values of a run: those of [COMMAND.NAME], and those of [COMMAND] where it has none.

    A named run writes to a folder of its own below that of the command, next to the file, unless it names one.
    """
    written = {key: (value, (*path, key)) for key, value in _find_table(file, path).items() if key in table.keys}
    own = {} if name is None else _find_table(file, (*path, name))
    written |= {key: (value, (*path, str(name), key)) for key, value in own.items()}
    run = ConfiguredRun()
    for key, (value, place) in written.items():
        run.values[table.keys[key].parameter] = _resolve(file, table.keys[key], value, place)
        run.places[table.keys[key].parameter] = place
    if name is not None and OUT not in own:
        _name_folder(run, file, table, name)
    return run


def _name_folder(run: ConfiguredRun, file: ConfigFile, table: CommandTable, name: str) -> None:
    """Write below the folder of the command, next to the file: runs with several names do not overwrite each other."""
    out = table.keys.get(OUT)
    if out is not None and out.metavar == "FOLDER":
        run.values[out.parameter] = str(Path(run.values.get(out.parameter) or file.folder / out.default) / name)


def borrow_inputs(file: ConfigFile, path: tuple[str, ...], commands: Commands, name: str) -> ConfiguredRun:
    """The run of a command on the inputs of the audit `name`; the values of the command's own table come first.

    It writes to a folder of its own, like a named run.
    """
    lent, own = build_run(file, AUDIT, commands[AUDIT], name), build_run(file, path, commands[path], None)
    for key in INPUT_KEYS:
        there, here = commands[AUDIT].keys[key].parameter, commands[path].keys.get(key)
        if here is not None and here.parameter not in own.values and there in lent.values:
            own.values[here.parameter], own.places[here.parameter] = lent.values[there], lent.places[there]
    _name_folder(own, file, commands[path], name)
    return own


def _find_table(file: ConfigFile, path: tuple[str, ...]) -> dict[str, Any]:
    table = file.tables
    for name in path:
        table = table.get(name, {})
    return table


def _resolve(file: ConfigFile, key: ConfigKey, value: Any, place: KeyPath) -> Any:
    if isinstance(value, list):
        return [_resolve(file, key, element, (*place, position)) for position, element in enumerate(value)]
    if not isinstance(value, str):
        return value
    try:
        return resolve_reference(key, value, file.folder)
    except InputError as error:
        raise file.fault(place, f"{key.name} = '{value}': {error}") from error
