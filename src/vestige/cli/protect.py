"""`vestige protect`: from vectors to defended vectors."""

from pathlib import Path
from typing import Annotated

import typer

Source = Annotated[
    str, typer.Argument(help="The vectors: .npy, .parquet and other files, or a store as KIND:WHERE#NAME.")
]
Out = Annotated[Path, typer.Argument(help="The file to write, .npy for the vectors or .parquet for all columns.")]
Asked = Annotated[
    str,
    typer.Option(
        "--defense", help="The folder of a fitted defense, or a spec such as rounding:2; `vestige list` has them."
    ),
]
Column = Annotated[str | None, typer.Option(help="The column that holds the vectors, where there is a choice.")]


def protect(source: Source, out: Out, defense: Asked, vector_column: Column = None) -> None:
    """Put vectors through a defense, row by row in their order; what is there is never changed or written over.

    A folder is used as it was fitted. A spec that learns nothing (rounding, binary) is used at once. Any other that
    learns from vectors alone is fitted on 20,000 of them and kept in the folder OUT.defense beside OUT, which the
    defense of search queries needs too; for laplace, gaussian, metric, vmf, rotation
    and projection it holds a secret.

    Vectors are read and written block by block. A run that was stopped goes on where it was when the same command is
    given again, and ends with the same bytes; OUT appears when it is whole.
    """
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.protect.run import protect as protected

    with progress_bars() as progress, told_when_stopped():
        done = protected(source, out, defense, vector_column=vector_column, progress=progress)
    typer.echo(f"{out}: {done.rows:,} vectors of {done.columns:,} dimensions, by {defense}")
    if done.others:
        typer.echo(f"columns that were not touched: {', '.join(done.others)}")
    if done.defense:
        typer.echo(f"the fitted defense: {done.defense}; use it again with --defense {done.defense}")
