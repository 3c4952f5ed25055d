"""Sentences that more than one paper needs to say what differs."""

from collections.abc import Collection, Sequence
from math import ceil

from vestige.papers.victims import Absent, Victim

NOT_CONVERGED = "So short a training has not converged: the row is no verdict on the recipe."


def updates(texts: int, epochs: int, batch: int) -> int:
    """How often the parameters are changed."""
    return epochs * ceil(texts / batch)


def named(targets: Sequence[Victim | Absent], names: Collection[str]) -> list[str]:
    """Which encoders were named, and so stand for nothing."""
    known = [f"{target.model} is {target.here}" for target in targets if target.model in names]
    return [f"Named for this run, and no stand-in: {', '.join(known)}."] if known else []
