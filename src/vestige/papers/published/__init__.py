"""The figures that papers print, transcribed; a file a paper."""

import tomllib
from functools import cache
from importlib.resources import files
from math import isnan

Columns = tuple[float | None, ...]
Sections = dict[str, dict[str, Columns]]


@cache
def published(paper: str, table: str) -> Sections:
    """The rows of a table by section and model, in percent, in the order of the paper; None where it has a dash."""
    read = tomllib.loads(files(__name__).joinpath(f"{paper}.toml").read_text(encoding="utf-8"))
    return {
        section: {model: tuple(None if isnan(value) else float(value) for value in row) for model, row in rows.items()}
        for section, rows in read[table].items()
    }
