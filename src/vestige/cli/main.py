"""The command `vestige`."""

import sys
import traceback
from typing import Annotated

import typer

import vestige
from vestige.cli.audit import audit
from vestige.cli.canaries import canaries
from vestige.cli.catalogue import catalogue
from vestige.cli.check import check
from vestige.cli.defend import defend
from vestige.cli.encode import encode
from vestige.cli.encoders import encoders
from vestige.cli.exit_codes import BAD_INPUT, DEFECT
from vestige.cli.fingerprint import fingerprint
from vestige.cli.protect import protect
from vestige.cli.reproduce import reproduce
from vestige.cli.train import train
from vestige.errors import VestigeError

app = typer.Typer(
    help="What could a stranger read out of your text embeddings?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"vestige {vestige.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """What could a stranger read out of your text embeddings?"""


app.command()(audit)
app.command()(check)
app.command()(defend)
app.command()(encode)
app.command()(protect)
app.command()(train)
app.command()(reproduce)
app.command()(fingerprint)
app.add_typer(canaries, name="canaries")
app.command()(encoders)
app.command("list")(catalogue)


def main() -> None:
    """Run the command; bad input ends with one message and exit code 2."""
    try:
        app()
    except VestigeError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(BAD_INPUT)
    except OSError as error:
        typer.echo(
            f"error: {error.filename or 'a file'} cannot be used ({error.strerror}); mend that and run again", err=True
        )
        sys.exit(BAD_INPUT)
    except Exception:
        traceback.print_exc()
        typer.echo("error: this is a defect of Vestige, not of your input; please report the lines above", err=True)
        sys.exit(DEFECT)
