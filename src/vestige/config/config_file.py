"""Find and read `vestige.toml`, and report faults with the file and the line."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestige.config.line_numbers import KeyPath, find_lines
from vestige.errors import InputError
from vestige.files import read_small

FILE_NAME = "vestige.toml"

_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
REMEDIES = {
    "Invalid value": 'put a string in quotes, as in out = "folder"; true and false are in lower case',
    "Unterminated string": "close the string with the quote that opens it",
    'Expected "\'"': "close the string with the quote that opens it",
    "Illegal character": "close the string with the quote that opens it, on the same line",
    "Unclosed array": "close the array with ], and put a comma between its elements",
    "Expected '='": "write KEY = VALUE",
    "Expected newline": "write one KEY = VALUE per line, and strings in quotes",
    "Unescaped '\\'": "write a backslash twice, or put the string in single quotes",
}
"""What to do about a fault, by the beginning of what `tomllib` says."""

_TWICE = re.compile(r"Cannot declare (\(.*\)) twice")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A parsed file: its path, its tables, and the line of every key."""

    path: Path
    tables: dict[str, Any]
    lines: dict[KeyPath, int]

    @property
    def folder(self) -> Path:
        """The folder that relative paths start from; empty if it is the current one, so that they stay as written."""
        return Path() if self.path.parent.resolve() == Path.cwd() else self.path.parent

    def fault(self, key: KeyPath, message: str) -> InputError:
        """An error that begins with the file and the line of a key."""
        return InputError(f"{self.path}:{self.find_line(key)}: {message}")

    def find_line(self, key: KeyPath) -> int:
        """The line of a key, or of the nearest table around it that has one."""
        while key and key not in self.lines:
            key = key[:-1]
        return self.lines.get(key, 1)


def find_config(start: Path) -> Path | None:
    """The nearest `vestige.toml` in a folder or one of its parents; None without one."""
    return next((folder / FILE_NAME for folder in (start, *start.parents) if (folder / FILE_NAME).is_file()), None)


def read_config(path: Path) -> ConfigFile:
    """Read a file; a syntax error is reported with its line. The keys are not checked yet."""
    try:
        content = read_small(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}); `vestige init` writes a {FILE_NAME}, and --config names one"
        ) from error
    document = _decode(content, path)
    try:
        tables = tomllib.loads(document)
        str(tables)  # Raises for a hexadecimal number that no message could show.
        return ConfigFile(path, tables, find_lines(document))
    except tomllib.TOMLDecodeError as error:
        raise InputError(_describe_fault(path, str(error), document)) from error
    except (ValueError, RecursionError) as error:  # A number of thousands of digits, or lists thousands deep.
        raise InputError(f"{path} is not a file of settings ({error}); `vestige init` writes one") from error


def _decode(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: this is not UTF-8 ({error.reason}); save the file as UTF-8") from error


def _describe_fault(path: Path, message: str, document: str) -> str:
    """What `tomllib` found, with the line first."""
    position = _POSITION.search(message)
    line, column = (position[1], position[2]) if position and position[1] else (document.count("\n") + 1, None)
    what = _POSITION.sub("", message)
    place = f" in column {column}" if column else " at the end of the file"
    twice = _TWICE.match(what)
    if twice:
        table = ".".join(re.findall(r"'([^']*)'", twice[1]))
        return f"{path}:{line}: the table [{table}] is defined twice; give each a name of its own, or join them"
    if what.startswith("Cannot overwrite"):
        key = document.splitlines()[int(line) - 1].partition("=")[0].strip()
        return f"{path}:{line}: '{key}' is set a second time in its table; remove one of the two"
    return f"{path}:{line}: this is not valid TOML: {what[:1].lower()}{what[1:]}{place}{_suggest_remedy(what)}"


def _suggest_remedy(what: str) -> str:
    return next((f"; {remedy}" for start, remedy in REMEDIES.items() if what.startswith(start)), "")
