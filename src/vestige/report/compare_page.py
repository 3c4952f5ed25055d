"""The record of a comparison as an HTML page, and as Markdown that is short enough for a pull request."""

from typing import Any

from vestige.audit.comparison import Change, Comparison, InputChange, ProbeChange
from vestige.case.findings import Level
from vestige.report.formatting import format_count, format_number, format_signed
from vestige.report.html import render_page
from vestige.report.markdown import escape, join_blocks, render_list, render_table
from vestige.report.subject_tables import list_subject

LEVELS: dict[Change, Level] = {
    "worse": "severe",
    "better": "none",
    "undecided": "unknown",
    "no difference": "none",
    "not comparable": "unknown",
}
"""The colours of a change are those of a level."""

GLOSSARY = (
    ("Leakage", "The gain of the attack over guessing, averaged over the targets, as in an audit."),
    ("Worse", "The whole interval of the change is above zero: NEW leaks more than BASE."),
    ("Better", "The whole interval of the change is below zero: NEW leaks less than BASE."),
    (
        "Undecided",
        "The interval includes zero. This is no proof that nothing changed: a change within the interval may be real. "
        "More targets make the interval narrower.",
    ),
    ("No difference", "The two audits recorded the same finding: every target has the same score in both."),
    (
        "Paired",
        "Both audits scored the same targets, so their leakages are subtracted target by target. What makes a text "
        "easy or hard to recover in both cancels, and small changes can be seen.",
    ),
    (
        "95% interval",
        "The range in which the change would likely fall for other documents of the same kind. If several probes are "
        "compared, it is wide enough to hold for all of them at once.",
    ),
)

LIMITATIONS = (
    "The intervals describe the choice of target documents, with a small allowance for an attack that is fitted twice. "
    "They do not describe other texts for the attacker to learn from: run both audits again with another --seed before "
    "you act on a change below 0.01. The limitations of each audit apply to both."
)


def render_comparison_html(result: Comparison, **frame: Any) -> str:
    """The comparison as one HTML page that needs no other file; `frame` goes to `render_page`, as for an audit."""
    compared, skipped = _split(result)
    return render_page(
        "compare.html.j2",
        title=_title(result),
        version=result.version,
        result=result,
        compared=compared,
        skipped=skipped,
        levels=LEVELS,
        interval_note=_describe_intervals(len(compared)),
        list_subject=list_subject,
        limitations=LIMITATIONS,
        glossary=GLOSSARY,
        **frame,
    )


def render_comparison_markdown(result: Comparison) -> str:
    """The verdict and one table; everything else is folded away."""
    compared, skipped = _split(result)
    rows = [_row(change) for change in (*compared, *skipped)]
    return join_blocks(
        [
            f"### Vestige: {escape(result.headline)}",
            _gates(result),
            render_table(("Probe", "", "BASE", "NEW", "Change (95% interval)"), rows),
            "<details><summary>Details</summary>",
            *map(escape, result.sentences),
            render_list(f"**{escape(each.probe)}**: {escape(each.reason)}" for each in skipped),
            _inputs(result.inputs),
            escape(_describe_sides(result)),
            escape(LIMITATIONS),
            "</details>",
        ]
    )


def _title(result: Comparison) -> str:
    return f"Embedding audits compared: {result.base.name} and {result.new.name}"


def _split(result: Comparison) -> tuple[list[ProbeChange], list[ProbeChange]]:
    """The probes that were compared, and those that could not be."""
    compared = [change for change in result.changes if change.difference is not None]
    return compared, [change for change in result.changes if change.difference is None]


def _describe_intervals(compared: int) -> str:
    return "" if compared < 2 else f"The intervals hold for all {compared} probes at once."


def _row(change: ProbeChange) -> tuple[str, ...]:
    sides = ["-" if score is None else format_number(score.value) for score in (change.base, change.new)]
    return (change.probe, change.change, *sides, format_difference(change))


def format_difference(change: ProbeChange) -> str:
    """The difference with its interval, or a dash; it says if it is not paired."""
    score = change.difference
    if score is None:
        return "-"
    interval = f"{format_signed(score.value)} ({format_signed(score.low)} to {format_signed(score.high)})"
    return interval if change.paired else f"{interval}, not paired"


def _gates(result: Comparison) -> str:
    return render_list(
        f"{'held' if gate.held else '**failed**'}: {escape(gate.gate)}: {escape(gate.explanation)}"
        for gate in result.gates
    )


def _inputs(inputs: tuple[InputChange, ...]) -> str:
    rows = [(change.name, change.base, change.new) for change in inputs]
    return render_table(("Differs", "BASE", "NEW"), rows) if rows else "All inputs and settings are the same."


def _describe_sides(result: Comparison) -> str:
    sides = {"BASE": result.base, "NEW": result.new}
    described = [
        f"{role} is '{run.name}': {format_count(run.subject.target_texts)} targets, verdict {run.level}"
        for role, run in sides.items()
    ]
    return f"{'; '.join(described)}. Vestige {result.version}."
