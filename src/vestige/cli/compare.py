"""`vestige compare`: how the leakage changed from one audit to another."""

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.audit_files import CiFiles
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, CONFIG, grouped
from vestige.cli.verbosity import is_quiet
from vestige.errors import InputError

if TYPE_CHECKING:
    from vestige.config.config_file import ConfigFile

FAILED_GATE = 1
"""The exit code of an audit whose gates failed; the comparison has gates of its own."""

_SIDE = "a report.json, a folder that has one, or an audit of vestige.toml, which is then run."


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What to compare, and what fails."""

    panel: ClassVar[str] = COMMON
    base: Annotated[str, typer.Argument(metavar="BASE", help=f"The audit to compare with: {_SIDE}")]
    new: Annotated[str, typer.Argument(metavar="NEW", help=f"The audit to judge: {_SIDE}")]
    probes: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME",
            help="Compare this probe only; fewer probes have narrower intervals. Repeatable.",
            show_default="all",
        ),
    ] = None
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GATE", help='Exit with code 1 if this holds: "worse", or such as "words>+0.02". Repeatable.'
        ),
    ] = None
    allow_incomplete: Annotated[
        bool, typer.Option("--allow-incomplete", metavar="", help="Accept an audit that was stopped.")
    ] = False
    allow_other_attacker: Annotated[
        bool,
        typer.Option(
            "--allow-other-attacker",
            metavar="",
            help="Let gates hold although the attacker of NEW has less, such as fewer pairs.",
        ),
    ] = False
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the report.")] = Path("vestige-compare")
    config: Annotated[Path | None, CONFIG] = None


@dataclass(frozen=True, kw_only=True)
class _Output:
    """What is written besides the report."""

    panel: ClassVar[str] = "Output"
    as_json: options.AsJson = False
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as SARIF 2.1.0.")] = None
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as JUnit XML.")] = None


@grouped
def compare(common: _Common, output: _Output) -> None:
    """Compare two audits, probe by probe: is the leakage worse, better, or undecided?

    If both audits scored the same targets (same texts, seed and sizes), the intervals are paired and small changes are
    seen. Otherwise they are wider, and the report says so.
    """
    from vestige.audit.change_gate import parse_change_gate
    from vestige.audit.compare import compare as run_compare
    from vestige.cli.terminal import print_comparison
    from vestige.files import check_writable
    from vestige.probes.plan import list_probes
    from vestige.report.write import write_comparison

    started, files = monotonic(), CiFiles(output.sarif, output.junit)
    with files.report_errors("compare"):
        check_writable(common.out)
        files.check()
        for gate in common.fail_on or ():
            parse_change_gate(gate, list_probes())
        for side in (common.base, common.new):
            check_side(side, common.config, allow_incomplete=common.allow_incomplete)
        result = run_compare(
            resolve_audit(common.base, common.config),
            resolve_audit(common.new, common.config),
            fail_on=common.fail_on or (),
            probes=common.probes or (),
            allow_incomplete=common.allow_incomplete,
            allow_other_attacker=common.allow_other_attacker,
        )
    reports = write_comparison(result, common.out, files.build_comparison(result, monotonic() - started))
    print_comparison(result, reports, as_json=output.as_json)
    if not all(gate.held for gate in result.gates):
        raise typer.Exit(1)


def check_side(given: str, config: Path | None, *, allow_incomplete: bool) -> None:
    """Raise before any audit is run if an argument is neither an audit of the configuration nor a complete result."""
    from vestige.audit.compare import refuse_incomplete
    from vestige.audit.saved import read_audit

    if find_side(given, config) is None:
        result = read_audit(given)
        if not allow_incomplete:
            refuse_incomplete(result, given)
    elif Path(given).exists():
        note = f"note: '{given}' is an audit of vestige.toml, and a path has that name too; for the path, write"
        echo(f"{note} ./{given}", err=True)


def resolve_audit(given: str, config: Path | None) -> Path:
    """The result that an argument names: an audit of the configuration comes first, then a path."""
    file = find_side(given, config)
    return Path(given) if file is None else run_configured_audit(given, file)


def find_side(given: str, config: Path | None) -> "ConfigFile | None":
    """The file that names this audit; None if it is a path. Raises if it is neither."""
    from vestige.cli.configured import read_nearest
    from vestige.config.runs import list_runs
    from vestige.registry import nearest

    file = read_nearest(None if config is None else str(config))
    names = [] if file is None else list_runs(file, ("audit",))
    if given in names:
        return file
    if not Path(given).exists():
        known = f"; {nearest(given, names)}" if names else ""
        raise InputError(f"{given} does not exist, and vestige.toml names no such audit{known}; name a report.json")
    return None


def run_configured_audit(name: str, file: "ConfigFile") -> Path:
    """Run an audit of `vestige.toml`; the folder of its report. What it prints goes to standard error."""
    from typer.main import get_command

    from vestige.cli.command_keys import describe_commands
    from vestige.cli.main import app
    from vestige.cli.terminal import show_gates_as_recorded
    from vestige.config.runs import build_run

    path = ("audit",)
    root = get_command(app)
    run = build_run(file, path, describe_commands(root)[path], name)
    quiet = ["--quiet"] if is_quiet() else []
    if not quiet:
        echo(f"audit '{name}':", err=True)
    with redirect_stdout(sys.stderr), show_gates_as_recorded():
        code = root(["audit", name, "--config", str(file.path), *quiet], standalone_mode=False)
    if code not in (None, 0, FAILED_GATE):
        raise typer.Exit(code)
    return Path(run.values["out"])
