"""A preflight in words, and as a section of a page."""

from collections import Counter
from typing import get_args

from markupsafe import Markup

from vestige.preflight import CheckLevel, Preflight
from vestige.report.environment import environment

ROLES = {"vectors": "vectors", "ids": "ids", "texts": "text", "attributes": "other columns"}


def headline(result: Preflight) -> str:
    """How many errors, warnings and notes there are, the gravest first."""
    counts = Counter(check.level for check in result.checks)
    said = [
        f"{counts[level]} {level}{'s' if counts[level] > 1 else ''}"
        for level in reversed(get_args(CheckLevel))
        if counts[level] and level != "ok"
    ]
    return f"{', '.join(said) or 'nothing was found'}; {counts['ok']} of {len(result.checks)} checks are fine."


def looked_at(result: Preflight) -> str:
    """Which store, and which of its columns hold what; those that nobody named are marked as found."""
    roles = [
        f"{said} in {', '.join(result.columns[role])}{' (found)' if role in result.guessed else ''}"
        for role, said in ROLES.items()
        if result.columns.get(role)
    ]
    return f"{result.source}: {'; '.join(roles)}" if roles else result.source


def as_section(result: Preflight) -> Markup:
    """The section of a page, escaped throughout."""
    page = environment().get_template("preflight.html.j2")
    return Markup(page.render(preflight=result, headline=headline(result), looked_at=looked_at(result)))
