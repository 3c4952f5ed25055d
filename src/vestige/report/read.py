"""Read the JSON files that the reports come with. What is read equals what was written."""

from pathlib import Path

from vestige.audit.comparison import SCHEMA as COMPARISON
from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.audit.saved import read_audit, read_kind
from vestige.defend.judge_record import SCHEMA as JUDGEMENT
from vestige.defend.judge_record import JudgeResult
from vestige.defend.record import SCHEMA as FRONTIER
from vestige.defend.record import DefendResult
from vestige.leaderboard.record import SCHEMA as LEADERBOARD
from vestige.leaderboard.record import Leaderboard


def read_result(path: str | Path) -> AuditResult:
    """The result of an audit, from a `report.json` or a folder that has one.

    A file of another schema is refused rather than half understood.
    """
    return read_audit(path)


def read_frontier(path: str | Path) -> DefendResult:
    """The result of a sweep of defenses, from a `frontier.json` or a folder that has one."""
    return read_kind(DefendResult, "trials", FRONTIER, path)


def read_comparison(path: str | Path) -> Comparison:
    """The result of a comparison, from a `compare.json` or a folder that has one."""
    return read_kind(Comparison, "changes", COMPARISON, path)


def read_judgement(path: str | Path) -> JudgeResult:
    """The judgement of a defense, from a `judge.json` or a folder that has one."""
    return read_kind(JudgeResult, "effects", JUDGEMENT, path)


def read_leaderboard(path: str | Path) -> Leaderboard:
    """A leaderboard of encoders, from a `leaderboard.json` or a folder that has one."""
    return read_kind(Leaderboard, "ranked", LEADERBOARD, path)
