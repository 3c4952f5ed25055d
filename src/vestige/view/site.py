"""Where pages are: addresses of the server, or files of a static site; and the frame around every page."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup

import vestige
from vestige.report.html import KIT, render_page

PACKAGE = "vestige.view"
REPORT_STYLE, VIEW_STYLE, SCRIPT = "report.css", "view.css", "view.js"


class MissingPage(KeyError):
    """There is no page about this; the server answers with 404."""


@dataclass(frozen=True, slots=True)
class Site:
    """Builds the links between pages. A static site has one folder of files and no live page."""

    static: bool = False
    show_text: bool = False

    def link(self, page: str, *parts: object, **query: object) -> str:
        """The address of a page; `parts` name what it is about."""
        if self.static:
            return "-".join(["index" if page == "runs" and not parts else page, *map(str, parts)]) + ".html"
        asked = f"?{urlencode(query)}" if query else ""
        return "/" + "/".join([page, *(quote(str(part), safe="") for part in parts)]) + asked

    def file(self, run: str, name: str) -> str:
        """The address of a file of a run."""
        return f"files/{run}/{name}" if self.static else f"/files/{run}/{name}"

    def render(self, template: str, *, active: str, title: str, **context: Any) -> str:
        """A page of this package in the frame."""
        return render_page(template, version=vestige.__version__, title=title, **self.frame(active), **context)

    def frame(self, active: str) -> dict[str, Any]:
        """What the frame needs; the pages of a report take it as well. `active` is the page that the menu marks."""
        return {"package": PACKAGE, "site": self, "active": active, "view_style": Markup(read_asset(VIEW_STYLE))}


@cache
def read_asset(name: str) -> str:
    """The text of a style sheet or of the script; the report's style sheet comes from the report."""
    if name == REPORT_STYLE:
        return files(KIT).joinpath("templates/style.css").read_text(encoding="utf-8")
    return files(PACKAGE).joinpath(f"static/{name}").read_text(encoding="utf-8")
