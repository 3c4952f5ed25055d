"""The preflight in words, for the pages and for the terminal."""

from collections import Counter
from typing import get_args

from vestige.preflight import CheckLevel, Preflight

ROLES = {"vectors": "vectors", "ids": "ids", "texts": "text", "attributes": "other columns"}


def summarize_checks(preflight: Preflight) -> str:
    """The numbers of errors, warnings and notes, the most severe first, and of checks that passed."""
    counts = Counter(check.level for check in preflight.checks)
    problems = [
        f"{counts[level]} {level}{'s' if counts[level] > 1 else ''}"
        for level in reversed(get_args(CheckLevel))
        if counts[level] and level != "ok"
    ]
    return f"{', '.join(problems) or 'no problems'}; {counts['ok']} of {len(preflight.checks)} checks passed."


def describe_source(preflight: Preflight) -> str:
    """The store, and which columns hold what; columns that the owner did not name are marked as detected."""
    roles = [
        f"{role} in {', '.join(preflight.columns[key])}{' (detected)' if key in preflight.guessed else ''}"
        for key, role in ROLES.items()
        if preflight.columns.get(key)
    ]
    return f"{preflight.source}: {'; '.join(roles)}" if roles else preflight.source
