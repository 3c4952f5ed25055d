"""`vestige reproduce`: a paper's table, run again here."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

PaperName = Annotated[str | None, typer.Argument(metavar="PAPER", help="The paper, such as song2020.")]
TableName = Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or figure, such as table1.")]
Scale = Annotated[str, typer.Option(help="small takes minutes, full about an hour.")]
Out = Annotated[Path, typer.Option(help="The folder for the result and for what a stopped run leaves.")]
Named = Annotated[
    list[str] | None,
    typer.Option("--encoder", metavar="MODEL=SPEC", help="Attack this encoder as the paper's MODEL. May be repeated."),
]


def reproduce(
    paper: PaperName = None,
    table: TableName = None,
    scale: Scale = "small",
    out: Out = Path("vestige-papers"),
    seed: options.Seed = 0,
    encoder: Named = None,
    send: options.Send = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a paper's table again on what is here, and set the published figures beside ours.

    With no arguments the papers and their tables are listed.

    Data and encoders that cannot be had are replaced by the nearest there is; the result says what differs.

    Rows that are finished are not made again when the same command is given again.
    """
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.cli.reproduced import print_papers, print_reproduction
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.papers.catalogue import PAPERS
    from vestige.papers.run import Run
    from vestige.papers.table import Paper
    from vestige.papers.write import write_reproduction
    from vestige.registry import nearest

    if paper is None:
        print_papers()
        return
    found: Paper[object] = PAPERS[paper].load()
    if table is None:
        raise InputError(f"no table of {paper} was named; known: {', '.join(found.tables)}")
    found.table(table)
    named = found.named_encoders(table, _pairs(encoder or []))
    if scale not in found.scales:
        raise InputError(f"unknown scale '{scale}'; {nearest(scale, list(found.scales))}")
    check_writable(out)
    run = Run(found.scales[scale], seed, named, out / "cache", send)
    with progress_bars(fleeting=True) as progress, told_when_stopped():
        record = found.reproduce(table, scale, run.watched(progress))
    print_reproduction(record, write_reproduction(record, out), as_json=as_json)


def _pairs(given: list[str]) -> list[tuple[str, str]]:
    from vestige.errors import InputError

    parted = [text.partition("=") for text in given]
    for text, (model, _, spec) in zip(given, parted, strict=True):
        if not model or not spec:
            raise InputError(f"'{text}' names no encoder; expected MODEL=SPEC as in BERT=hf:FOLDER@mean")
    return [(model, spec) for model, _, spec in parted]
