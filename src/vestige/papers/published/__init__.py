"""The figures that papers print, transcribed: one file per paper, one section per table."""

import tomllib
from functools import cache
from importlib.resources import files
from math import isnan
from typing import Any

Columns = tuple[float | str | None, ...]
"""The figures of a row, in percent; a string where the paper gives a bound or a rough value, such as "< 10"."""

Sections = dict[str, dict[str, Columns]]


def list_tables(paper: str) -> tuple[str, ...]:
    """The tables of a paper that can be reproduced."""
    return tuple(_read(paper))


@cache
def published(paper: str, table: str) -> Sections:
    """The rows of a table by section and model, in percent, in the order of the paper; None where it has a dash."""
    return {
        section: {model: tuple(map(_read_figure, row)) for model, row in rows.items()}
        for section, rows in _read(paper)[table].items()
    }


def list_models(printed: Sections) -> list[str]:
    """The models of all sections, each once, without the star that some papers put behind a name."""
    return list(dict.fromkeys(model.rstrip("*") for models in printed.values() for model in models))


def _read_figure(value: float | str) -> float | str | None:
    if isinstance(value, str):
        return value
    return None if isnan(value) else float(value)


@cache
def _read(paper: str) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"{paper}.toml").read_text(encoding="utf-8"))
