"""Where in a file something stands, and what may stand there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest


@dataclass(frozen=True, slots=True)
class Place:
    """A key of a TOML file; it words the error where its value cannot be used."""

    path: Path
    key: str = ""

    def __str__(self) -> str:
        return f"{self.path}, {self.key}" if self.key else str(self.path)

    def at(self, key: str) -> "Place":
        """Another key of the same file."""
        return Place(self.path, key)

    def only(self, table: dict[str, Any], known: list[str]) -> None:
        """Refuse a key that nothing reads."""
        for key in table:
            if key not in known:
                raise InputError(f"{self}: unknown key '{key}'; {nearest(key, known)}")

    def table(self, given: Any) -> dict[str, Any]:
        """A table with something in it."""
        if not isinstance(given, dict) or not given:
            raise self.wrong(given, "a table such as year = { range = [1920, 2019] }")
        return given

    def text(self, given: Any) -> str:
        """A string."""
        if not isinstance(given, str):
            raise self.wrong(given, "text in quotes")
        return given

    def whole(self, given: Any, least: int) -> int:
        """A whole number that is not below the least."""
        if not isinstance(given, int) or isinstance(given, bool) or given < least:
            raise self.wrong(given, f"a whole number of at least {least}")
        return given

    def texts(self, given: Any) -> list[str]:
        """A list of strings, at least one, none twice."""
        if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
            raise self.wrong(given, "text in quotes, or a list of such")
        self._once(given)
        return given

    def names(self, given: Any, known: Collection[str], remedy: str) -> tuple[str, ...]:
        """A list of known names, at least one, none twice."""
        if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
            raise self.wrong(given, f"a list of names of fields; {remedy}")
        self._once(given)
        for name in given:
            if name not in known:
                raise InputError(f"{self}: unknown field '{name}'; {nearest(name, list(known))}")
        return tuple(given)

    def wrong(self, given: Any, expected: str) -> InputError:
        """What was found and what was expected."""
        return InputError(f"{self}: found {'nothing' if given is None else repr(given)}; expected {expected}")

    def _once(self, given: Sequence[str]) -> None:
        twice = sorted({each for each in given if given.count(each) > 1})
        if twice:
            raise InputError(f"{self}: '{twice[0]}' is named more than once; leave one out")
