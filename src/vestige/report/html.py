"""The HTML kit: one base page, one style sheet, and the charts and tables that every page draws from.

A page is a template that extends `base.html.j2`. It imports macros from `charts.html.j2` (drawings) and
`parts.html.j2` (tables, glossary, the command that repeats a run). A page makes no request to the network.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from vestige.printable import printable_lines
from vestige.report import charts, formatting

KIT = "vestige.report"


def render_page(template: str, *, package: str = KIT, **context: Any) -> str:
    """Render a template from the `templates` folder of a package; `base.html.j2` needs a `title` and a `version`.

    Everything in the context is escaped, since texts come from strangers.
    """
    return _environment(package).get_template(template).render(context)


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name, "templates") for name in dict.fromkeys((package, KIT))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters |= {
        "number": formatting.format_number,
        "signed": formatting.format_signed,
        "interval": formatting.format_interval,
        "thousands": formatting.format_count,
        "score": formatting.format_score,
        "in_ten": formatting.format_in_ten,
        "sizes": formatting.format_sizes,
        "setting": formatting.format_setting,
        "code": mark_code,
    }
    # The only text that is not escaped: it is our own file.
    style = Markup(files(KIT).joinpath("templates/style.css").read_text(encoding="utf-8"))
    environment.globals |= {"style": style, "charts": charts}
    return environment


def mark_code(text: str) -> Markup:
    """The text, escaped, with what is between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable_lines(text)))))


def _finalize(value: Any) -> Any:
    """What a page shows of a value: text without control characters, which no encoding and no parser must meet."""
    return printable_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value
