"""Write a reproduction into a folder."""

from dataclasses import dataclass
from pathlib import Path

from vestige.audit.codec import dumps
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
    folder = writable_folder(Path(folder))
    name = f"{record.paper}-{record.table}"
    written = Written(folder / f"{name}.html", folder / f"{name}.json", folder / f"{name}.md")
    write_whole(written.json, dumps(record).encode())
    write_whole(written.markdown, as_markdown(record).encode())
    write_whole(written.html, as_html(record).encode())
    return written
