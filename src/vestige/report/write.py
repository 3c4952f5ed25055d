"""Write the reports of an audit into a folder."""

from dataclasses import dataclass
from pathlib import Path

from vestige.audit.result import AuditResult
from vestige.files import writable_folder, write_whole
from vestige.report.as_html import as_html
from vestige.report.as_json import dumps
from vestige.report.as_markdown import as_markdown


@dataclass(frozen=True, slots=True)
class Reports:
    """Where the reports lie."""

    html: Path
    json: Path
    markdown: Path


def write_report(result: AuditResult, folder: str | Path) -> Reports:
    """The same result three times: a page to read, JSON for machines, Markdown for a pull request."""
    folder = writable_folder(Path(folder))
    reports = Reports(folder / "report.html", folder / "report.json", folder / "report.md")
    write_whole(reports.json, dumps(result).encode())
    write_whole(reports.markdown, as_markdown(result).encode())
    write_whole(reports.html, as_html(result).encode())
    return reports
