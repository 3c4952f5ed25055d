"""The record of a judgement as an HTML page, which is that of its sweep, and as Markdown."""

from dataclasses import replace
from typing import Any

from vestige.case.findings import Level
from vestige.defend.judge_record import JudgeResult, Label
from vestige.defend.record import DefendResult
from vestige.report.formatting import format_count
from vestige.report.frontier_page import (
    LIMITATIONS,
    STATUSES,
    describe_attacks,
    render_frontier_html,
    render_not_tried,
    render_trials,
)
from vestige.report.markdown import escape, join_blocks, render_command, render_list, render_table
from vestige.report.repeat_command import build_judge_command
from vestige.report.subject_tables import list_subject

LEVELS: dict[Label, Level] = {
    "obscurity": "severe",
    "delay": "severe",
    "no effect": "severe",
    "partial": "substantial",
    "effective": "none",
    "nothing to hide": "unknown",
}
HEADS = ("Probe", "Effect", "Raw", "Protected, adaptive attacker", "Protected, naive attacker")


def render_judge_html(result: JudgeResult, **frame: Any) -> str:
    """The judgement as one HTML page that needs no other file; `frame` goes to `render_page`, for another base page."""
    return render_frontier_html(
        replace(result.sweep, headline=result.headline, sentences=result.sentences),
        title=_title(result),
        badge=result.label,
        level=LEVELS[result.label],
        command=build_judge_command(result),
        config=None,
        what="judgement",
        method=_describe_method(result.sweep),
        **frame,
    )


def render_judge_markdown(result: JudgeResult) -> str:
    """The content of the page in Markdown tables."""
    sweep = result.sweep
    return join_blocks(
        [
            f"# {escape(_title(result))}",
            render_table(("Judged", ""), list_subject(sweep.subject)),
            f"## {escape(result.headline)}",
            *map(escape, result.sentences),
            render_table(HEADS, result.rows()),
            "## The judged defense among ours",
            render_trials(list(sweep.trials), STATUSES),
            "## How it was judged",
            render_list(map(escape, _describe_method(sweep))),
            *render_not_tried(sweep),
            "## What this report does not cover",
            LIMITATIONS,
            "## How to repeat this",
            f"Vestige {escape(result.version)}; seed {format_count(sweep.settings.seed)}",
            render_command(build_judge_command(result)),
        ]
    )


def _describe_method(sweep: DefendResult) -> list[str]:
    return [
        *describe_attacks(sweep),
        "The judged defense is known by its output only: each protected row is taken as it was given. The attacker has "
        "protected rows of other documents, and their texts.",
        "Our defenses were fitted on half of the documents that are not under attack.",
    ]


def _title(result: JudgeResult) -> str:
    return f"A defense, judged: {result.protected}"
