"""The figures that papers print, transcribed: one file per paper, one section per table."""

import tomllib
from functools import cache
from importlib.resources import files
from math import isnan
from typing import Any

Columns = tuple[float | None, ...]
Sections = dict[str, dict[str, Columns]]


def list_tables(paper: str) -> tuple[str, ...]:
    """The tables of a paper that can be reproduced."""
    return tuple(_read(paper))


@cache
def published(paper: str, table: str) -> Sections:
    """The rows of a table by section and model, in percent, in the order of the paper; None where it has a dash."""
    return {
        section: {model: tuple(None if isnan(value) else float(value) for value in row) for model, row in rows.items()}
        for section, rows in _read(paper)[table].items()
    }


def list_models(printed: Sections) -> list[str]:
    """The models of all sections, each once, without the star that some papers put behind a name."""
    return list(dict.fromkeys(model.rstrip("*") for models in printed.values() for model in models))


@cache
def _read(paper: str) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"{paper}.toml").read_text(encoding="utf-8"))
