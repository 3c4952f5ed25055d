"""`vestige list`: what there is, what is missing, and how to get it."""

from typing import Annotated

import typer


def catalogue(as_json: Annotated[bool, typer.Option("--json", help="Print the lists as JSON.")] = False) -> None:
    """List what can be asked, attacked, defended and read, what of it is missing, and the command that gets it."""
    import json

    from vestige.attacks.catalogue import ATTACKS
    from vestige.defenses.catalogue import DEFENSES
    from vestige.encoders.load import ENCODERS
    from vestige.probes.plan import PROBES
    from vestige.registry import Registry
    from vestige.stores.load import FILES, STORES
    from vestige.text.named import FOUND, SHIPPED, is_present
    from vestige.text.patterns import load_pattern, shipped_patterns

    def entries(registry: Registry) -> dict[str, str]:
        return {name: f"{entry.summary}{_missing(entry.installed, entry.extra)}" for name, entry in registry}

    lists = {
        "probes": {probe.name: probe.question for probe in PROBES},
        "attacks": entries(ATTACKS),
        "encoders": entries(ENCODERS),
        "defenses": entries(DEFENSES),
        "stores": entries(STORES),
        "files of vectors": {
            ending: f"{entry.summary}{_missing(entry.installed, entry.extra)}" for ending, entry in FILES.items()
        },
        "corpora": {
            name: f"{named.summary}{'' if is_present(name) else ' (not here: ' + named.source + ', see VESTIGE_DATA)'}"
            for name, named in {**SHIPPED, **FOUND}.items()
        },
        "patterns": {name: load_pattern(name).summary for name in shipped_patterns()},
    }
    if as_json:
        typer.echo(json.dumps(lists, indent=1))
        return
    for kind, members in lists.items():
        typer.echo(f"{kind}:")
        for name, summary in members.items():
            typer.echo(f"  {name:<20}{summary}")


def _missing(installed: bool, extra: str) -> str:
    return "" if installed else f" (not installed: pip install 'vestige[{extra}]')"
