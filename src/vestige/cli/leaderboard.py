"""`vestige leaderboard`: the same audit for a list of encoders."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.build_settings import build_settings
from vestige.cli.option_groups import COMMON, grouped
from vestige.cli.options import DEFAULTS
from vestige.errors import InputError
from vestige.leaderboard import ENCODERS, LENGTHS

if TYPE_CHECKING:
    from vestige.leaderboard.record import Leaderboard


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What is compared."""

    panel: ClassVar[str] = COMMON
    encoders: Annotated[
        list[str] | None,
        typer.Option(
            "--encoder",
            metavar="SPEC",
            help="An encoder to compare; `vestige encoders` lists them. Repeatable.",
            show_default=", ".join(ENCODERS),
        ),
    ] = None
    texts: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The texts: .txt, .jsonl, .csv, .parquet, or the name of a corpus.",
            show_default="the embedded example",
        ),
    ] = None
    probes: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME",
            help="Compare by this probe; the first one ranks. Repeatable.",
            show_default="words, keywords, attributes, sentences",
        ),
    ] = None
    lengths: Annotated[
        str,
        typer.Option(metavar="WORDS", help="Lengths of longer passages, comma-separated; none for none."),
    ] = ",".join(map(str, LENGTHS))
    out: options.OutFolder = Path("vestige-leaderboard")


@dataclass(frozen=True, kw_only=True)
class _Sizes:
    """How much is attacked, and what the adversary holds."""

    panel: ClassVar[str] = "Sizes"
    targets: Annotated[int, typer.Option(metavar="N", help="Texts to attack, at most.")] = DEFAULTS.targets
    pairs: options.Pairs = DEFAULTS.pairs
    rewritten: Annotated[
        int, typer.Option(metavar="N", help="Texts that the probe sentences reconstructs, at most.")
    ] = DEFAULTS.rewritten


@dataclass(frozen=True, kw_only=True)
class _Input:
    """Columns, and the number format."""

    panel: ClassVar[str] = "Input"
    text_column: options.TextColumn = None
    document_column: options.DocumentColumn = None
    precision: options.Precision = DEFAULTS.precision
    send: options.Send = False


@dataclass(frozen=True, kw_only=True)
class _Output:
    """What is printed, and how it can be repeated."""

    panel: ClassVar[str] = "Output"
    as_json: options.AsJson = False
    seed: options.Seed = DEFAULTS.seed


@grouped
def leaderboard(common: _Common, sizes: _Sizes, inputs: _Input, output: _Output) -> None:
    """Compare encoders by what they leak: by probe, by length of the text and by stored form.

    Every encoder is audited on the same texts. The page also shows how well each one searches. An encoder that is not
    available is listed with the reason. The report is rewritten after every encoder; run the same command again to
    resume.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal_defenses import print_leaderboard
    from vestige.files import check_writable
    from vestige.leaderboard.run import leaderboard as compare_encoders
    from vestige.report.write import write_leaderboard

    check_writable(common.out)
    settings = build_settings(common, sizes, inputs, output)

    def update(board: "Leaderboard") -> None:
        write_leaderboard(board, common.out)

    with progress_bars(fleeting=True) as progress, report_interrupt():
        result = compare_encoders(
            common.encoders or ENCODERS,
            texts=common.texts,
            lengths=_read_lengths(common.lengths),
            settings=settings,
            cache=common.out / "cache",
            send=inputs.send,
            progress=progress,
            update=update,
        )
    print_leaderboard(result, write_leaderboard(result, common.out), as_json=output.as_json)


def _read_lengths(listed: str) -> tuple[int, ...]:
    if listed == "none":
        return ()
    parts = [part.strip() for part in listed.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InputError(
            f"--lengths {listed!r} is not a list of numbers; give numbers of words, such as 80,200, or none"
        )
    return tuple(map(int, parts))
