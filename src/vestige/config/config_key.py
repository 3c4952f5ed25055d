"""The keys of a table: each is an option of a command, with the type of value that the option takes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vestige.config.config_file import ConfigFile
from vestige.config.line_numbers import KeyPath
from vestige.registry import nearest

EXPECTED = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
SHOWN = (str, int, float, bool)
"""Types of values that a message shows as they are written; others are named."""

LONGEST_SHOWN = 60

MEANT = {"vectors": "source", "store": "source", "gate": "fail-on", "gates": "fail-on", "model": "encoder"}
"""Keys that people try, and the one that they mean."""

SENDING = {
    "send": "to send texts to a paid service",
    "engine": "to run on a cluster, whose machines receive the texts",
    "address": "to run on a cluster, whose machines receive the texts",
}
"""Options that a file may not set: one that a repository carries must not send texts to another machine."""


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """An option that a file may set.

    `parameter` is the name under which the command takes it, `kind` the type of a value, `many` whether there may be
    several, `choices` the values that it accepts, if they are listed, `metavar` what a value names, and `default` the
    value of the command without a file.
    """

    name: str
    parameter: str
    kind: type
    many: bool = False
    choices: tuple[Any, ...] = ()
    metavar: str = ""
    is_path: bool = False
    default: Any = None

    def find_type_fault(self, value: Any) -> str | None:
        """What is wrong with the type of a value; None if nothing is."""
        if self.many:
            written = json.dumps(value) if isinstance(value, self.kind) else '"..."'
            expected = f"an array, as in {self.name} = [{written}]"
            return None if isinstance(value, list) else self._describe_fault(value, expected)
        return self._find_single_fault(value)

    def find_element_faults(self, value: list[Any]) -> dict[int, str]:
        """What is wrong with the elements of an array, by position."""
        faults = {position: self._find_single_fault(element) for position, element in enumerate(value)}
        return {position: fault for position, fault in faults.items() if fault is not None}

    def _find_single_fault(self, value: Any) -> str | None:
        if not self._is_kind(value):
            return self._describe_fault(value, EXPECTED[self.kind])
        if self.choices and value not in self.choices:
            return f"is {json.dumps(value)}; {nearest(str(value), [*map(str, self.choices)])}"
        return None

    def _is_kind(self, value: Any) -> bool:
        if self.kind is float:
            return isinstance(value, int | float) and not isinstance(value, bool)
        return isinstance(value, self.kind) and (self.kind is bool or not isinstance(value, bool))

    def _describe_fault(self, value: Any, expected: str) -> str:
        return f"is {_describe_found(value)}; expected {expected}"


def _describe_found(value: Any) -> str:
    """A value as it is written in the file, if it is short."""
    if isinstance(value, SHOWN):
        written = json.dumps(value, ensure_ascii=False)
        shown = written if len(written) <= LONGEST_SHOWN else f"{written[: LONGEST_SHOWN - 3]}..."
        return f"the string {shown}" if isinstance(value, str) else shown
    return "a table" if isinstance(value, dict) else "an array" if isinstance(value, list) else "a date or time"


Keys = Mapping[str, ConfigKey]


@dataclass(frozen=True, slots=True)
class CommandTable:
    """The table of a command: its keys, and whether it may hold named runs (tables below it)."""

    keys: Keys
    named_runs: bool


Commands = Mapping[tuple[str, ...], CommandTable]


def check_tables(file: ConfigFile, commands: Commands) -> None:
    """Raise, with the line, at the first unknown table, unknown key or value of a wrong type."""
    _check_group(file, file.tables, (), commands)


def _check_group(file: ConfigFile, tables: dict[str, Any], path: tuple[str, ...], commands: Commands) -> None:
    for name, value in tables.items():
        inner = (*path, name)
        if inner in commands:
            _check_command(file, _as_table(file, value, inner), inner, commands[inner])
        elif any(known[: len(inner)] == inner for known in commands):
            _check_group(file, _as_table(file, value, inner), inner, commands)
        else:
            known = sorted({known[len(path)] for known in commands if known[: len(path)] == path})
            if not isinstance(value, dict):
                raise file.fault(inner, f"'{name}' is in no table; put it below that of its command, such as [audit]")
            place = f" in [{'.'.join(path)}]" if path else ""
            raise file.fault(inner, f"unknown table '{name}'{place}; {_suggest(name, known, 'tables')}")


def _check_command(file: ConfigFile, table: dict[str, Any], path: KeyPath, command: CommandTable) -> None:
    for name, value in table.items():
        if command.named_runs and isinstance(value, dict):
            _check_run(file, name, value, path, command)
        else:
            _check_value(file, (*path, name), value, command.keys)


def _check_run(file: ConfigFile, name: str, run: dict[str, Any], path: KeyPath, command: CommandTable) -> None:
    if name in command.keys:
        raise file.fault((*path, name), f"'{name}' is an option of {path[-1]}; choose another name for the table")
    for key, value in run.items():
        _check_value(file, (*path, name, key), value, command.keys)


def _check_value(file: ConfigFile, path: KeyPath, value: Any, keys: Keys) -> None:
    name, table = str(path[-1]), ".".join(map(str, path[:-1]))
    if name in SENDING:
        raise file.fault(
            path,
            f"'{name}' may not be set in a file; {SENDING[name]}, give the flag --{name}",
        )
    if name not in keys:
        raise file.fault(path, f"unknown key '{name}' in [{table}]; {_suggest_key(name, keys)}")
    fault = keys[name].find_type_fault(value)
    if fault is not None:
        raise file.fault(path, f"'{name}' in [{table}] {fault}")
    for position, element in keys[name].find_element_faults(value).items() if keys[name].many else ():
        raise file.fault((*path, position), f"element {position + 1} of '{name}' in [{table}] {element}")


def _as_table(file: ConfigFile, value: Any, path: KeyPath) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    name = ".".join(map(str, path))
    raise file.fault(path, f"'{name}' is not a table; expected the line [{name}] and its options below it")


def _suggest_key(name: str, keys: Keys) -> str:
    """The key that was probably meant; all keys only if none resembles it, since there are many."""
    meant = MEANT.get(name)
    if meant in keys:
        return f"did you mean '{meant}'?"
    listed = _suggest(name, sorted(keys), "keys")
    return listed.partition(" known keys:")[0] if listed.startswith("did you mean") else listed


def _suggest(name: str, known: list[str], what: str) -> str:
    return nearest(name.replace("_", "-"), known).replace("known:", f"known {what}:")
