"""A judgement for tests."""

from dataclasses import replace

from tests.sample_frontier import swept
from vestige.defend.judge import describe_judgement
from vestige.defend.judge_record import JudgeResult


def judged(raw: str = "raw.npy", protected: str = "safe.npy") -> JudgeResult:
    """The sample sweep, with the first of its obscure defenses as the judged one."""
    sweep = swept()
    obscure = next(trial.defense for trial in sweep if trial.obscure)
    trials = tuple(replace(trial, defense="judged") if trial.defense == obscure else trial for trial in sweep)
    return describe_judgement(replace(sweep, trials=trials), raw, protected, None)
