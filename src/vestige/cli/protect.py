"""`vestige protect`: apply a defense to vectors."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from vestige.cli import options
from vestige.cli.echo import echo

if TYPE_CHECKING:
    from vestige.audit.result import AuditResult
    from vestige.protect.run import Protected

Out = Annotated[
    str,
    typer.Argument(
        metavar="OUT",
        help="The file to write: .npy for the vectors alone, .parquet for all columns; or a folder of parquet files: "
        "FOLDER/ or s3://BUCKET/FOLDER.",
    ),
]
DefenseSpec = Annotated[
    str,
    typer.Option(
        "--defense",
        metavar="SPEC",
        help="The folder of a fitted defense, or a spec such as rounding:2; `vestige list` shows them.",
    ),
]
Queries = Annotated[
    bool,
    typer.Option("--queries", metavar="", help="The vectors are search queries for a store that SPEC protects."),
]
Format = Annotated[
    Literal["float", "compact"],
    typer.Option("--format", help="Write float32, or the bits or bytes of a defense that quantises (binary, int8)."),
]

BEFORE, AFTER, FIRST = Path("vestige-audit"), Path("vestige-audit-protected"), Path("vestige-audit-before")


def protect(
    source: options.Source,
    out: Out,
    defense: DefenseSpec,
    queries: Queries = False,
    form: Format = "float",
    vector_column: options.VectorColumn = None,
    engine: options.EngineChoice = "local",
    address: options.Address = None,
    workers: options.Workers = None,
) -> None:
    """Apply a defense to vectors, in the order of the rows. The source is not changed, and no file is overwritten.

    A folder is used as it was fitted. A spec that needs no fitting (rounding, binary) is applied at once. A spec that
    learns from vectors is fitted on 20,000 of them and saved in the folder OUT.defense. If that folder holds a secret,
    the command says so.

    Search queries need the same treatment, but no noise: --queries, with the folder of the store's defense.

    Vectors are read and written in parts. Run the same command again to resume a stopped run, on any machine and with
    any number of workers; the result has the same bytes. OUT appears when it is complete; a folder is complete when it
    has the file _manifest.json.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.engine.choose import open_engine
    from vestige.engine.filesystems import show_url
    from vestige.protect.run import protect as run_protect

    with progress_bars() as progress, report_interrupt(), open_engine(engine, address, workers, progress) as chosen:
        done = run_protect(
            source,
            out,
            defense,
            vector_column=vector_column,
            queries=queries,
            form=form,
            engine=chosen,
            progress=progress,
        )
    source, out = show_url(source), show_url(out)
    what = "queries" if queries else "vectors"
    echo(f"{out}: {done.rows:,} {what} of {done.columns:,} dimensions, by {defense}")
    echo(_describe_format(done, Path(out)))
    if done.others:
        echo(f"unchanged columns: {', '.join(done.others)}")
    if not queries:
        for line in _list_next_steps(done, source, out, defense):
            echo(line)


def _describe_format(done: "Protected", out: Path) -> str:
    """How the vectors are stored, and how they could be in less space."""
    from vestige.vector_codes import code_path

    if done.code is not None:
        where = f"; {code_path(out)} says what they stand for" if out.suffix == ".npy" else ""
        return f"format: {done.code.name}, {done.code.columns:,} bytes per vector{where}"
    smaller = "" if done.possible is None else f"; --format compact would take {done.possible.columns:,}"
    return f"format: float32, {4 * done.columns:,} bytes per vector{smaller}"


def _list_next_steps(done: "Protected", source: str, out: str, defense: str) -> list[str]:
    """What to do with the fitted defense, with search queries, and to see what the defense achieved."""
    from vestige.report.repeat_command import build_reaudit_command

    lines = []
    if done.defense:
        secret = f"keep it secret: it holds {done.info.secret}" if done.info.secret else "it holds no secret"
        lines.append(f"fitted defense: {done.defense} ({secret})")
    treat = f"vestige protect QUERIES OUT --defense {shlex.quote(str(done.defense or defense))} --queries"
    treat += " --format compact" if done.code else ""
    queries = {
        "same map": treat,
        "without noise": f"{treat} (adds no noise)",
        "unchanged": "use them as they are",
        "another map": f"{treat} (by a map of their own)",
    }
    lines.append(f"search queries: {queries[done.info.queries]}")
    found = _find_audit(source)
    if found is None:
        return [*lines, *_list_audits(source, out)]
    folder, before = found
    again = build_reaudit_command(before, out, str(AFTER))
    return [*lines, f"audit it again: {again}", f"then compare: vestige compare {shlex.quote(str(folder))} {AFTER}"]


def _list_audits(source: str, out: str) -> list[str]:
    """The commands that show what the defense achieved if the source was not audited before."""
    texts = "" if _stores_texts(source) and _stores_texts(out) else " --texts TEXTS"
    return [
        f"audit the source: vestige audit {shlex.quote(source)}{texts} --out {FIRST}",
        f"audit the result: vestige audit {shlex.quote(out)}{texts} --out {AFTER}",
        f"then compare: vestige compare {FIRST} {AFTER}",
    ]


def _stores_texts(source: str) -> bool:
    """Whether the texts are next to the vectors; no if that cannot be found out."""
    from vestige.case.vector_sample import VectorSample
    from vestige.cli.detection import JUDGED
    from vestige.errors import VestigeError
    from vestige.stores.load import open_store

    try:
        with open_store(source) as store:
            return VectorSample.from_store(store, JUDGED, 0).texts is not None
    except (VestigeError, OSError):
        return False


def _find_audit(source: str) -> "tuple[Path, AuditResult] | None":
    """The earlier audit of this source, and its folder: the default one, or that of a named audit below it."""
    from vestige.errors import InputError
    from vestige.report.read import read_result

    for report in (BEFORE / "report.json", *sorted(BEFORE.glob("*/report.json"))):
        with suppress(InputError):
            result = read_result(report)
            if result.subject.vectors in (source, Path(source).name):
                return report.parent, result
    return None
