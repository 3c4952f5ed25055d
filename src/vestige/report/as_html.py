"""The record as one HTML page that needs nothing but itself."""

from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import get_args

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from vestige.audit.result import AuditResult, Level
from vestige.report import chart, figures, roc, wording
from vestige.report.repeat import command

_RANKED = [level for level in get_args(Level) if level != "unknown"]


def as_html(result: AuditResult) -> str:
    """The page. Every word of the record is escaped, since texts come from strangers."""
    return (
        environment()
        .get_template("template.html.j2")
        .render(result=result, settings=asdict(result.settings), command=command(result))
    )


@cache
def environment() -> Environment:
    """The templates, with what they may call."""
    environment = Environment(
        loader=PackageLoader("vestige.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        name: getattr(figures, name)
        for name in ("number", "interval", "whole", "spoken", "in_ten", "standing", "sizes", "setting")
    }
    environment.globals |= {
        "style": _style(),
        "levels": _RANKED,
        "chart": chart,
        "figures": figures,
        "roc": roc,
        "wording": wording,
    }
    return environment


def _style() -> Markup:
    # The only text that is not escaped: it is our own file.
    return Markup(files("vestige.report").joinpath("style.css").read_text(encoding="utf-8"))
