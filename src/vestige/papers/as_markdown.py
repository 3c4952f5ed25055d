"""A reproduction as Markdown, for a pull request or the docs."""

from collections.abc import Iterator, Sequence
from shlex import quote

from vestige.papers.figures import counted, measured, printed
from vestige.papers.record import Reproduction, Row

REPEATED = (
    "The same seed, data and models give the same figures. Files are named without their folders; run the command "
    "where they lie. The environment variables VESTIGE_DATA and VESTIGE_MODELS decide which data and models are found."
)


def as_markdown(record: Reproduction) -> str:
    """The table, what differs, and how to run it again."""
    lines = [
        f"# {record.title}",
        "",
        f"{record.citation}. In percent, 95% intervals in brackets; n is the number of texts.",
        "",
        *_table(record),
        "",
        *_samples(record),
        "What differs from the paper:",
        "",
        *[f"- {_escaped(sentence)}" for sentence in record.differs],
        "",
        f"`{command(record)}`, {record.minutes:g} minutes, vestige {record.version}.",
        "",
        REPEATED,
    ]
    return "\n".join(lines) + "\n"


def command(record: Reproduction) -> str:
    """What to type to run it again."""
    named = "".join(f" --encoder {quote(encoder)}" for encoder in record.encoders)
    return f"vestige reproduce {record.paper} {record.table} --scale {record.scale} --seed {record.seed}{named}"


def _table(record: Reproduction) -> Iterator[str]:
    yield _joined(["", "", "n", *record.columns])
    yield _joined(["---"] * (3 + len(record.columns)))
    section = None
    for row in record.rows:
        if row.section != section:
            section = row.section
            yield _joined([f"**{section}**", *[""] * (2 + len(record.columns))])
        yield from _row(row)


def _row(row: Row) -> Iterator[str]:
    yield _joined([row.model, "published", "", *map(printed, row.published)])
    here = f"`{row.here}`"
    for line in row.lines:
        yield _joined([here, line.by, counted(line.scores), *map(measured, line.scores)])
        here = ""
    if row.note:
        yield _joined([here, row.note, "", *[""] * len(row.published)])


def _samples(record: Reproduction) -> Iterator[str]:
    for row in record.rows:
        if row.samples:
            yield f"{row.section}, {row.model}:"
            yield ""
            yield from (f"- {_escaped(sample)}" for sample in row.samples)
            yield ""


def _joined(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
