"""One registry for every room: names to classes, found lazily, with "did you mean" for the rest."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from vestige.errors import InputError, MissingExtra


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a class lives, what it does in one line, and which library of which extra it needs.

    An entry that has another way to what it needs is not `strict` and loads without the library.
    """

    place: str
    summary: str
    needs: str | None = None
    extra: str = ""
    strict: bool = True

    @property
    def installed(self) -> bool:
        """Whether the library this entry needs is there."""
        return self.needs is None or find_spec(self.needs) is not None

    def load(self) -> Any:
        """Import the class now, or say how to get what it needs."""
        if self.strict and not self.installed:
            raise MissingExtra(f"'{self.needs}'", self.extra)
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)


@dataclass(frozen=True, slots=True)
class Registry:
    """Names of one kind of thing ("encoder", "attack") and the entries behind them."""

    kind: str
    entries: dict[str, Entry]

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        return iter(sorted(self.entries.items()))

    def __getitem__(self, name: str) -> Entry:
        if name in self.entries:
            return self.entries[name]
        raise InputError(f"unknown {self.kind} '{name}'; {nearest(name, self.entries)}")


def nearest(name: str, known: dict[str, Any] | list[str]) -> str:
    """Say which known name was probably meant, and list the rest."""
    names = sorted(known)
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}known: {', '.join(names)}"
