"""`vestige protect`: apply a defense to vectors."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

Out = Annotated[
    Path,
    typer.Argument(metavar="OUT", help="The file to write: .npy for the vectors alone, .parquet for all columns."),
]
DefenseSpec = Annotated[
    str,
    typer.Option(
        "--defense",
        metavar="SPEC",
        help="The folder of a fitted defense, or a spec such as rounding:2; `vestige list` shows them.",
    ),
]


def protect(source: options.Source, out: Out, defense: DefenseSpec, vector_column: options.VectorColumn = None) -> None:
    """Apply a defense to vectors, in the order of the rows. The source is not changed, and no file is overwritten.

    A folder is used as it was fitted. A spec that needs no fitting (rounding, binary) is applied at once. A spec that
    learns from vectors is fitted on 20,000 of them and saved in the folder OUT.defense; use it for the search queries
    too. For laplace, gaussian, metric, vmf, rotation and projection, that folder holds a secret.

    Vectors are read and written in blocks. Run the same command again to resume a stopped run; the result has the same
    bytes. OUT appears when it is complete.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.protect.run import protect as run_protect

    with progress_bars() as progress, report_interrupt():
        done = run_protect(source, out, defense, vector_column=vector_column, progress=progress)
    typer.echo(f"{out}: {done.rows:,} vectors of {done.columns:,} dimensions, by {defense}")
    if done.others:
        typer.echo(f"unchanged columns: {', '.join(done.others)}")
    if done.defense:
        typer.echo(f"fitted defense: {done.defense}; reuse it with --defense {done.defense}")
