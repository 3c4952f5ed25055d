"""Write a reproduction into a folder."""

from dataclasses import dataclass
from pathlib import Path

from vestige.case.codec import dumps
from vestige.files import writable_folder, write_whole
from vestige.papers.as_html import as_html
from vestige.papers.as_markdown import as_markdown
from vestige.papers.record import Reproduction


@dataclass(frozen=True, slots=True)
class Written:
    """Where the reproduction lies."""

    html: Path
    json: Path
    markdown: Path


def write_reproduction(record: Reproduction, folder: str | Path) -> Written:
    """The same record three times: a page to read, JSON for machines, Markdown for a pull request."""
    pages = dumps(record), as_markdown(record), as_html(record)
    folder = writable_folder(Path(folder))
    name = f"{record.paper}-{record.table}"
    written = Written(folder / f"{name}.html", folder / f"{name}.json", folder / f"{name}.md")
    for path, page in zip((written.json, written.markdown, written.html), pages, strict=True):
        write_whole(path, page.encode())
    return written
