"""Write the reports of a sweep into a folder."""

from pathlib import Path

from vestige.case.codec import dumps
from vestige.defend.record import DefendResult
from vestige.files import writable_folder, write_whole
from vestige.report.frontier.as_html import as_html
from vestige.report.frontier.as_markdown import as_markdown
from vestige.report.write import Reports


def write_frontier(result: DefendResult, folder: str | Path) -> Reports:
    """The same result three times: a page to read, JSON for machines, Markdown for a pull request."""
    folder = writable_folder(Path(folder))
    reports = Reports(folder / "frontier.html", folder / "frontier.json", folder / "frontier.md")
    write_whole(reports.json, dumps(result).encode())
    write_whole(reports.markdown, as_markdown(result).encode())
    write_whole(reports.html, as_html(result).encode())
    return reports
