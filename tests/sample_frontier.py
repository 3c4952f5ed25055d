"""Made-up records of sweeps of defenses, for the reports."""

from dataclasses import replace

from tests.sample_result import HOSTILE, LONG_WORD, SUBJECT
from tests.unit.defend.trials import leakage, trial
from vestige.case.settings import Settings
from vestige.defend.record import (
    SCHEMA,
    DefendResult,
    DefenseTrial,
    NotTried,
    Round,
    SweepAttack,
    UtilityScore,
)

TRIALS = (
    trial("none", 0.61, 1.0, privacy=(leakage(0.61, naive=0.61),), frontier=True, round=2),
    trial("rotation", 0.60, 1.0, privacy=(leakage(0.6, naive=-0.02),), obscure=True, round=2),
    trial("gaussian:3000", 0.08, 0.92, privacy=(leakage(0.08, naive=0.05),), status="chosen", frontier=True, round=2),
    trial("pca:16", 0.3, 0.4, status="dropped", reason="in round 1: words 0.300 misses words<0.10", dimension=16),
)


def swept(*trials: DefenseTrial, **more) -> DefendResult:
    usual = {
        "schema": SCHEMA,
        "version": "0.1.0",
        "headline": "The cheapest defense with words under 0.10 and recall@10 over 0.90 is gaussian:3000.",
        "sentences": ("Undefended: words 0.610 (0.600 to 0.620).",),
        "chosen": "gaussian:3000",
        "limits": ("words<0.10", "recall@10>0.90"),
        "cost": "recall@10",
        "probe": "words",
        "attacks": (SweepAttack("words", "Words recovered (F1)", "multi-label inversion", 1),),
        "rounds": (Round(3000, 500, 3, 1), Round(12000, 1000, 2, 0)),
        "trials": trials or TRIALS,
        "not_tried": (NotTried("leace", "'concept-erasure' is not installed", "pip install 'vestige[leace]'"),),
        "not_asked": ("attributes: no column of labels came with the texts",),
        "subject": SUBJECT,
        "settings": Settings(),
        "defenses": ("rotation", "gaussian:3000", "pca:16", "leace"),
        "task": None,
        "draws": 2,
        "halving": True,
    }
    return DefendResult(**(usual | more))


def crowded() -> DefendResult:
    """As many defenses, probes and measures as a sweep without options has, many of them close to each other."""
    names = [
        f"{name}:{strength}" for name in ("gaussian", "metric", "laplace", "projection") for strength in (9984, 768)
    ]
    trials = [TRIALS[0], *(trial(name, 0.5 - 0.05 * place, 0.9 - 0.02 * place) for place, name in enumerate(names))]
    dropped = [
        trial(
            f"pca:{size}", 0.4 - size / 999, 0.6, status="dropped", reason="in round 1: words 0.300 misses words<0.10"
        )
        for size in range(8, 128, 12)
    ]
    several = [
        replace(
            each,
            privacy=tuple(
                replace(each.privacy[0], probe=probe) for probe in ("words", "keywords", "attributes:product")
            ),
            utility=tuple(UtilityScore(name, each.utility[0].score) for name in ("recall@10", "correlation", "task")),
        )
        for each in (*trials, *dropped)
    ]
    return swept(*several, chosen=None, limits=("words<0.10", "recall@10>0.90"))


def hostile() -> DefendResult:
    """Names so long or so hostile that a page could break, and no defense that meets the limits."""
    odd = trial(LONG_WORD, 0.5, 0.9, privacy=(leakage(0.5, naive=0.5),), hides=HOSTILE, round=2)
    made = swept(TRIALS[0], odd, chosen=None, headline=f"{HOSTILE} {LONG_WORD}", limits=())
    return replace(made, subject=replace(SUBJECT, corpus=f"{HOSTILE}{LONG_WORD}.csv"), task=HOSTILE)
