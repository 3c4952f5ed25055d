"""The line of every key of a TOML document, which `tomllib` does not report.

The document must be valid: parse it with `tomllib` first. A key is a path, such as ("audit", "letters", "targets"); the
elements of an array have their position as the last part.
"""

import re
import tomllib
from typing import Any

KeyPath = tuple[str | int, ...]
DEEPEST = 100

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def find_lines(document: str) -> dict[KeyPath, int]:
    """The line numbers, from 1, of the tables, keys and array elements of a valid TOML document."""
    return _Scanner(document.replace("\r\n", "\n")).scan()


class _Scanner:
    """A position in the document, and the lines found before it."""

    def __init__(self, document: str) -> None:
        self._document, self._place = document, 0
        self._lines: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._place < len(self._document):
            if self._peek() == "[":
                table = self._read_header()
            else:
                self._read_pair(table)
            self._skip(_BLANK)
        return self._lines

    def _read_header(self) -> KeyPath:
        """Read `[a.b]` or `[[a.b]]`, and return the path of the table."""
        brackets = 2 if self._document.startswith("[[", self._place) else 1
        self._place += brackets
        path = self._read_key(())
        self._place += brackets
        return path

    def _read_pair(self, table: KeyPath) -> None:
        path = self._read_key(table)
        self._place += 1  # The equals sign.
        self._read_value(path)

    def _read_key(self, table: KeyPath) -> KeyPath:
        """Read a key with its dots, and the space around it; every prefix of the key is a table on the same line."""
        path = table
        while True:
            self._skip(_SPACE)
            path = (*path, self._read_key_part())
            if len(path) > DEEPEST:
                raise RecursionError(f"tables in tables more than {DEEPEST} deep")
            self._lines.setdefault(path, self._count_line())
            self._skip(_SPACE)
            if self._peek() != ".":
                return path
            self._place += 1

    def _read_key_part(self) -> str:
        if self._peek() in "\"'":
            parsed: dict[str, Any] = tomllib.loads(f"{self._take(_STRING)} = 0")
            return next(iter(parsed))
        return self._take(_BARE_KEY)

    def _read_value(self, path: KeyPath) -> None:
        self._skip(_BLANK)
        self._lines.setdefault(path, self._count_line())
        match self._peek():
            case "[":
                self._read_array(path)
            case "{":
                self._read_inline_table(path)
            case '"' | "'":
                self._take(_STRING)
            case _:
                self._take(_SCALAR)

    def _read_array(self, path: KeyPath) -> None:
        self._place += 1
        position = 0
        self._skip(_BLANK)
        while self._peek() != "]":
            self._read_value((*path, position))
            position += 1
            self._skip_comma()
        self._place += 1

    def _read_inline_table(self, path: KeyPath) -> None:
        self._place += 1
        self._skip(_BLANK)
        while self._peek() != "}":
            self._read_pair(path)
            self._skip_comma()
        self._place += 1

    def _skip_comma(self) -> None:
        self._skip(_BLANK)
        if self._peek() == ",":
            self._place += 1
            self._skip(_BLANK)

    def _count_line(self) -> int:
        return self._document.count("\n", 0, self._place) + 1

    def _peek(self) -> str:
        return self._document[self._place : self._place + 1]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._place = self._match(pattern).end()

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = self._match(pattern)
        self._place = found.end()
        return found.group()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self._document, self._place)
        if found is None:
            raise ValueError(f"line {self._count_line()} is not valid TOML; parse the document first")
        return found
