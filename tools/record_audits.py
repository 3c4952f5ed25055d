"""Run the audits and commands that the documentation quotes, and write their records below results/.

usage: python tools/record_audits.py [NAME ...]

Without names, every audit of AUDITS, the leaderboard and the COMMANDS run, one after another. A record has the command,
the environment and the result; charts, examples and scores of single targets are left out, so that it contains no text.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import vestige
from vestige.audit.result import AuditResult, Verdict
from vestige.case.cache import read_record
from vestige.case.codec import dumps, from_plain, to_plain
from vestige.case.findings import Measure
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.leaderboard.record import Leaderboard
from vestige.papers.provenance import Environment, describe_environment
from vestige.types import Score

RESULTS = Path(__file__).resolve().parent.parent / "results" / "audits"
SCHEMA = 1
PROGRAM = [sys.executable, "-c", "from vestige.cli.entry import main; main()"]

_SMALL = ("--preset", "quick")
_MINILM = ("--texts", "complaints", "--encoder", "minilm", *_SMALL)
_WORDS = ("--probe", "words")
ENCODERS = ("tfidf:2048", "wordllama", "minilm")
AUDITS: dict[str, tuple[str, ...]] = {
    "default": (),
    **{
        f"encoder-{name.replace(':', '-')}": ("--texts", "complaints", "--encoder", name, *_SMALL, *_WORDS)
        for name in ENCODERS
    },
    "length-5-10": (*_MINILM, *_WORDS, "--shortest", "5", "--longest", "10"),
    "length-21-40": (*_MINILM, *_WORDS, "--shortest", "21", "--longest", "40"),
    "knowledge-pairs-500": (*_MINILM, *_WORDS, "--access", "pairs", "--pairs", "500"),
    "knowledge-pairs-2000": (*_MINILM, *_WORDS, "--access", "pairs"),
    "knowledge-queries-2000": (*_MINILM, *_WORDS, "--access", "queries"),
}
"""The arguments of `vestige audit` by the name of the record."""

LEADERBOARD = "leaderboard"
RANKED = ("minilm", "hf:granite-30m-english", "use", "static:potion-base-8M", "wordllama", "glove-6b")
COMPARED = (*(part for name in RANKED for part in ("--encoder", name)), "--targets", "300", "--pairs", "2000")
"""The arguments of `vestige leaderboard`, which runs in the folder of models that VESTIGE_MODELS names."""


OUTPUTS = RESULTS.parent / "commands"
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("encode complaints --encoder wordllama --out stored.parquet --keep-text", "check stored.parquet"),
    "canaries": (
        "canaries plant complaints --pattern pass-phrase --times 1,16 --each 10 --out planted.parquet --key key.json",
        "train word2vec --texts planted.parquet --unit text --out planted-encoder",
        "canaries score saved:planted-encoder key.json",
    ),
}
"""Commands by the name of their record, which has what the last one printed."""


@dataclass(frozen=True)
class QuotedFinding:
    """What the documentation quotes of a finding; the rest of a record is not read, so that it may change."""

    probe: str
    headline: str
    level: str
    summary: str
    leakage: Score
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class QuotedResult:
    """What the documentation quotes of an audit."""

    verdict: Verdict
    findings: tuple[QuotedFinding, ...]

    def __getitem__(self, probe: str) -> QuotedFinding:
        """The finding of a probe."""
        return next(finding for finding in self.findings if finding.probe == probe)


@dataclass(frozen=True)
class AuditRecord:
    """An audit that the documentation quotes: the command, what ran it, and its result."""

    schema: int
    command: str
    environment: Environment
    result: QuotedResult


@dataclass(frozen=True)
class LeaderboardRecord:
    """The leaderboard that the documentation quotes: the command, what ran it, and its result."""

    schema: int
    command: str
    environment: Environment
    result: Leaderboard


def read_audit(name: str, folder: Path = RESULTS) -> AuditRecord:
    """The record of an audit by its name."""
    return read_record(AuditRecord, _locate(name, folder))


def record_audit(name: str, folder: Path = RESULTS) -> Path:
    """Run an audit and write its record."""
    arguments = AUDITS[name]
    with TemporaryDirectory() as out:
        subprocess.run([*PROGRAM, "audit", *arguments, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        result = vestige.read_result(out)
    return _write(build_record(" ".join(["vestige audit", *arguments]), result), name, folder)


def record_leaderboard(folder: Path = RESULTS) -> Path:
    """Compare the encoders and write the record, which contains no text."""
    with TemporaryDirectory() as out:
        command = [*PROGRAM, "leaderboard", *COMPARED, "--out", out, "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=os.environ.get("VESTIGE_MODELS"))
        return write_leaderboard_record(vestige.read_leaderboard(out), folder)


@dataclass(frozen=True)
class CommandRecord:
    """What the last of several commands printed."""

    schema: int
    command: str
    environment: Environment
    lines: tuple[str, ...]


def record_commands(name: str, folder: Path = OUTPUTS) -> Path:
    """Run commands in a folder of their own, and write what the last one printed."""
    wide = os.environ | {"COLUMNS": "1000"}
    with TemporaryDirectory() as scratch:
        for command in COMMANDS[name]:
            words = [*PROGRAM, *command.split(), "--quiet"]
            done = subprocess.run(words, check=True, capture_output=True, text=True, cwd=scratch, env=wide)
    commands = "; ".join(f"vestige {command}" for command in COMMANDS[name])
    lines = tuple(line.rstrip() for line in done.stdout.splitlines() if line.strip())
    return _write(dumps(CommandRecord(SCHEMA, commands, describe_environment(), lines)), name, folder)


def read_commands(name: str, folder: Path = OUTPUTS) -> CommandRecord:
    """What commands printed, by the name of the record."""
    return read_record(CommandRecord, _locate(name, folder))


def write_leaderboard_record(result: Leaderboard, folder: Path = RESULTS) -> Path:
    """Write the record of a leaderboard that this code made."""
    command = " ".join(["vestige leaderboard", *COMPARED])
    record = LeaderboardRecord(SCHEMA, command, describe_environment(), result)
    return _write(dumps(record), LEADERBOARD, folder)


def read_leaderboard_record(folder: Path = RESULTS) -> LeaderboardRecord:
    """The record of the leaderboard."""
    return read_record(LeaderboardRecord, _locate(LEADERBOARD, folder))


def build_record(command: str, result: AuditResult) -> str:
    """The record of a result as JSON."""
    environment = describe_environment()
    return dumps({"schema": SCHEMA, "command": command, "environment": environment, "result": strip_texts(result)})


def read_whole(name: str, folder: Path = RESULTS) -> AuditResult:
    """The whole result of a record; settings that are younger than the record have their defaults."""
    result = json.loads(_locate(name, folder).read_text(encoding="utf-8"))["result"]
    return from_plain(AuditResult, result | {"settings": to_plain(vestige.Settings()) | result["settings"]})


def strip_texts(result: AuditResult) -> AuditResult:
    """The result without charts, examples and scores of single targets."""
    bare = (replace(each, charts=(), examples=(), roc=(), per_target=None) for each in result)
    return replace(result, findings=tuple(bare))


def _locate(name: str, folder: Path) -> Path:
    path = folder / f"{name}.json"
    if not path.is_file():
        raise InputError(f"there is no record '{path}'; run python tools/record_audits.py {name}")
    return path


def _write(record: str, name: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.json", record.encode())
    return folder / f"{name}.json"


def main() -> None:
    """Run what was named, or everything."""
    makers: dict[str, Callable[[], object]] = {
        **{name: partial(record_audit, name) for name in AUDITS},
        LEADERBOARD: record_leaderboard,
        **{name: partial(record_commands, name) for name in COMMANDS},
    }
    for name in sys.argv[1:] or makers:
        if name not in makers:
            raise SystemExit(f"unknown record '{name}'; known: {', '.join(makers)}")
        print(makers[name](), flush=True)


if __name__ == "__main__":
    main()
