"""What the templates of the pages know."""

from functools import cache
from importlib.resources import files
from typing import get_args

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from vestige.case.findings import Level
from vestige.report import chart, figures, roc, wording

_RANKED = [level for level in get_args(Level) if level != "unknown"]


@cache
def environment() -> Environment:
    """Templates beside this file. Every word of a record is escaped, since texts come from strangers."""
    made = Environment(
        loader=PackageLoader("vestige.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        name: getattr(figures, name)
        for name in ("number", "interval", "whole", "spoken", "in_ten", "standing", "sizes", "setting")
    }
    made.globals |= {
        "style": _style(),
        "levels": _RANKED,
        "chart": chart,
        "figures": figures,
        "roc": roc,
        "wording": wording,
    }
    return made


def _style() -> Markup:
    # The only text that is not escaped: it is our own file.
    return Markup(files("vestige.report").joinpath("style.css").read_text(encoding="utf-8"))
