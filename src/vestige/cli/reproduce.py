"""`vestige reproduce`: reproduce a table or figure of a paper."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

PaperName = Annotated[str | None, typer.Argument(metavar="PAPER", help="The paper, such as song2020.")]
TableName = Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or figure, such as table1.")]
Scale = Annotated[str, typer.Option(metavar="SCALE", help="small takes minutes, full about an hour.")]
NamedEncoders = Annotated[
    list[str] | None,
    typer.Option("--encoder", metavar="MODEL=SPEC", help="Attack this encoder as the paper's MODEL. Repeatable."),
]


def reproduce(
    paper: PaperName = None,
    table: TableName = None,
    scale: Scale = "small",
    out: options.OutFolder = Path("vestige-papers"),
    seed: options.Seed = 0,
    encoder: NamedEncoders = None,
    send: options.Send = False,
    as_json: options.AsJson = False,
) -> None:
    """Reproduce a table or figure of a paper, and show the published numbers next to ours.

    Without arguments, the papers and their tables are listed.

    Data and encoders that are not available are replaced by similar ones; the result says what differs.

    Run the same command again to resume a stopped run; finished rows are reused.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal import print_reproduction
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.papers.catalogue import PAPERS
    from vestige.papers.page import write_reproduction
    from vestige.papers.run import PaperRun
    from vestige.papers.table import Paper
    from vestige.registry import nearest

    if paper is None:
        for name, entry in PAPERS:
            typer.echo(f"{name:<12}{entry.summary}")
        return
    loaded: Paper[object] = PAPERS[paper].load()
    if table is None:
        raise InputError(f"name a table of {paper}; known: {', '.join(loaded.tables)}")
    loaded.table(table)
    named = loaded.named_encoders(table, _parse_encoders(encoder or []))
    if scale not in loaded.scales:
        raise InputError(f"unknown scale '{scale}'; {nearest(scale, list(loaded.scales))}")
    check_writable(out)
    run = PaperRun(loaded.scales[scale], seed, named, out / "cache", send)
    with progress_bars(fleeting=True) as progress, report_interrupt():
        record = loaded.reproduce(table, scale, run.watched(progress))
    print_reproduction(record, write_reproduction(record, out), as_json=as_json)


def _parse_encoders(given: list[str]) -> list[tuple[str, str]]:
    from vestige.errors import InputError

    pairs = []
    for text in given:
        model, _, spec = text.partition("=")
        if not model or not spec:
            raise InputError(f"--encoder '{text}' is not of the form MODEL=SPEC, as in BERT=hf:FOLDER@mean")
        pairs.append((model, spec))
    return pairs
