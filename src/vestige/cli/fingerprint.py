"""`vestige fingerprint`: identify the encoder that made the vectors."""

from typing import Annotated

import typer

from vestige.cli import options
from vestige.cli.echo import echo

Candidates = Annotated[
    list[str] | None,
    typer.Option("--encoder", metavar="SPEC", help="Another candidate, besides the installed encoders. Repeatable."),
]


def fingerprint(
    source: options.Source,
    encoder: Candidates = None,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    vector_column: options.VectorColumn = None,
    send: options.Send = False,
) -> None:
    """Identify the encoder that made the vectors, or report that no candidate did. No texts are needed.

    The candidates are the installed encoders that need no argument, and those given with --encoder. Each that gives as
    many columns encodes 1,000 sentences of the embedded corpora.
    """
    from vestige.case.codec import dumps
    from vestige.case.encoder_fingerprint import fingerprint as run_fingerprint
    from vestige.case.settings import Settings
    from vestige.case.source import draw_rows
    from vestige.cli.progress import progress_bars, report_interrupt

    drawn = draw_rows(source, None, Settings(seed=seed, vector_column=vector_column))
    with progress_bars() as progress, report_interrupt():
        guess = run_fingerprint(drawn.sample.vectors, encoder or (), seed=seed, send=send, progress=progress)
    if as_json:
        echo(dumps(guess), nl=False)
        return
    echo(f"{drawn.name}: {guess.name or 'none of these encoders'}")
    for name, probability in zip(guess.candidates, guess.probabilities, strict=True):
        echo(f"  {probability:7.1%}  {name}")
    for reason in guess.reasons:
        echo(reason)
