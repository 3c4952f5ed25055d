"""Trials made by hand."""

from vestige.defend.record import Kept, Reading, Trial
from vestige.types import Score


def score(value: float, half: float = 0.01) -> Score:
    return Score(value, value - half, value + half, 100, 0.0)


def reading(leak: float, half: float = 0.01, naive: float | None = None, question: str = "words") -> Reading:
    told = None if naive is None else score(naive)
    return Reading(question, score(leak, half), told, score(0.0), score(leak + 0.1), score(0.1))


def trial(defense: str, leak: float, kept: float, half: float = 0.01, **more) -> Trial:
    usual = {
        "hides": None,
        "dimension": 64,
        "rung": 1,
        "pairs": 100,
        "targets": 100,
        "draws": 1,
        "queries": 100,
        "privacy": (reading(leak, half),),
        "utility": (Kept("recall@10", score(kept, half)),),
        "not_naive": None,
        "obscure": False,
        "fate": "reference" if defense == "none" else "misses",
        "reason": "",
        "frontier": False,
    }
    return Trial(defense=defense, **(usual | more))
