"""The default audit: time to the first verdict and to the end, against the previous version in the same run."""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.harness import run_with_avx2

ROOT = Path(__file__).parent.parent
PREVIOUS = "57b448a"
"""The last revision before audits were made faster."""

RUN = "from vestige.cli.main import main; main()"
FASTER = "from vestige.cli.entry import main; main()"


def run(revision: str = PREVIOUS) -> Iterator[str]:
    """Both audits, one after the other, and whether their findings agree."""
    with tempfile.TemporaryDirectory() as scratch:
        old = _extract(revision, Path(scratch) / "old")
        before, _ = _audit(old, RUN, Path(scratch) / "before")
        now, lines = _audit(ROOT / "src", FASTER, Path(scratch) / "now")
        yield f"the embedded example: {before / now:.1f}x as fast as {revision} ({now:.0f} s against {before:.0f} s)"
        yield from _list_conclusions(lines)
        yield from _list_differences(*(_read(Path(scratch) / name) for name in ("before", "now")))


def _list_conclusions(lines: Sequence[tuple[float, str]]) -> Iterator[str]:
    """When each conclusion came, and which of them are verdicts on words: the first look is one, and a lower bound."""
    found = [(seconds, line) for seconds, line in lines if "leakage" in line]
    words = [seconds for seconds, line in found if line.startswith(("first look at words", "words:"))]
    if words:
        yield f"  first verdict on words (a lower bound) after {words[0]:.0f} s, the finding after {words[-1]:.0f} s"
    yield from (f"  after {seconds:.0f} s: {line}" for seconds, line in found)


def run_avx2() -> Iterator[str]:
    """The same without newer instructions than AVX2."""
    return run_with_avx2("audit")


def _extract(revision: str, folder: Path) -> Path:
    """The sources of a revision."""
    archive = subprocess.run(["git", "archive", revision, "src"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return folder / "src"


def _audit(source: Path, code: str, out: Path) -> tuple[float, list[tuple[float, str]]]:
    """The seconds of an audit, and every line on standard error with the seconds after which it came."""
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", code, "audit", "--out", str(out)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    lines = [(time.perf_counter() - started, line.strip()) for line in process.stderr]
    if process.wait():
        raise RuntimeError(f"the audit of {source} ended with {process.returncode}: {lines[-1:]}")
    return time.perf_counter() - started, lines


def _read(folder: Path) -> dict[str, Any]:
    findings = json.loads((folder / "report.json").read_text())["findings"]
    return {finding["probe"]: finding["leakage"] for finding in findings}


def _list_differences(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for probe in before:
        old, new = before[probe], now[probe]
        agree = "agree" if old["low"] <= new["high"] and new["low"] <= old["high"] else "DISAGREE"
        widths = f"interval {new['high'] - new['low']:.3f} wide, before {old['high'] - old['low']:.3f}"
        yield f"  {probe}: {new['value']:.3f}, before {old['value']:.3f}; {agree}; {widths}"
