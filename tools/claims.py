"""The claims of the papers, and what our records say of each.

A claim has checks, each of which compares two scores of records: `more` against `than`, or both `within` a distance;
`times` multiplies `more` first. A number may stand on either side.
Only lines whose trainings converged take part; every other claim is undecided. A run that is smaller than the paper's
can support a claim, but not refute it: an attack may need the paper's amount of text. For the same reason, two scores
decide nothing if their attacks learned from different amounts of text.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vestige.errors import InputError
from vestige.papers.results import ResultRun, read_results
from vestige.types import Score

Status = Literal["holds", "refuted", "undecided"]
HOLDS: Status = "holds"
REFUTED: Status = "refuted"
UNDECIDED: Status = "undecided"

PAPER_SCALE = "paper"
TEXT_SIZES = ("corpus", "documents", "same", "train", "words")
"""The sizes of a run that say from which texts, and how many, encoders and attacks learned."""


@dataclass(frozen=True)
class Cell:
    """One score of a record: "PAPER/TABLE", the section and model of its row, the line that made it, the column.

    `training` is the place, from 0, of the training that made the score, where every column of a line has its own;
    without, all trainings of the line must have converged.
    """

    record: str
    section: str
    model: str
    line: str
    column: str
    training: int | None = None

    def describe(self) -> str:
        """The cell in words."""
        return f"{self.section}, {self.model}, {self.line}, {self.column}"


@dataclass(frozen=True)
class Check:
    """That one score, `times` a number, is above another, or at most `within` below it."""

    more: Cell | float
    than: Cell | float
    within: float | None = None
    times: float = 1.0


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, where it is made, and the checks that decide it; `needs` says what would.

    `differs` says how our run departs from the paper's protocol although its sizes are the paper's: a finding against
    the claim then decides nothing.
    """

    paper: str
    where: str
    text: str
    needs: str
    checks: tuple[Check, ...]
    differs: str = ""


@dataclass(frozen=True)
class Decision:
    """The status of a claim, and our result or what would decide it."""

    status: Status
    why: str


def read_claims(path: Path) -> list[Claim]:
    """The claims of the data file."""
    return [_read_claim(plain) for plain in tomllib.loads(path.read_text(encoding="utf-8"))["claim"]]


def _read_claim(plain: Mapping[str, Any]) -> Claim:
    checks = tuple(_read_check(check) for check in plain.get("check", ()))
    return Claim(plain["paper"], plain["where"], plain["text"], plain["needs"], checks, plain.get("differs", ""))


def _read_check(plain: Mapping[str, Any]) -> Check:
    """A check; what `than` does not name is that of `more`."""
    more, than = plain["more"], plain["than"]
    known = {} if isinstance(more, int | float) else more
    left = Cell(**more) if known else float(more)
    right = float(than) if isinstance(than, int | float) else Cell(**{**known, **than})
    return Check(left, right, plain.get("within"), plain.get("times", 1.0))


def decide_claims(path: Path, results: Path) -> list[tuple[Claim, Decision]]:
    """Every claim with its decision."""
    return [(claim, decide(claim, results)) for claim in read_claims(path)]


def decide(claim: Claim, results: Path) -> Decision:
    """A claim holds if all checks do, and is refuted if one is; else it is undecided."""
    if not claim.checks:
        return Decision(UNDECIDED, claim.needs)
    outcomes = [run_check(check, results) for check in claim.checks]
    refuted = [one for one in outcomes if one.status == REFUTED]
    unsettled = [one for one in outcomes if one.status == UNDECIDED]
    if refuted:
        described = "; ".join(one.why for one in refuted)
        if claim.differs:
            return Decision(UNDECIDED, f"{described}: our run found the opposite, but {claim.differs}. {claim.needs}")
        return Decision(REFUTED, described)
    if unsettled:
        return Decision(UNDECIDED, f"{unsettled[0].why}. {claim.needs}")
    return Decision(HOLDS, "; ".join(one.why for one in outcomes))


