"""Errors that a command raises over a value of `vestige.toml` begin with the file and the line of that value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vestige.config.config_file import ConfigFile
from vestige.config.config_key import SENDING
from vestige.config.line_numbers import KeyPath
from vestige.errors import InputError

META = "vestige.settings"
"""Where the context of a command keeps its `FileSettings`."""

OPTION = re.compile(r"--([a-z][a-z-]*)|'([a-z_]+)' parameter")
"""How messages name an option: as a flag, or as a parameter of Python."""


@dataclass(frozen=True, slots=True)
class FileSettings:
    """What a file set for a command.

    `places` has the options that no flag overrides, and `typed` those that were typed, both by their long names.
    `run` is the table of a named run, to which a missing option could be added; None without one.
    """

    file: ConfigFile
    places: Mapping[str, KeyPath]
    typed: frozenset[str]
    run: KeyPath | None = None

    def find_place(self, message: str) -> KeyPath | None:
        """The value of the file that a message is about; None if it is about none."""
        named = [flag or parameter.replace("_", "-") for flag, parameter in OPTION.findall(message)]
        set_here = next((self.places[name] for name in named if name in self.places), None)
        missing = any(name not in self.typed and name not in SENDING for name in named)
        return set_here or (self.run if missing else None)


def add_line(context: Any, error: InputError) -> InputError:
    """The same error, with the file and the line in front if it is about a value of the file."""
    settings: FileSettings | None = context.meta.get(META)
    if settings is None or str(error).startswith(f"{settings.file.path}:"):
        return error
    place = settings.find_place(str(error))
    return error if place is None else settings.file.fault(place, str(error))
