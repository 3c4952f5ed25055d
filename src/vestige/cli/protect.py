"""`vestige protect`: apply a defense to vectors."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from vestige.cli import options
from vestige.cli.echo import echo

if TYPE_CHECKING:
    from vestige.case.findings import Subject
    from vestige.protect.run import Protected

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
Queries = Annotated[
    bool,
    typer.Option("--queries", metavar="", help="The vectors are search queries for a store that SPEC protects."),
]
Format = Annotated[
    Literal["float", "compact"],
    typer.Option("--format", help="Write float32, or the bits or bytes of a defense that quantises (binary, int8)."),
]

BEFORE, AFTER = Path("vestige-audit"), Path("vestige-audit-protected")


def protect(
    source: options.Source,
    out: Out,
    defense: DefenseSpec,
    queries: Queries = False,
    form: Format = "float",
    vector_column: options.VectorColumn = None,
) -> None:
    """Apply a defense to vectors, in the order of the rows. The source is not changed, and no file is overwritten.

    A folder is used as it was fitted. A spec that needs no fitting (rounding, binary) is applied at once. A spec that
    learns from vectors is fitted on 20,000 of them and saved in the folder OUT.defense. If that folder holds a secret,
    the command says so.

    Search queries need the same treatment, but no noise: --queries, with the folder of the store's defense.

    Vectors are read and written in blocks. Run the same command again to resume a stopped run; the result has the same
    bytes. OUT appears when it is complete.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.protect.run import protect as run_protect

    with progress_bars() as progress, report_interrupt():
        done = run_protect(
            source, out, defense, vector_column=vector_column, queries=queries, form=form, progress=progress
        )
    what = "queries" if queries else "vectors"
    echo(f"{out}: {done.rows:,} {what} of {done.columns:,} dimensions, by {defense}")
    echo(_describe_format(done, out))
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


def _list_next_steps(done: "Protected", source: str, out: Path, defense: str) -> list[str]:
    """What to do with the fitted defense, with search queries, and to see what the defense achieved."""
    lines = []
    if done.defense:
        secret = f"keep it secret: it holds {done.info.secret}" if done.info.secret else "it holds no secret"
        lines.append(f"fitted defense: {done.defense} ({secret})")
    treat = f"vestige protect QUERIES OUT --defense {shlex.quote(str(done.defense or defense))} --queries"
    treat += " --format compact" if done.code else ""
    queries = {"same map": treat, "without noise": f"{treat} (adds no noise)", "unchanged": "use them as they are"}
    lines.append(f"search queries: {queries[done.info.queries]}")
    before = _find_audit(source)
    texts = "TEXTS" if before is None or before.corpus is None else shlex.quote(before.corpus)
    lines.append(f"audit it again: vestige audit {shlex.quote(str(out))} --texts {texts} --out {AFTER}")
    base = "BEFORE" if before is None else BEFORE
    where = f" (BEFORE: the folder of an audit of {source})" if before is None else ""
    return [*lines, f"then compare: vestige compare {base} {AFTER}{where}"]


def _find_audit(source: str) -> "Subject | None":
    """What an earlier audit in the default folder was of, if it was of this source."""
    from vestige.errors import InputError
    from vestige.report.read import read_result

    with suppress(InputError):
        subject = read_result(BEFORE / "report.json").subject
        return subject if subject.vectors in (source, Path(source).name) else None
    return None
