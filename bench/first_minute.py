"""Seconds of the commands that a newcomer runs first, each in a new process, with imports and reading of weights.

A quick audit; `check` on 3,000 rows with their texts; `fingerprint` of the same rows; and the probe `budget` alone on
the same rows, where the attacker has no encoder but a surrogate. The rows are encoded before anything is timed. The
caches of fingerprints and of vectors are new, so that nothing is remembered from an earlier run.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from vestige.text.corpora import load_corpus

ROOT = Path(__file__).parent.parent
RUN = "from vestige.cli.entry import main; main()"
ROWS, LIMIT = 3000, 30
COMMANDS = {
    f"an audit with --preset quick (at most {LIMIT} s)": "audit --preset quick --out quick",
    f"check of {ROWS:,} rows": "check rows.parquet",
    f"fingerprint of {ROWS:,} rows": "fingerprint rows.parquet",
    f"audit of {ROWS:,} rows with the probe budget, without an encoder": "audit rows.parquet --probe budget --out few",
}
"""What is run, by how the record calls it."""


def run() -> Iterator[str]:
    """The seconds of each command, and what it concluded."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _write_rows(folder)
        for name, command in COMMANDS.items():
            seconds, lines = _run_command(command, folder)
            yield f"{name}: {seconds:.1f} s"
            yield from (f"  {line}" for line in lines if "leakage" in line)


def _write_rows(folder: Path) -> None:
    """Sentences of the embedded complaints, encoded with their texts."""
    texts = load_corpus("complaints").sentences(8, 40).texts[:ROWS]
    (folder / "rows.txt").write_text("\n".join(" ".join(text.split()) for text in texts), encoding="utf-8")
    _run_command("encode rows.txt --encoder minilm --out rows.parquet --keep-text", folder)


def _run_command(command: str, folder: Path) -> tuple[float, list[str]]:
    """The seconds of a command, and the lines that it wrote to standard error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_CACHE_HOME": str(folder / "cache")}
    words = [sys.executable, "-c", RUN, *command.split()]
    started = time.perf_counter()
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"vestige {command} ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return seconds, done.stderr.splitlines()
