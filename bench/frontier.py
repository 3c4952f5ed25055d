"""Which defenses are only obscurity: what a stranger reads who does not know of them, and what one reads who does.

Complaints, MiniLM, words and keywords. A row a defense: leakage, which is the gain over guessing, without a defense, to
the naive stranger and to the adaptive one, then recall@10 of the neighbours. Vectors are kept between runs.
"""

from collections.abc import Iterator
from pathlib import Path

from vestige.audit.defend.record import Trial
from vestige.audit.defend.run import defend
from vestige.audit.settings import Settings
from vestige.types import Score

CACHE = Path("vestige-audit/bench")
DEFENSES = "rounding:2,rounding:1,int8,rotation,projection:192,projection:64,gaussian:10000,gaussian:3000,gaussian:1000"
SETTINGS = Settings(pairs=6000)


def run() -> Iterator[str]:
    chosen = defend(limits=(), defenses=DEFENSES, settings=SETTINGS, halving=False, cache=CACHE)
    heads = (f"{who} {question}" for question in ("words", "keywords") for who in ("naive", "adaptive"))
    yield f"{'defense':16} {''.join(f'{head:>26}' for head in heads)} {'recall@10':>10}"
    for trial in chosen.result.trials:
        yield _line(trial)


def _line(trial: Trial) -> str:
    readings = [each for each in trial.privacy if each.question in ("words", "keywords")]
    cells = [_cell(score) for each in readings for score in (each.naive, each.adaptive)]
    mark = "  only obscurity" if trial.obscure else ""
    return f"{trial.defense:16} {''.join(cells)} {trial.scores['recall@10'].value:10.3f}{mark}"


def _cell(score: Score | None) -> str:
    shown = "not applicable" if score is None else f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
    return f"{shown:>26}"
