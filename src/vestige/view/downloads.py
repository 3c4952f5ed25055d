"""The files of a run: the record as it is on disk, and pages that are rendered from it."""

from collections.abc import Callable

from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.defend.record import DefendResult
from vestige.report.audit_page import render_audit_html, render_audit_markdown
from vestige.report.compare_ci import build_comparison_sarif
from vestige.report.compare_page import render_comparison_html, render_comparison_markdown
from vestige.report.frontier_page import render_frontier_html, render_frontier_markdown
from vestige.report.sarif import build_sarif
from vestige.view.runs import Kind, Result, RunSummary, open_run

TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "sarif": "application/sarif+json",
}

NAMES: dict[Kind, tuple[str, ...]] = {
    "audit": ("report.html", "report.json", "report.md", "report.sarif"),
    "sweep": ("frontier.html", "frontier.json", "frontier.md"),
    "comparison": ("compare.html", "compare.json", "compare.md", "compare.sarif"),
}
"""The files of each kind of run; SARIF holds findings, and a sweep has none."""


def build_download(run: RunSummary, name: str) -> bytes:
    """The content of a file of a run; a KeyError if its kind has no such file."""
    if name not in NAMES[run.kind]:
        raise KeyError(name)
    ending = name.rpartition(".")[2]
    if ending == "json":
        return run.path.read_bytes()
    return _find_renderer(open_run(run), ending)().encode()


def _find_renderer(result: Result, ending: str) -> Callable[[], str]:
    if isinstance(result, AuditResult):
        return {
            "html": lambda: render_audit_html(result),
            "md": lambda: render_audit_markdown(result),
            "sarif": lambda: build_sarif(result),
        }[ending]
    if isinstance(result, DefendResult):
        return {"html": lambda: render_frontier_html(result), "md": lambda: render_frontier_markdown(result)}[ending]
    assert isinstance(result, Comparison)
    return {
        "html": lambda: render_comparison_html(result),
        "md": lambda: render_comparison_markdown(result),
        "sarif": lambda: build_comparison_sarif(result),
    }[ending]
