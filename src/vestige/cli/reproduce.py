"""`vestige reproduce`: reproduce a table or figure of a paper."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped
from vestige.nn.device import Device

if TYPE_CHECKING:
    from vestige.papers.table import Paper


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What is reproduced, and where the result goes."""

    panel: ClassVar[str] = COMMON
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help="The paper, such as song2020.")] = None
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or figure, such as table1.")] = None
    scale: Annotated[
        str,
        typer.Option(
            metavar="SCALE", help="small takes minutes, full about an hour, paper has the sizes of the paper: days."
        ),
    ] = "small"
    out: options.OutFolder = Path("vestige-papers")
    seed: options.Seed = 0
    send: options.Send = False
    as_json: options.AsJson = False


@dataclass(frozen=True, kw_only=True)
class _Rows:
    """Which rows are measured, and how."""

    panel: ClassVar[str] = "Rows and sizes"
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another size than that of the scale: epochs=30. Repeatable."),
    ] = None
    models: Annotated[
        str | None, typer.Option(metavar="MODEL,...", help="Only the rows of these models.", show_default="all")
    ] = None
    sections: Annotated[
        str | None,
        typer.Option(
            metavar="SECTION,...",
            help="Only the rows of these sections; end names with ';' that have a comma.",
            show_default="all",
        ),
    ] = None
    encoder: Annotated[
        list[str] | None,
        typer.Option("--encoder", metavar="MODEL=SPEC", help="Attack this encoder as the paper's MODEL. Repeatable."),
    ] = None
    device: Annotated[
        Device, typer.Option(metavar="DEVICE", help="Where networks are trained: cpu, cuda, mps, or auto.")
    ] = "cpu"


@dataclass(frozen=True, kw_only=True)
class _Record:
    """A record of the run with all that it depends on."""

    panel: ClassVar[str] = "Record"
    record: Annotated[
        bool, typer.Option("--record", metavar="", help="Add the rows to the record in results/PAPER/TABLE.json.")
    ] = False
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="Record them as this variant of the table: TABLE-NAME.json.")
    ] = ""
    results: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of the records.")] = Path("results")


@grouped
def reproduce(common: _Common, rows: _Rows, record: _Record, where: options.EngineOptions) -> None:
    """Reproduce a table or figure of a paper, and show the published numbers next to ours.

    Without arguments, the papers and their tables are listed.

    Data and encoders that are not available are replaced by similar ones; the result says what differs.

    Run the same command again to resume a stopped run; finished rows are reused.
    """
    from vestige.errors import InputError
    from vestige.papers.catalogue import PAPERS

    if common.paper is None:
        for name, entry in PAPERS:
            echo(f"{name:<12}{entry.summary}")
        return
    paper: Paper[object] = PAPERS[common.paper].load()
    if common.table is None:
        raise InputError(f"name a table of {common.paper}; known: {', '.join(paper.tables)}")
    _measure(paper, common.table, common, rows, record, where)


def _measure(
    paper: "Paper[object]",
    table: str,
    common: _Common,
    rows: _Rows,
    recording: _Record,
    where: options.EngineOptions,
) -> None:
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal_papers import print_reproduction
    from vestige.files import check_writable
    from vestige.papers.page import write_reproduction
    from vestige.papers.results import write_results
    from vestige.papers.run import PaperRun

    paper.table(table)
    run = PaperRun(
        sizes=paper.sizes(common.scale, rows.changes or []),
        seed=common.seed,
        encoders=paper.named_encoders(table, _parse_encoders(rows.encoder or [])),
        cache=common.out / "cache",
        send=common.send,
        changes=tuple(rows.changes or ()),
        models=_split_names(rows.models),
        sections=_split_names(rows.sections),
        device=rows.device,
    )
    for folder in (common.out, *((recording.results,) if recording.record else ())):
        check_writable(folder)
    with progress_bars(fleeting=True) as progress, report_interrupt(), where.open(progress) as engine:
        record = paper.reproduce(table, common.scale, replace(run, engine=engine, progress=progress))
    if recording.record:
        path = write_results(record, run.sizes, recording.results, variant=recording.variant)
        echo(f"record: {path}", err=True)
    print_reproduction(record, write_reproduction(record, common.out), as_json=common.as_json)


def _split_names(given: str | None) -> tuple[str, ...]:
    """The names between commas; between semicolons if there are any, since some names have commas in them."""
    text = given or ""
    return tuple(name.strip() for name in text.split(";" if ";" in text else ",") if name.strip())


def _parse_encoders(given: list[str]) -> list[tuple[str, str]]:
    from vestige.errors import InputError

    pairs = []
    for text in given:
        model, _, spec = text.partition("=")
        if not model or not spec:
            raise InputError(f"--encoder '{text}' is not of the form MODEL=SPEC, as in BERT=hf:FOLDER@mean")
        pairs.append((model, spec))
    return pairs
