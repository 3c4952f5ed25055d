"""A reproduction as one HTML page that needs nothing but itself."""

from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import attrgetter

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from vestige.papers import figures, plot
from vestige.papers.as_markdown import REPEATED, command
from vestige.papers.record import Reproduction


def as_html(record: Reproduction) -> str:
    """The page. Every word of the record is escaped."""
    sections = [(name, list(rows)) for name, rows in groupby(record.rows, attrgetter("section"))]
    given = {"record": record, "sections": sections, "command": command(record), "repeated": REPEATED}
    return _environment().get_template("page.html.j2").render(given)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("vestige.papers", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"printed": figures.printed, "counted": figures.counted}
    # The only text that is not escaped: it is our own file.
    style = Markup(files("vestige.papers").joinpath("page.css").read_text(encoding="utf-8"))
    environment.globals |= {"style": style, "plot": plot}
    return environment
