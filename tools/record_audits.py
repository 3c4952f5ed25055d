"""Run the audits whose numbers the documentation quotes, and write their records to results/audits/.

usage: python tools/record_audits.py [NAME ...]

Without names, every audit of AUDITS and the sweep of defenses run, one after another. A record has the command, the
environment and the result; charts, examples and scores of single targets are left out, so that it contains no text.
"""

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import vestige
from vestige.audit.result import AuditResult
from vestige.case.cache import read_record
from vestige.case.codec import dumps
from vestige.defend.record import DefendResult
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.papers.provenance import Environment, describe_environment

RESULTS = Path(__file__).resolve().parent.parent / "results" / "audits"
SCHEMA = 1
PROGRAM = [sys.executable, "-c", "from vestige.cli.entry import main; main()"]

_SMALL = ("--preset", "quick")
_MINILM = ("--texts", "complaints", "--encoder", "minilm", *_SMALL)
_WORDS = ("--probe", "words")
ENCODERS = ("tfidf:2048", "wordllama", "minilm", "glove-6b")
AUDITS: dict[str, tuple[str, ...]] = {
    "default": (),
    **{
        f"encoder-{name.replace(':', '-')}": ("--texts", "complaints", "--encoder", name, *_SMALL, *_WORDS)
        for name in ENCODERS
    },
    "length-5-10": (*_MINILM, *_WORDS, "--shortest", "5", "--longest", "10"),
    "length-21-40": (*_MINILM, *_WORDS, "--shortest", "21", "--longest", "40"),
    "knowledge-pairs-500": (*_MINILM, *_WORDS, "--access", "pairs", "--pairs", "500"),
    "knowledge-cross-domain": (*_MINILM, "--probe", "words-cross-domain", "--auxiliary", "speeches"),
}
"""The arguments of `vestige audit` by the name of the record."""

SWEEP = "defend"
SWEEP_ARGUMENTS = (
    *("--probe", "words", "--targets", "300", "--pairs", "2000"),
    *("--defenses", "rotation,int8,rounding:1,pca:64,gaussian:3000,gaussian:1000"),
)
"""The sweep of defenses that is recorded."""


@dataclass(frozen=True)
class AuditRecord:
    """An audit that the documentation quotes: the command, what ran it, and its result."""

    schema: int
    command: str
    environment: Environment
    result: AuditResult


@dataclass(frozen=True)
class SweepRecord:
    """A sweep of defenses that the documentation quotes."""

    schema: int
    command: str
    environment: Environment
    result: DefendResult


def read_sweep(folder: Path = RESULTS) -> SweepRecord:
    """The record of the sweep."""
    return read_record(SweepRecord, _locate(SWEEP, folder))


def read_audit(name: str, folder: Path = RESULTS) -> AuditRecord:
    """The record of an audit by its name."""
    return read_record(AuditRecord, _locate(name, folder))


def record_audit(name: str, folder: Path = RESULTS) -> Path:
    """Run an audit and write its record."""
    arguments = AUDITS[name]
    with TemporaryDirectory() as out:
        subprocess.run([*PROGRAM, "audit", *arguments, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        result = vestige.read_result(out)
    record = AuditRecord(SCHEMA, " ".join(["vestige audit", *arguments]), describe_environment(), strip_texts(result))
    return _write(dumps(record), name, folder)


def strip_texts(result: AuditResult) -> AuditResult:
    """The result without charts, examples and scores of single targets."""
    bare = (replace(each, charts=(), examples=(), roc=(), per_target=None) for each in result)
    return replace(result, findings=tuple(bare))


def record_sweep(folder: Path = RESULTS) -> Path:
    """Run the sweep and write its record."""
    with TemporaryDirectory() as out:
        subprocess.run(
            [*PROGRAM, "defend", *SWEEP_ARGUMENTS, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL
        )
        result = vestige.read_frontier(out)
    record = SweepRecord(SCHEMA, " ".join(["vestige defend", *SWEEP_ARGUMENTS]), describe_environment(), result)
    return _write(dumps(record), SWEEP, folder)


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
    known = [*AUDITS, SWEEP]
    for name in sys.argv[1:] or known:
        if name not in known:
            raise SystemExit(f"unknown audit '{name}'; known: {', '.join(known)}")
        print(record_sweep() if name == SWEEP else record_audit(name), flush=True)


if __name__ == "__main__":
    main()
