"""A reproduction as an HTML page, with the same content as Markdown, written next to its JSON record."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from shlex import quote

from vestige.case.codec import dumps
from vestige.papers.record import CLOSED_FORM, PRIOR, Curve, Figure, Line, Plot, Reproduction, Row
from vestige.report.charts import DataPoint, LineChart, PlotArea, PlotAxis, Series
from vestige.report.html import render_page
from vestige.report.markdown import escape, join_blocks, render_command, render_list, render_table
from vestige.report.write import Reports, write_pages
from vestige.types import Score

GLOSSARY = (
    ("The paper's recipe", "The attack with the settings that the paper states."),
    ("Our default", "The attack with the settings of an audit."),
    (
        "Training",
        "Whether the training or descent behind a line ended by its own rule. A line that was cut off says nothing on "
        "its attack.",
    ),
    (
        "Guessing",
        "The best guess without the vectors: for words, one fixed set for every text, the best for mean F1; for "
        "classes, the most frequent one; for values, one at random or, by position, the most frequent.",
    ),
)
REPEAT = (
    "The same seed, data and models give the same figures. Files are named without their folders; run the command in "
    "the folder that holds them. The environment variables VESTIGE_DATA and VESTIGE_MODELS decide which data and "
    "models are found."
)
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_LABELS = 8


def write_reproduction(record: Reproduction, folder: str | Path) -> Reports:
    """Write the record as a page to read, as JSON for machines, and as Markdown for a pull request."""
    return write_pages(
        folder,
        f"{record.paper}-{record.table}",
        html=render_reproduction_html(record),
        json=dumps(record),
        markdown=render_reproduction_markdown(record),
    )


def render_reproduction_html(record: Reproduction) -> str:
    """The page: curves, the table, samples, notes, and the command that repeats the run."""
    return render_page(
        "reproduction.html.j2",
        package="vestige.papers",
        title=record.title,
        version=record.version,
        record=record,
        sections=[(name, list(rows)) for name, rows in groupby(record.rows, attrgetter("section"))],
        charts_with_titles=[(plot.title, build_chart(plot)) for plot in record.plots],
        glossary=GLOSSARY,
        command=build_reproduce_command(record),
        repeat=REPEAT,
        format_published=format_published,
        format_counts=format_counts,
        describe_convergence=describe_convergence,
        describe_logs=describe_logs,
    )


def render_reproduction_markdown(record: Reproduction) -> str:
    """The table, samples, notes, and the command that repeats the run."""
    return join_blocks(
        [
            f"# {escape(record.title)}",
            f"{escape(record.citation)}. In percent, 95% intervals in brackets; n is the number of texts.",
            render_table(["", "", "n", "training", *map(escape, record.columns)], _table_rows(record), raw=1),
            *_sample_blocks(record),
            *_log_blocks(record),
            "How this run differs from the paper:",
            render_list(map(escape, record.differs)),
            f"{record.minutes:g} minutes with vestige {record.version}. To repeat it:",
            render_command([build_reproduce_command(record)]),
            REPEAT,
        ]
    )


def build_reproduce_command(record: Reproduction) -> str:
    """The command that repeats the run."""
    options = [("--scale", record.scale), *(("--set", change) for change in record.changes)]
    options += [("--models", ",".join(record.models))] if record.models else []
    options += [("--sections", ",".join(record.sections))] if record.sections else []
    options += [("--device", record.device)] if record.device != "cpu" else []
    options += [("--seed", str(record.seed)), *(("--encoder", encoder) for encoder in record.encoders)]
    return " ".join(["vestige reproduce", record.paper, record.table, *(f"{name} {quote(it)}" for name, it in options)])


def build_chart(plot: Plot) -> LineChart:
    """The curves of a plot; the y-axis is in percent, and a score below zero is drawn at zero."""
    places = sorted({point.at for curve in plot.curves for point in curve.points})
    every = max(1, -(-len(places) // _MOST_LABELS))
    labels = tuple((place, f"{place:,g}") for place in places[::every])
    x_axis = PlotAxis(plot.across, min(places, default=0.0), max(places, default=1.0), labels)
    shares = tuple((share, f"{100 * share:g}") for share in _SHARES)
    y_axis = PlotAxis(f"{plot.up}, in percent", _SHARES[0], _SHARES[-1], shares)
    label = f"{plot.title}: {plot.up} against {plot.across}; the table has the same figures"
    return LineChart(label, PlotArea(x_axis, y_axis), [_build_series(curve) for curve in plot.curves])


def _build_series(curve: Curve) -> Series:
    points = []
    for point in sorted(curve.points, key=attrgetter("at")):
        score = point.score
        title = f"{curve.label}, {point.at:g}: {score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n})"
        points.append(DataPoint(point.at, score.value, score.low, score.high, title))
    return Series(f"{curve.label}, n {format_counts([point.score for point in curve.points])}", points)


def format_published(value: Figure | None) -> str:
    """A published figure, to the two decimal places of the paper; bounds as they are worded."""
    if isinstance(value, str):
        return value
    return "-" if value is None else f"{value:.2f}"


def describe_convergence(line: Line) -> str:
    """Whether the trainings of a line converged; a line that did not is no verdict on its attack."""
    if line.by == PRIOR:
        return ""
    if line.converged is None:
        return "not recorded"
    if not line.converged:
        return "not converged: undecided"
    return "none: closed form" if all(log == CLOSED_FORM for log in line.logs) else "converged"


def describe_logs(record: Reproduction) -> list[str]:
    """One sentence per training: the rule by which it ends, whether it did, and how far it went."""
    found = []
    for row in record.rows:
        for line in row.lines:
            for log in line.logs:
                if log != CLOSED_FORM:
                    ended = "ended by the rule" if log.converged else "cut off before that: undecided"
                    found.append(f"{row.section}, {row.model}, {line.by}: {log.rule}; {ended}, at {log.steps:,}.")
    return found


def format_measured(score: Score | None) -> str:
    """A score in percent with its interval."""
    return "-" if score is None else f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"


def format_brief(score: Score | None) -> str:
    """The same for narrow columns."""
    return "-" if score is None else f"{100 * score.value:.1f} ({100 * score.low:.0f}-{100 * score.high:.0f})"


def format_counts(scores: Sequence[Score | None]) -> str:
    """The number of texts behind a line of scores: one number, or the least and the most."""
    counts = sorted({score.n for score in scores if score is not None})
    return " to ".join(f"{n:,}" for n in (counts[0], counts[-1])[: len(counts)]) if counts else "-"


def _table_rows(record: Reproduction) -> Iterator[list[str]]:
    for section, rows in groupby(record.rows, attrgetter("section")):
        yield [f"**{escape(section)}**", *[""] * (3 + len(record.columns))]
        for row in rows:
            yield from _rows_of_model(row)


def _rows_of_model(row: Row) -> Iterator[list[str]]:
    yield [escape(row.model), "published", "", "", *map(format_published, row.published)]
    here = f"`{row.here.replace('|', chr(92) + '|')}`"
    for line in row.lines:
        counts, ended = format_counts(line.scores), describe_convergence(line)
        yield [here, line.by, counts, ended, *map(format_measured, line.scores)]
        here = ""
    if row.note:
        yield [here, row.note, "", "", *[""] * len(row.published)]


def _log_blocks(record: Reproduction) -> list[str]:
    logs = describe_logs(record)
    return ["How the trainings ended:", render_list(map(escape, logs))] if logs else []


def _sample_blocks(record: Reproduction) -> Iterator[str]:
    for row in record.rows:
        if row.samples:
            yield f"{escape(row.section)}, {escape(row.model)}:"
            yield render_list(map(escape, row.samples))
