"""The files of a run: the record as it is on disk, and pages that are rendered from it."""

from collections.abc import Callable
from typing import Any

from vestige.errors import InputError
from vestige.report.audit_page import render_audit_html, render_audit_markdown
from vestige.report.compare_ci import build_comparison_sarif
from vestige.report.compare_page import render_comparison_html, render_comparison_markdown
from vestige.report.frontier_page import render_frontier_html, render_frontier_markdown
from vestige.report.judge_page import render_judge_html, render_judge_markdown
from vestige.report.leaderboard_page import render_leaderboard_html, render_leaderboard_markdown
from vestige.report.sarif import build_sarif
from vestige.view.runs import FILES, Kind, RunSummary, open_run
from vestige.view.site import MissingPage

TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "sarif": "application/sarif+json",
}

RENDERERS: dict[Kind, dict[str, Callable[[Any], str]]] = {
    "audit": {"html": render_audit_html, "md": render_audit_markdown, "sarif": build_sarif},
    "sweep": {"html": render_frontier_html, "md": render_frontier_markdown},
    "comparison": {
        "html": render_comparison_html,
        "md": render_comparison_markdown,
        "sarif": build_comparison_sarif,
    },
    "judgement": {"html": render_judge_html, "md": render_judge_markdown},
    "leaderboard": {"html": render_leaderboard_html, "md": render_leaderboard_markdown},
}
"""What is rendered from each kind of record. SARIF holds findings, which only audits and comparisons have."""


def list_files(kind: Kind) -> list[str]:
    """The names of the files of a kind of run: the record, and what is rendered from it."""
    record = next(file for file, own in FILES.items() if own == kind)
    return sorted([record, *(record.replace("json", ending) for ending in RENDERERS[kind])])


def build_download(run: RunSummary, name: str) -> bytes:
    """The content of a file of a run."""
    if name not in list_files(run.kind):
        raise MissingPage(name)
    ending = name.rpartition(".")[2]
    if ending == "json":
        return _read(run)
    return RENDERERS[run.kind][ending](open_run(run)).encode()


def _read(run: RunSummary) -> bytes:
    try:
        return run.path.read_bytes()
    except OSError as error:
        raise InputError(f"{run.path} cannot be read ({error.strerror}); run it again") from error
