"""`vestige fingerprint`: which encoder made these vectors?"""

from typing import Annotated

import typer

from vestige.cli import options

Source = Annotated[
    str, typer.Argument(help="Where the vectors lie: a file, or a store such as chroma:FOLDER#COLLECTION.")
]
Candidate = Annotated[
    list[str] | None,
    typer.Option("--encoder", help="An encoder to compare with, besides the installed ones. May be repeated."),
]


def fingerprint(
    source: Source,
    encoder: Candidate = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    vector_column: options.VectorColumn = None,
    send: options.Send = False,
) -> None:
    """Say which encoder made the vectors, or that none of the installed ones did; no texts are needed.

    Each installed encoder that needs no argument, and each that is named, is asked 1,000 sentences of shipped text.
    """
    from vestige.case.codec import dumps
    from vestige.case.encoder_fingerprint import fingerprint as run_fingerprint
    from vestige.case.settings import Settings
    from vestige.case.source import draw
    from vestige.cli.progress import progress_bars, told_when_stopped

    given = draw(source, None, Settings(seed=seed, vector_column=vector_column))
    with progress_bars() as progress, told_when_stopped():
        guess = run_fingerprint(given.sample.vectors, encoder or (), seed=seed, send=send, progress=progress)
    if as_json:
        typer.echo(dumps(guess), nl=False)
        return
    typer.echo(f"{given.name}: {guess.name or 'none of these encoders'}")
    for name, probability in zip(guess.candidates, guess.probabilities, strict=True):
        typer.echo(f"  {probability:7.1%}  {name}")
    for reason in guess.reasons:
        typer.echo(reason)
