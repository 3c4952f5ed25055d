"""The command `vestige`: all its subcommands, and how errors become messages and exit codes."""

import sys
import traceback
from collections.abc import Callable
from typing import Annotated

import typer

import vestige
from vestige.cli import BAD_INPUT, DEFECT
from vestige.cli.audit import audit
from vestige.cli.canaries import canaries
from vestige.cli.check import check
from vestige.cli.compare import compare
from vestige.cli.completion import completion, prepare_completion
from vestige.cli.defend import defend
from vestige.cli.encode import encode
from vestige.cli.fingerprint import fingerprint
from vestige.cli.init import init
from vestige.cli.list import encoders, list_all
from vestige.cli.option_groups import CommandApp
from vestige.cli.protect import protect
from vestige.cli.reproduce import reproduce
from vestige.cli.train import train
from vestige.cli.view import view
from vestige.errors import VestigeError

PANELS: dict[str, dict[str, Callable[..., None]]] = {
    "Audit and defend": {
        "audit": audit,
        "check": check,
        "compare": compare,
        "defend": defend,
        "protect": protect,
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

app = CommandApp(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"vestige {vestige.__version__}")
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
    try:
        app()
    except VestigeError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(BAD_INPUT)
    except OSError as error:
        typer.echo(
            f"error: {error.filename or 'a file'} cannot be used ({error.strerror}); fix that and run it again",
            err=True,
        )
        sys.exit(BAD_INPUT)
    except Exception:
        traceback.print_exc()
        typer.echo("error: this is a defect of Vestige, not of your input; please report the traceback above", err=True)
        sys.exit(DEFECT)