def run_check(check: Check, results: Path) -> Decision:
    """Compare the two scores of a check, if both exist and converged."""
    sides: list[Score] = []
    for side in (check.more, check.than):
        if isinstance(side, float):
            sides.append(Score(side, side, side, 1))
            continue
        score, fault = find_score(side, results)
        if score is None:
            return Decision(UNDECIDED, fault)
        sides.append(score)
    if isinstance(check.more, Cell) and isinstance(check.than, Cell):
        differing = _find_differing_texts(check.more, check.than, results)
        if differing:
            compared = f"{check.more.describe()}, and {check.than.describe()}"
            return Decision(UNDECIDED, f"Recorded with different texts ({', '.join(differing)}): {compared}")
    status, described = _compare(_scale(sides[0], check.times), sides[1], check.within), _describe(check, sides)
    if status == UNDECIDED:
        return Decision(UNDECIDED, f"{described}: inconclusive, the intervals allow either answer")
    if status == REFUTED and any(_is_smaller(side, results) for side in (check.more, check.than)):
        return Decision(UNDECIDED, f"{described}: our run found the opposite, but it is smaller than the paper's")
    return Decision(status, described)


def _is_smaller(side: Cell | float, results: Path) -> bool:
    """Whether the row of a cell was run below the sizes of the paper."""
    if isinstance(side, float):
        return False
    return any(run.scale != PAPER_SCALE or run.changes for run in _find_runs(side, results))


def _find_runs(side: Cell, results: Path) -> list[ResultRun]:
    """The runs that made the row of a cell."""
    table = read_results(results / f"{side.record}.json")
    keys = {one.run for one in table.rows if (one.row.section, one.row.model) == (side.section, side.model)}
    return [run for run in table.runs if run.key in keys]


def _find_differing_texts(more: Cell, than: Cell, results: Path) -> list[str]:
    """The sizes of texts in which the runs of two cells differ."""
    runs = [*_find_runs(more, results), *_find_runs(than, results)]
    return [name for name in TEXT_SIZES if len({str(run.sizes.get(name)) for run in runs}) > 1]


def find_score(cell: Cell, results: Path) -> tuple[Score | None, str]:
    """The score of a cell, or the reason why it decides nothing."""
    path = results / f"{cell.record}.json"
    if not path.is_file():
        return None, "Not recorded"
    table = read_results(path)
    if cell.column not in table.columns:
        raise InputError(f"{path} has no column '{cell.column}'; its columns: {'; '.join(table.columns)}")
    rows = [one.row for one in table.rows if (one.row.section, one.row.model) == (cell.section, cell.model)]
    lines = [line for row in rows for line in row.lines if line.by == cell.line]
    if not lines:
        return None, f"Not recorded: {cell.describe()}"
    converged = lines[0].converged if cell.training is None else lines[0].logs[cell.training].converged
    if not converged:
        fault = "Not converged" if converged is False else "Not known to have converged"
        return None, f"{fault}: {cell.describe()}"
    score = lines[0].scores[table.columns.index(cell.column)]
    return score, "" if score else f"Not recorded: {cell.describe()}"


def _scale(score: Score, times: float) -> Score:
    return Score(times * score.value, times * score.low, times * score.high, score.n)


def _compare(first: Score, second: Score, within: float | None) -> Status:
    """By intervals: above, below, or undecided; with `within`, whether the first is at most that far below."""
    slack = within or 0.0
    if first.low + slack > second.high:
        return HOLDS
    return REFUTED if first.high + slack < second.low else UNDECIDED


def _describe(check: Check, sides: Sequence[Score]) -> str:
    described = []
    for side, score in zip((check.more, check.than), sides, strict=True):
        shown = f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"
        described.append(f"limit {100 * side:g}" if isinstance(side, float) else f"{side.describe()}: {shown}")
    scaled = "" if check.times == 1 else f", {check.times:g} times that"
    return f"{described[0]}{scaled}; {described[1]}"
