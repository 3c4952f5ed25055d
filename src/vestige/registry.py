"""Names of one kind of thing, the built-in ones and those of plugins, with "did you mean" for the rest.

A plugin is a package that declares an entry point in the group of the kind, such as `vestige.attacks`. Its name is the
name of the entry point. A plugin that cannot be loaded is logged by name and skipped; `Registry.broken` says why.
"""

import logging
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, reduce
from hashlib import sha256
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vestige.errors import InputError, MissingExtra

log = logging.getLogger(__name__)

PLUGIN_KINDS = ("attacks", "defenses", "encoders", "probes", "stores")
"""What other packages can add, each in the entry-point group `vestige.KIND`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an object is defined, what it does in one line, and which library of which extra it requires.

    An entry that can work without the library is not `strict` and loads without it. `origin` is the distribution that
    provides it.
    """

    place: str
    summary: str
    needs: str | None = None
    extra: str = ""
    strict: bool = True
    origin: str = "vestige"

    @property
    def installed(self) -> bool:
        """Whether the library that this entry requires is installed."""
        return self.needs is None or find_spec(self.needs) is not None

    def load(self) -> Any:
        """Import the object, or raise an error that names the extra to install."""
        if self.strict and not self.installed:
            raise MissingExtra(f"'{self.needs}'", self.extra)
        module, _, name = self.place.partition(":")
        return reduce(getattr, name.split("."), import_module(module))


@dataclass(eq=False)
class Registry:
    """The entries of one kind ("encoder", "attack"): built-in ones, and plugins found through entry points.

    `builtin` holds the entries, or finds them when they are first needed. `group` is the entry-point group of plugins;
    without one there are none. `check` returns what is wrong with a plugin's object, or None; `describe` returns its
    summary.
    """

    kind: str
    builtin: dict[str, Entry] | Callable[[], dict[str, Entry]]
    group: str = ""
    check: Callable[[Any], str | None] = field(default=lambda _loaded: None)
    describe: Callable[[Any], str] = field(default=lambda loaded: first_line(loaded))
    broken: dict[str, str] = field(default_factory=dict, init=False)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """All entries by name."""
        found = dict(self.builtin() if callable(self.builtin) else self.builtin)
        for plugin in entry_points(group=self.group) if self.group else ():
            entry = self._load_plugin(plugin, found)
            if entry is not None:
                found[plugin.name] = entry
        return found

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        return iter(sorted(self.entries.items()))

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def __getitem__(self, name: str) -> Entry:
        if name in self.entries:
            return self.entries[name]
        if name in self.broken:
            raise InputError(f"{self.kind} '{name}' is a plugin that cannot be used: {self.broken[name]}")
        raise InputError(f"unknown {self.kind} '{name}'; {nearest(name, self.entries)}")

    def _load_plugin(self, plugin: EntryPoint, known: dict[str, Entry]) -> Entry | None:
        """The plugin's entry; None, with the reason in `broken` and in the log, where it cannot be used."""
        origin = plugin.dist.name if plugin.dist is not None else plugin.value
        try:
            if plugin.name in known:
                raise ValueError(f"the name '{plugin.name}' is taken by {known[plugin.name].origin}")
            loaded = plugin.load()
            fault = self.check(loaded)
            if fault is not None:
                raise ValueError(fault)
            return Entry(f"{plugin.module}:{plugin.attr}", self.describe(loaded), origin=origin)
        except Exception as error:  # A plugin is foreign code; whatever it raises must not stop the program.
            self.broken[plugin.name] = f"{type(error).__name__}: {error} (package {origin})"
            log.warning("%s plugin '%s' is skipped: %s", self.kind, plugin.name, self.broken[plugin.name])
            return None


def find_declared(package: str, attribute: str) -> dict[str, Any]:
    """The classes below a package that declare themselves with an attribute of this name, by place ("module:Class").

    A module in whose source no class sets the attribute is not imported, so that listing loads no heavy library.
    """
    found = {}
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        if not _may_declare(module.name, attribute):
            continue
        for name, member in vars(import_module(module.name)).items():
            if isinstance(member, type) and attribute in vars(member) and member.__module__ == module.name:
                found[f"{module.name}:{name}"] = member
    return found


def _may_declare(module: str, attribute: str) -> bool:
    spec = find_spec(module)
    source = spec.loader.get_source(module) if spec and isinstance(spec.loader, InspectLoader) else None
    return source is None or re.search(rf"^ +{attribute}\b.*=", source, re.MULTILINE) is not None


def list_plugins() -> list[tuple[str, str, str, str]]:
    """The kind, name, package version and source digest of every installed plugin, for keys of cached results."""
    found = []
    for kind in PLUGIN_KINDS:
        for plugin in entry_points(group=f"vestige.{kind}"):
            spec = find_spec(plugin.module.partition(".")[0])
            source = Path(spec.origin).read_bytes() if spec is not None and spec.origin else b""
            version = "" if plugin.dist is None else f"{plugin.dist.name} {plugin.dist.version}"
            found.append((kind, plugin.name, version, sha256(source).hexdigest()))
    return sorted(found)


def first_line(loaded: Any) -> str:
    """The first line of an object's docstring."""
    return (loaded.__doc__ or "").strip().partition("\n")[0]


def nearest(name: str, known: dict[str, Any] | list[str]) -> str:
    """Suggest the known name that was probably meant, and list all of them."""
    names = sorted(known)
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}known: {', '.join(names)}"
