"""Printing: the only door to standard output and standard error, which lets no control character through."""

import typer

from vestige.printable import printable_lines


class UnwritableOutput(Exception):
    """Standard output or standard error cannot be written, as on a full disk."""


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message; whatever in it comes from a file cannot take over the terminal."""
    try:
        typer.echo(printable_lines(str(message)), err=err, nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnwritableOutput from error
