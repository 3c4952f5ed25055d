"""Made-up trials of defenses."""

from vestige.defend.record import DefenseTrial, ProbeLeakage, UtilityScore
from vestige.types import Score


def score(value: float, half: float = 0.01) -> Score:
    return Score(value, value - half, value + half, 100, 0.0)


def leakage(value: float, half: float = 0.01, naive: float | None = None, probe: str = "words") -> ProbeLeakage:
    fooled = None if naive is None else score(naive)
    return ProbeLeakage(probe, score(value, half), fooled, score(0.0), score(value + 0.1), score(0.1))


def trial(defense: str, leak: float, recall: float, half: float = 0.01, **more) -> DefenseTrial:
    usual = {
        "hides": None,
        "dimension": 64,
        "round": 1,
        "pairs": 100,
        "targets": 100,
        "draws": 1,
        "queries": 100,
        "privacy": (leakage(leak, half),),
        "utility": (UtilityScore("recall@10", score(recall, half)),),
        "not_naive": None,
        "obscure": False,
        "status": "reference" if defense == "none" else "misses",
        "reason": "",
        "frontier": False,
    }
    return DefenseTrial(defense=defense, **(usual | more))
