"""Write a record to a folder as an HTML page, a JSON file and a Markdown file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.case.codec import dumps
from vestige.defend.judge_record import JudgeResult
from vestige.defend.record import DefendResult
from vestige.files import writable_folder, write_together
from vestige.leaderboard.record import Leaderboard
from vestige.report.audit_page import render_audit_html, render_audit_markdown
from vestige.report.compare_page import render_comparison_html, render_comparison_markdown
from vestige.report.frontier_page import render_frontier_html, render_frontier_markdown
from vestige.report.judge_page import render_judge_html, render_judge_markdown
from vestige.report.leaderboard_page import render_leaderboard_html, render_leaderboard_markdown

NOTHING: Mapping[Path, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Reports:
    """The three files of one record."""

    html: Path
    json: Path
    markdown: Path


def write_report(result: AuditResult, folder: str | Path, also: Mapping[Path, bytes] = NOTHING) -> Reports:
    """Write an audit as `report.html` to read, `report.json` for machines and `report.md` for a pull request.

    `also` are files that appear together with these.
    """
    return write_pages(
        folder,
        "report",
        html=render_audit_html(result),
        json=dumps(result),
        markdown=render_audit_markdown(result),
        also=also,
    )


def write_frontier(result: DefendResult, folder: str | Path) -> Reports:
    """Write a sweep of defenses as `frontier.html`, `frontier.json` and `frontier.md`."""
    return write_pages(
        folder,
        "frontier",
        html=render_frontier_html(result),
        json=dumps(result),
        markdown=render_frontier_markdown(result),
    )


def write_comparison(result: Comparison, folder: str | Path, also: Mapping[Path, bytes] = NOTHING) -> Reports:
    """Write a comparison as `compare.html`, `compare.json` and `compare.md`, together with other files."""
    return write_pages(
        folder,
        "compare",
        html=render_comparison_html(result),
        json=dumps(result),
        markdown=render_comparison_markdown(result),
        also=also,
    )


def write_judgement(result: JudgeResult, folder: str | Path) -> Reports:
    """Write a judgement as `judge.html`, `judge.json` and `judge.md`."""
    return write_pages(
        folder, "judge", html=render_judge_html(result), json=dumps(result), markdown=render_judge_markdown(result)
    )


def write_leaderboard(result: Leaderboard, folder: str | Path) -> Reports:
    """Write a leaderboard as `leaderboard.html`, `leaderboard.json` and `leaderboard.md`."""
    return write_pages(
        folder,
        "leaderboard",
        html=render_leaderboard_html(result),
        json=dumps(result),
        markdown=render_leaderboard_markdown(result),
    )


def write_pages(
    folder: str | Path, name: str, *, html: str, json: str, markdown: str, also: Mapping[Path, bytes] = NOTHING
) -> Reports:
    """Write the three files into a folder, which is created if needed.

    They appear together, and with those in `also`, or not at all.
    """
    folder = writable_folder(Path(folder))
    reports = Reports(folder / f"{name}.html", folder / f"{name}.json", folder / f"{name}.md")
    contents = {reports.json: json, reports.markdown: markdown, reports.html: html}
    write_together({**{path: content.encode() for path, content in contents.items()}, **also})
    return reports
