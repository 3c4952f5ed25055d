"""The Markdown kit: blocks of text that take foreign words without letting them mark, link or break out."""

import re
from collections.abc import Iterable, Sequence

from vestige.printable import printable

ALONE = "where no folder above has another vestige.toml, which would set the options that are not named"
WITHOUT_USER = "Servers are named without user and password: add yours."

_SPECIAL = re.compile(r"([\\`*_\[\]|~#!])")


def escape(text: str) -> str:
    """Text that Markdown prints as it is, on one line: no marks, no HTML, no links."""
    escaped = _SPECIAL.sub(r"\\\1", printable(" ".join(text.split())))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def render_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, raw: int = 0) -> str:
    """A table. Cells are escaped, except in the first `raw` columns, which hold Markdown of our own."""
    lines = [[cell if place < raw else escape(cell) for place, cell in enumerate(row)] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *lines])


def render_list(items: Iterable[str]) -> str:
    """A bulleted list. Items are Markdown: escape foreign words first."""
    return "\n".join(f"- {item}" for item in items)


def render_command(lines: Sequence[str] | None) -> str:
    """A command as an indented code block, one option per line; empty if there is no command."""
    return render_code("" if lines is None else " \\\n  ".join(lines))


def render_code(text: str) -> str:
    """Text as an indented code block."""
    return "\n".join(f"    {printable(line)}" for line in text.splitlines())


def render_repetition(config: str | None, command: Sequence[str] | None) -> list[str]:
    """How to repeat a run: the file `vestige.toml`, and the command; empty if neither can."""
    if config is None or command is None:
        return []
    return [
        "As `vestige.toml`, in the folder that holds the files:",
        render_code(config),
        f"As a command, {ALONE}:",
        render_command(command),
        WITHOUT_USER if any("://" in line for line in command) else "",
    ]


def join_blocks(blocks: Iterable[str]) -> str:
    """A document of blocks, separated by empty lines; empty blocks are skipped."""
    return "\n\n".join(block for block in blocks if block) + "\n"
