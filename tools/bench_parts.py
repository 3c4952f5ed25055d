"""Parts of pages that show a recorded benchmark: all that it printed, or a table of some of its numbers.

A table is written in the mark, with a reference in braces for each number:

    {svd:192 > words}       in the first line that begins with "svd:192", the number after "words", with its interval
    {keywords > none > probe}   the same, among the lines after the one that begins with "keywords"
    {recall of rows}        the number after "recall of rows", which begins a line
    {misses ... of names}   the number between these words, with which the line ends
    {value: recall}         without the interval
    {ridge / Procrustes}    the largest of several
    {text: half is lost with}   what follows "half is lost with" in the one line that begins so

A reference that does not exist, or that begins two lines, is an error.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

from paper_tables import render_items

from vestige.errors import InputError

REFERENCE = re.compile(r"\{(value: |text: )?([^{}]+)\}")
NUMBER = r" (-?[\d,]*\.?\d+)(?: \((-?[\d.]+) to (-?[\d.]+)[^)]*\))?"


class RecordedNumber(NamedTuple):
    """A number as it is printed in a record, and its interval if it has one."""

    value: str
    interval: str


def render_bench(argument: str, results: Path) -> str:
    """The lines of a record, or a table of it, and the command that made it."""
    name, _, template = argument.partition("\n")
    path = results / "bench" / f"{name}.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    where = record["environment"]
    shown = render_template(template, record["lines"]) if template else render_items(record["lines"])
    made = f"`python -m bench {name} --record`, {where['cores']} cores of {where['processor']}"
    return f"{shown}\n{made} (`results/bench/{name}.json`).\n"


def render_makers(argument: str, results: Path) -> str:
    """Which commit of the code made each of these records of benchmarks; older code may have given other numbers."""
    rows = [f"| `{name}` | {_name_maker(name, results)} |" for name in argument.split()]
    return "\n".join(["| record | made by commit |", "|---|---|", *rows]) + "\n"


def _name_maker(name: str, results: Path) -> str:
    made = json.loads((results / "bench" / f"{name}.json").read_text(encoding="utf-8"))["environment"]
    return f"`{made['commit'][:10]}`" + (", with uncommitted changes" if made["dirty"] else "")


def render_template(template: str, lines: list[str]) -> str:
    """The table with every reference replaced by its number, and a line below its head."""
    squeezed = [" ".join(line.split()) for line in lines]
    head, *rows = (row for row in template.split("\n") if row.strip())
    rule = "|---" * (head.count("|") - 1) + "|"
    filled = [REFERENCE.sub(lambda found: _fill(found[1] or "", found[2], squeezed), row) for row in rows]
    return "\n".join([head, rule, *filled]) + "\n"


def _fill(kind: str, reference: str, lines: list[str]) -> str:
    if kind == "text: ":
        return find_text(reference, lines)
    return format_reference(reference, lines, bare=bool(kind))


def find_text(beginning: str, lines: list[str]) -> str:
    """What follows these words in the one line that begins with them."""
    found = [line.removeprefix(beginning).strip() for line in lines if line.startswith(beginning)]
    if len(found) != 1:
        raise InputError(f"{len(found)} lines of the record begin with '{beginning}', expected one")
    return found[0]


def format_reference(reference: str, lines: list[str], *, bare: bool = False) -> str:
    """A number of the record with its interval; of several the largest."""
    found = [find_number(each, lines) for each in reference.split(" / ")]
    best = max(found, key=lambda number: float(number.value.replace(",", "")))
    return best.value if bare else best.value + best.interval


def find_number(reference: str, lines: list[str]) -> RecordedNumber:
    """The number that a reference leads to."""
    *steps, label = reference.split(" > ")
    for step in steps:
        places = [place for place, line in enumerate(lines) if re.match(rf"{re.escape(step)}(?![\w@])", line)]
        if not places:
            raise InputError(f"no line of the record begins with '{step}', of the reference '{reference}'")
        lines = lines[places[0] :]
    before, _, after = label.partition(" ...")
    pattern = ("" if steps else "^") + re.escape(before) + NUMBER + (re.escape(after) + "$" if after else "")
    found = [match for line in (lines[:1] if steps else lines) if (match := re.search(pattern, line))]
    if len(found) != 1:
        raise InputError(f"the reference '{reference}' is {len(found)} times in the record, expected once")
    value, low, high = found[0].groups()
    return RecordedNumber(value, f" ({low} to {high})" if low else "")
