"""The keys that `vestige.toml` may set, derived from the parameters of the commands themselves."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from vestige.config.config_key import SENDING, Commands, CommandTable, ConfigKey

NOT_CONFIGURED = ("init", "completion")
"""Commands that read no file: one writes it, the other must work with a broken one."""

OTHER_SOURCE = "other_source"
"""The parameter of --source: vectors in place of those of the run that SOURCE names."""

FLAGS_ONLY = ("config", "help", *SENDING, OTHER_SOURCE)
"""Options that only the command line has."""


def describe_commands(group: Any, path: tuple[str, ...] = ()) -> Commands:
    """The table of every command below a group, by the path of the command."""
    return {place: describe_command(command) for place, command in _list_commands(group, path)}


def describe_command(command: Any) -> CommandTable:
    """The keys of a command; it may have named runs if it takes a SOURCE."""
    annotations = {name: each.annotation for name, each in inspect.signature(command.callback).parameters.items()}
    options = [each for each in command.params if each.name not in FLAGS_ONLY]
    keys = [_describe_key(option, annotations[option.name]) for option in options]
    return CommandTable({key.name: key for key in keys}, named_runs=find_source(command) is not None)


def find_source(command: Any) -> Any:
    """The argument SOURCE of a command; None if it takes none."""
    found = (each for each in command.params if each.param_type_name == "argument" and each.metavar == "SOURCE")
    return next(found, None)


def find_command_path(context: Any) -> tuple[str, ...]:
    """The names that lead to the command of a context, without that of the program."""
    names: list[str] = []
    while context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    return tuple(names)


def _list_commands(group: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _list_commands(command, (*path, name))
        elif name not in NOT_CONFIGURED:
            yield (*path, name), command


def _describe_key(option: Any, annotation: Any) -> ConfigKey:
    kind, many, choices = _read_annotation(annotation)
    return ConfigKey(
        name=_name_key(option),
        parameter=option.name,
        kind=str if kind is Path else kind,
        many=many,
        choices=choices,
        metavar=option.metavar or "",
        is_path=kind is Path,
        default=option.default,
    )


def _name_key(option: Any) -> str:
    """The long option without its dashes; for an argument, the name that the help page shows."""
    if option.param_type_name == "argument":
        return str(option.metavar or option.name).lower()
    return str(max(option.opts, key=len)).removeprefix("--")


def _read_annotation(annotation: Any) -> tuple[type, bool, tuple[Any, ...]]:
    """The type of one value, whether there may be several, and the values to choose from."""
    if get_origin(annotation) is Annotated:
        return _read_annotation(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _read_annotation(next(part for part in get_args(annotation) if part is not NoneType))
    if get_origin(annotation) is list:
        kind, _, choices = _read_annotation(get_args(annotation)[0])
        return kind, True, choices
    if get_origin(annotation) is Literal:
        return str, False, get_args(annotation)
    return annotation, False, ()
