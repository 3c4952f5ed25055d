"""`vestige fingerprint`: which encoder made these vectors?"""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

Vectors = Annotated[Path, typer.Argument(help="The vectors, .npy or .parquet, one row a text.")]
Candidate = Annotated[
    list[str] | None,
    typer.Option("--encoder", help="An encoder to compare with, besides the installed ones. May be repeated."),
]


def fingerprint(
    vectors: Vectors,
    encoder: Candidate = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    send: options.Send = False,
) -> None:
    """Say which encoder made the vectors, or that none of the installed ones did; no texts are needed.

    Each installed encoder that needs no argument, and each that is named, is asked 1,000 sentences of shipped text.
    """
    from vestige.audit.codec import dumps
    from vestige.audit.library import fingerprint as run_fingerprint
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.stores.read import read_vectors

    given = read_vectors(vectors)
    with progress_bars() as progress, told_when_stopped():
        guess = run_fingerprint(given, encoder or (), seed=seed, send=send, progress=progress)
    if as_json:
        typer.echo(dumps(guess), nl=False)
        return
    typer.echo(f"{vectors.name}: {guess.name or 'none of these encoders'}")
    for name, probability in zip(guess.candidates, guess.probabilities, strict=True):
        typer.echo(f"  {probability:7.1%}  {name}")
    for reason in guess.reasons:
        typer.echo(reason)
