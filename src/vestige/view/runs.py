"""The results in some folders: which there are, and a summary of each that is quick to read."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult, GateOutcome
from vestige.case.codec import from_plain
from vestige.case.findings import Level, Subject
from vestige.defend.judge_record import JudgeResult
from vestige.defend.record import DefendResult
from vestige.errors import InputError
from vestige.leaderboard.record import Leaderboard
from vestige.memory import read_file
from vestige.report.read import read_comparison, read_frontier, read_judgement, read_leaderboard, read_result
from vestige.types import Score
from vestige.view.site import MissingPage

Kind = Literal["audit", "sweep", "comparison", "judgement", "leaderboard"]
Result = AuditResult | DefendResult | Comparison | JudgeResult | Leaderboard

FILES: dict[str, Kind] = {
    "report.json": "audit",
    "frontier.json": "sweep",
    "compare.json": "comparison",
    "judge.json": "judgement",
    "leaderboard.json": "leaderboard",
}
SHOWN = {"probes", "show_text"}
"""Settings that decide what a report has, not how much leaks."""

SKIPPED = {"cache", "node_modules", "__pycache__"}
"""Folders without results, some of them large; those whose names begin with a dot are skipped too."""


@dataclass(frozen=True, slots=True)
class ProbeLine:
    """The leakage that a run measured with one probe; the level is unknown if the run warns about it."""

    probe: str
    level: Level
    leakage: Score


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One result: where it is, when it was written, and its conclusions. `error` says why it cannot be read.

    `settings` are those of an audit on which its leakage depends.
    """

    id: str
    kind: Kind
    path: Path
    name: str
    time: float
    headline: str = ""
    level: Level = "unknown"
    probes: tuple[ProbeLine, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    pending: tuple[str, ...] = ()
    audited: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    error: str = ""

    @property
    def date(self) -> str:
        """When the file was written, to the minute."""
        return datetime.fromtimestamp(self.time).astimezone().strftime("%Y-%m-%d %H:%M")

    @property
    def failed(self) -> int:
        """How many limits of the owner failed."""
        return sum(not gate.held for gate in self.gates)

    @property
    def shown_level(self) -> str:
        """The level as a badge; a sweep or a comparison has none."""
        return self.level if self.kind == "audit" and not self.error else "unknown"


@dataclass
class RunIndex:
    """Finds the results below some folders. A file is read again only if it has changed."""

    folders: Sequence[Path]
    _known: dict[tuple[str, int, int], RunSummary] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def list_runs(self) -> list[RunSummary]:
        """All results, the newest first; one that several folders lead to is listed once."""
        with self._lock:
            self._known = dict(self._summarize_found())
            found = {run.id: run for run in self._known.values()}
            return sorted(found.values(), key=lambda run: (-run.time, run.name))

    def find(self, run: str) -> RunSummary:
        """The result with this id."""
        found = next((each for each in self.list_runs() if each.id == run), None)
        if found is None:
            raise MissingPage(run)
        return found

    def _summarize_found(self) -> Iterator[tuple[tuple[str, int, int], RunSummary]]:
        """Every result by its key; one that disappears while it is looked at, a broken link, or one
        in a folder that may not be entered, is not there."""
        for path, name in self._find():
            with suppress(OSError):
                key = self._key(path)
                yield key, self._known.get(key) or summarize(path, name)

    def _find(self) -> Iterator[tuple[Path, str]]:
        for given in self.folders:
            if given.is_file():
                yield given, given.parent.name or given.name
                continue
            for folder, below, names in os.walk(given):
                below[:] = sorted(name for name in below if name not in SKIPPED and not name.startswith("."))
                for name in FILES:
                    if name in names:
                        yield Path(folder) / name, _name_run(given, Path(folder))

    def _key(self, path: Path) -> tuple[str, int, int]:
        found = path.stat()
        return str(path), found.st_mtime_ns, found.st_size


def check_folders(given: Sequence[Path]) -> None:
    """Raise if a folder does not exist, or a file is not a result."""
    for path in given:
        if not path.exists():
            raise InputError(f"{path} does not exist; name a folder with results, such as that of vestige audit")
        if not path.is_dir() and path.name not in FILES:
            raise InputError(f"{path} is no result; expected a folder, or a file called {', '.join(FILES)}")


def open_run(run: RunSummary) -> Result:
    """The whole record of a run."""
    readers: dict[Kind, Callable[[Path], Result]] = {
        "audit": read_result,
        "sweep": read_frontier,
        "comparison": read_comparison,
        "judgement": read_judgement,
        "leaderboard": read_leaderboard,
    }
    return readers[run.kind](run.path)


def summarize(path: Path, name: str) -> RunSummary:
    """The conclusions of a result, without its details; a file that cannot be read is listed with the reason."""
    blank = RunSummary(
        sha256(str(path.resolve()).encode()).hexdigest()[:10], FILES[path.name], path, name, path.stat().st_mtime
    )
    try:
        plain = json.loads(read_file(path).decode("utf-8"))
        return SUMMARIES[blank.kind](blank, plain)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return _explain(blank)


def _explain(blank: RunSummary) -> RunSummary:
    """What the reader of whole records has to say about the file."""
    try:
        open_run(blank)
        reason = f"{blank.path} cannot be summarized; run it again"
    except InputError as error:
        reason = str(error)
    return replace(blank, error=reason)


def _summarize_audit(blank: RunSummary, plain: Any) -> RunSummary:
    lines = [
        ProbeLine(
            each["probe"],
            "unknown" if each["warnings"] else each["level"],
            from_plain(Score, each["leakage"]),
        )
        for each in plain["findings"]
    ]
    return replace(
        blank,
        headline=plain["verdict"]["headline"],
        level=plain["verdict"]["level"],
        probes=tuple(lines),
        gates=tuple(from_plain(GateOutcome, gate) for gate in plain["gates"]),
        pending=tuple(plain.get("pending", ())),
        settings=tuple((name, _write_setting(each)) for name, each in plain["settings"].items() if name not in SHOWN),
        audited=_describe_subject(plain),
    )


def _write_setting(value: Any) -> str:
    """A setting as a page shows it."""
    return f"{value:,}" if type(value) is int else value if isinstance(value, str) else json.dumps(value)


def _summarize_sweep(blank: RunSummary, plain: Any) -> RunSummary:
    level: Level = "none" if plain["chosen"] else "substantial"
    return replace(blank, headline=plain["headline"], level=level, audited=_describe_subject(plain))


def _summarize_comparison(blank: RunSummary, plain: Any) -> RunSummary:
    gates = tuple(from_plain(GateOutcome, gate) for gate in plain["gates"])
    audited = f"{plain['base']['name']} and {plain['new']['name']}"
    return replace(blank, headline=plain["headline"], gates=gates, audited=audited)


def _summarize_judgement(blank: RunSummary, plain: Any) -> RunSummary:
    lines = [ProbeLine(each["probe"], "unknown", from_plain(Score, each["adaptive"])) for each in plain["effects"]]
    return replace(blank, headline=plain["headline"], probes=tuple(lines), audited=_describe_subject(plain["sweep"]))


def _summarize_leaderboard(blank: RunSummary, plain: Any) -> RunSummary:
    audited = f"{len(plain['ranked'])} encoders on {plain['corpus']}"
    return replace(blank, headline=plain["headline"], pending=tuple(plain.get("pending", ())), audited=audited)


SUMMARIES: dict[Kind, Callable[[RunSummary, Any], RunSummary]] = {
    "audit": _summarize_audit,
    "sweep": _summarize_sweep,
    "comparison": _summarize_comparison,
    "judgement": _summarize_judgement,
    "leaderboard": _summarize_leaderboard,
}


def _describe_subject(plain: Any) -> str:
    subject = from_plain(Subject, plain["subject"])
    what = subject.corpus or subject.vectors or "vectors"
    return f"{what}, {subject.encoder or 'encoder not named'}"


def _name_run(given: Path, folder: Path) -> str:
    inside = folder.relative_to(given).as_posix()
    return (given.resolve().name or str(given)) if inside == "." else inside
