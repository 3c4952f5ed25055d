"""`vestige audit`: from vectors or texts to one report."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.build_settings import build_settings
from vestige.cli.option_groups import COMMON, grouped
from vestige.cli.options import DEFAULTS
from vestige.errors import InputError

if TYPE_CHECKING:
    from vestige.audit.result import AuditResult


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What most audits need."""

    panel: ClassVar[str] = COMMON
    vectors: options.OptionalSource = None
    texts: options.Texts = None
    encoder: options.Encoder = None
    probes: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME",
            help="Run this probe only; `vestige list` shows them. Repeatable.",
            show_default="all",
        ),
    ] = None
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GATE",
            help='Exit with code 1 if this holds, such as "words>0.30"; "" for none. Repeatable.',
        ),
    ] = None
    out: options.OutFolder = Path("vestige-audit")


@dataclass(frozen=True, kw_only=True)
class _Input:
    """Further texts, and how texts become vectors."""

    panel: ClassVar[str] = "Input"
    auxiliary: options.Auxiliary = None
    trained_on: options.TrainedOn = None
    unit: options.Unit = DEFAULTS.unit
    precision: options.Precision = DEFAULTS.precision
    send: options.Send = False


@dataclass(frozen=True, kw_only=True)
class _Adversary(options.AdversaryOptions):
    """What the adversary of an audit holds and may do."""

    recipe: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Our attacks (default), those of the papers (paper), or one by name, such as song-msp.",
        ),
    ] = DEFAULTS.recipe
    inverter: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="What `vestige train --inverter` wrote; the probe sentences uses it."),
    ] = DEFAULTS.inverter


@dataclass(frozen=True, kw_only=True)
class _Output:
    """What is written, and how it can be repeated."""

    panel: ClassVar[str] = "Output"
    show_text: Annotated[
        bool,
        typer.Option("--show-text/--no-show-text", metavar="", help="Unmask the example texts.", show_default=False),
    ] = DEFAULTS.show_text
    as_json: options.AsJson = False
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as SARIF 2.1.0.")] = None
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as JUnit XML.")] = None
    seed: options.Seed = DEFAULTS.seed


@dataclass(frozen=True, kw_only=True)
class _Sizes(options.SizeOptions):
    """How much an audit attacks."""

    within: Annotated[
        float | None,
        typer.Option(metavar="MARGIN", help="Choose --targets for this margin of error, such as 0.02."),
    ] = None


@grouped
def audit(
    common: _Common,
    inputs: _Input,
    adversary: _Adversary,
    probes: options.ProbeOptions,
    output: _Output,
    sizes: _Sizes,
    columns: options.ColumnOptions,
    where: options.EngineOptions,
) -> None:
    """Measure what an attacker can recover from text embeddings, and write one report.

    Give SOURCE to audit stored vectors, and --texts if the store does not contain their texts. Give --texts and
    --encoder to audit vectors that you would make. Without arguments, the embedded corpus and encoder are audited.

    Nothing is changed, and nothing leaves the machine unless the encoder is a remote service and you pass --send.
    """
    from vestige.audit.run import Watcher
    from vestige.audit.run import audit as run_audit
    from vestige.cli.audit_files import CiFiles
    from vestige.cli.live_report import LiveReport
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal import print_audit
    from vestige.files import check_writable

    files = CiFiles(output.sarif, output.junit)
    live = LiveReport(common.out, files)
    with files.report_errors():
        check_writable(common.out)
        files.check()
        chosen = build_settings(common, inputs, adversary, probes, output, sizes, columns)
        bars, stopped = progress_bars(hide_full=True), report_interrupt(live.describe_stop)
        with bars as progress, stopped, where.open(progress) as engine:
            result = run_audit(
                common.vectors,
                texts=common.texts,
                encoder=common.encoder,
                auxiliary=inputs.auxiliary,
                trained_on=inputs.trained_on,
                settings=chosen,
                fail_on=[gate for gate in common.fail_on or () if gate],
                cache=common.out / "cache",
                send=inputs.send,
                engine=engine,
                progress=progress,
                watcher=Watcher(live.say, live.update, live.start),
            )
        if not result.findings:
            live.remove()
            raise InputError(_describe_nothing(result))
    assert live.reports is not None
    print_audit(result, live.reports, as_json=output.as_json)
    if not all(gate.held for gate in result.gates):
        raise typer.Exit(1)


def _describe_nothing(result: "AuditResult") -> str:
    """Why there is no report: each reason once, with the probes that gave it."""
    reasons: dict[str, list[str]] = {}
    for skipped in result.not_run:
        reasons.setdefault(f"{skipped.reason}; {skipped.remedy}", []).append(skipped.probe)
    listed = " / ".join(f"{reason} ({', '.join(probes)})" for reason, probes in reasons.items())
    return f"nothing could be measured, so there is no report: {listed}"
