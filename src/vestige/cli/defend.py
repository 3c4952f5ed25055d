"""`vestige defend`: find the cheapest defense within the owner's limits."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.build_settings import build_settings
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped
from vestige.cli.options import DEFAULTS
from vestige.defend import DRAWS


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What most sweeps need."""

    panel: ClassVar[str] = COMMON
    vectors: options.OptionalSource = None
    texts: options.Texts = None
    encoder: options.Encoder = None
    limits: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="LIMIT",
            help='A limit on leakage, such as "words<0.10", or on utility, such as "recall@10>0.9". Repeatable.',
            show_default='the first probe "<0.10", "recall@10>0.90"',
        ),
    ] = None
    defenses: Annotated[
        str | None,
        typer.Option(
            metavar="SPECS",
            help="Defenses to try, comma-separated, such as rounding:2,gaussian. A family without a strength is tried "
            "at several; leace@COLUMN hides a column; redact:names+numbers redacts texts and encodes them again.",
            show_default="all",
        ),
    ] = None
    out: options.OutFolder = Path("vestige-defend")


@dataclass(frozen=True, kw_only=True)
class _Input:
    """How texts become vectors."""

    panel: ClassVar[str] = "Input"
    auxiliary: options.Auxiliary = None
    trained_on: options.TrainedOn = None
    unit: options.Unit = DEFAULTS.unit
    precision: options.Precision = DEFAULTS.precision
    send: options.Send = False


@dataclass(frozen=True, kw_only=True)
class _Adversary(options.AdversaryOptions):
    """What the adversary of a sweep holds and may do."""

    queries: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="0 if the attacker may not query the encoder; any other number allows all that the attacks need.",
            show_default="allowed; 0 for a service",
        ),
    ] = DEFAULTS.queries
    draws: Annotated[
        int,
        typer.Option(
            metavar="N", help="How often an attacker with queries has each text defended, if there is noise.", min=1
        ),
    ] = DRAWS
    thief: Annotated[
        bool,
        typer.Option("--thief", metavar="", help="Judge by a thief without pairs as well; up to a minute per defense."),
    ] = False


@dataclass(frozen=True, kw_only=True)
class _Probes(options.ProbeOptions):
    """What defenses are judged by."""

    probes: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME",
            help="Judge defenses by this probe; `vestige list` shows them. Repeatable.",
            show_default="words, keywords, attributes",
        ),
    ] = None
    task: options.Task = None


@dataclass(frozen=True, kw_only=True)
class _Output:
    """What is printed, and how it can be repeated."""

    panel: ClassVar[str] = "Output"
    as_json: options.AsJson = False
    seed: options.Seed = DEFAULTS.seed


@dataclass(frozen=True, kw_only=True)
class _Sizes(options.SizeOptions):
    """How much a sweep attacks."""

    halving: Annotated[
        bool,
        typer.Option(
            metavar="", help="Try all defenses at a small size first, and only the promising ones at full size."
        ),
    ] = True


@grouped
def defend(
    common: _Common,
    inputs: _Input,
    adversary: _Adversary,
    probes: _Probes,
    output: _Output,
    sizes: _Sizes,
    columns: options.ColumnOptions,
    where: options.EngineOptions,
) -> None:
    """Judge every defense by an attacker who knows it, and name the cheapest one within your limits.

    The input is that of `vestige audit`. Without arguments, the embedded corpus and encoder are defended.

    The chosen defense is fitted and saved in the folder "defense" of --out, for `vestige protect`. If that folder holds
    a secret, the command says so. If redaction is chosen, its settings are saved for `vestige redact`.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal_defenses import print_frontier
    from vestige.defend.run import defend as run_defend
    from vestige.defenses.saved import save_defense
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.report.write import write_frontier

    check_writable(common.out)
    folder, pending = common.out / "defense", common.out / ".defense-unfinished"
    if folder.exists():
        raise InputError(f"{folder} already exists; move it away, or choose another folder with --out")
    settings = build_settings(common, inputs, adversary, probes, output, sizes, columns)
    with progress_bars(fleeting=True) as progress, report_interrupt(), where.open(progress) as engine:
        chosen = run_defend(
            common.vectors,
            texts=common.texts,
            encoder=common.encoder,
            auxiliary=inputs.auxiliary,
            trained_on=inputs.trained_on,
            limits=common.limits,
            defenses=common.defenses,
            task=probes.task,
            draws=adversary.draws,
            halving=sizes.halving,
            thief=adversary.thief,
            settings=settings,
            cache=common.out / "cache",
            send=inputs.send,
            engine=engine,
            progress=progress,
        )
    with ExitStack() as undone:
        # Hidden until the report is there: a run that is killed between the two can be repeated.
        rmtree(pending, ignore_errors=True)
        if chosen.defense is not None:
            save_defense(chosen.defense, pending)
            undone.callback(rmtree, pending)
        if chosen.redactor is not None:
            chosen.redactor.save(common.out / "redactor.json")
            undone.callback((common.out / "redactor.json").unlink)
        reports = write_frontier(chosen.result, common.out)
        if chosen.defense is not None:
            pending.rename(folder)
        undone.pop_all()  # All files are written; without the report, the others would go too.
    print_frontier(chosen.result, reports, None if chosen.defense is None else folder, as_json=output.as_json)
    if chosen.redactor is not None:
        echo(f"redactor: {common.out / 'redactor.json'} (`vestige redact TEXTS OUT --redactor FILE` applies it)")
    if chosen.result.chosen is None and common.limits:
        echo("no defense was saved; relax a --limit, or change the texts before they are encoded", err=True)
        raise typer.Exit(1)
