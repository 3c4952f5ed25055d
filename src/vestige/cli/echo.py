"""Printing: the only door to standard output and standard error, which lets no control character through."""

import sys
import textwrap
from shutil import get_terminal_size

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


def echo_wrapped(text: str, *, err: bool = False) -> None:
    """Print sentences; on a terminal, lines end between words."""
    if (sys.stderr if err else sys.stdout).isatty():
        width = get_terminal_size().columns
        lines = [
            textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
        ]
        text = "\n".join("\n".join(parts) for parts in lines)
    echo(text, err=err)
