"""The command `vestige`: all its subcommands, and how errors become messages and exit codes."""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import typer

import vestige
from vestige.cli import BAD_INPUT, CLOSED_PIPE, DEFECT, NO_OUTPUT
from vestige.cli.audit import audit
from vestige.cli.canaries import canaries
from vestige.cli.check import check
from vestige.cli.compare import compare
from vestige.cli.completion import completion, prepare_completion
from vestige.cli.defend import defend
from vestige.cli.echo import UnwritableOutput, echo, echo_wrapped
from vestige.cli.encode import encode
from vestige.cli.fingerprint import fingerprint
from vestige.cli.init import init
from vestige.cli.judge import judge
from vestige.cli.leaderboard import leaderboard
from vestige.cli.list import encoders, list_all
from vestige.cli.option_groups import CommandApp
from vestige.cli.protect import protect
from vestige.cli.redact import redact
from vestige.cli.reproduce import reproduce
from vestige.cli.train import train
from vestige.cli.view import view
from vestige.errors import VestigeError
from vestige.printable import printable

PANELS: dict[str, dict[str, Callable[..., None]]] = {
    "Audit and defend": {
        "audit": audit,
        "check": check,
        "compare": compare,
        "defend": defend,
        "judge": judge,
        "leaderboard": leaderboard,
        "protect": protect,
        "redact": redact,
    },
    "See": {"view": view},
    "Make and identify vectors": {"encode": encode, "fingerprint": fingerprint},
    "Look up": {"list": list_all, "encoders": encoders},
    "Set up": {"init": init, "completion": completion},
    "Reproduce papers": {"reproduce": reproduce},
    "Train encoders": {"train": train},
}
"""The commands, in the panels of `vestige --help`."""

HELP = "Measure what an attacker can recover from text embeddings, and find the cheapest effective defense."

USAGE_ERROR: Any = typer.BadParameter.__mro__[2]
"""The base of the errors by which typer reports a wrong option or argument."""

app = CommandApp(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        echo(f"vestige {vestige.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that come before the command."""


for _panel, _commands in PANELS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel)(_command)
app.add_typer(canaries, name="canaries", rich_help_panel="Train encoders")


def main() -> None:
    """Run the command; bad input ends it with one message and exit code 2."""
    prepare_completion()
    sys.exit(_flush(_run()))


def _run() -> int:
    """The exit code. Typer and rich end with 1 if a pipe is closed, which is the code of a failed gate."""
    try:
        return app(standalone_mode=False) or 0
    except SystemExit as ended:
        return CLOSED_PIPE if ended.code == 1 else int(ended.code or 0)
    except UnwritableOutput:
        return NO_OUTPUT
    except USAGE_ERROR as error:
        return _print_usage_error(error)
    except Exception as error:
        explained = _explain(error)
        if explained is not None:
            return _fail(explained, BAD_INPUT)
        with suppress(OSError, UnwritableOutput):
            echo(traceback.format_exc(), err=True, nl=False)
        return _fail("this is a defect of Vestige, not of your input; please report the traceback above", DEFECT)


def _explain(error: Exception) -> str | None:
    """What the user can do about an error; None if it is a defect."""
    if isinstance(error, VestigeError):
        return str(error)
    if isinstance(error, typer.Abort):
        return "an answer was expected, and the input ended; give the answers as options"
    if isinstance(error, OSError):
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "a file"
        return f"{where} cannot be used ({error.strerror or error}); fix that and run it again"
    return None


def _fail(message: str, code: int) -> int:
    """Print an error; where that is impossible, the exit code is all that remains."""
    with suppress(OSError, UnwritableOutput):
        echo_wrapped(f"error: {message}", err=True)
    return code


def _print_usage_error(error: Any) -> int:
    from typer.rich_utils import rich_format_error

    error.message = printable(str(error.message))
    with suppress(OSError):
        rich_format_error(error)
    return int(error.exit_code)


def _flush(code: int) -> int:
    """Flush what was printed; if that fails, drop it, so that Python does not fail again while it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            code = (CLOSED_PIPE if isinstance(error, BrokenPipeError) else NO_OUTPUT) if code in (0, 1) else code
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code
