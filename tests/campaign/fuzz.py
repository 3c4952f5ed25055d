"""Coverage-guided fuzzing, with atheris, of every format that Vestige parses in its own process.

Mutations that reach new code are kept and changed further, so this finds what seeded mutations miss, but no run equals
another. Each format is fuzzed in a process of its own:

    python -m tests.campaign.fuzz NAME FOLDER SECONDS SEED

An input is one byte that chooses a file of the example, and the content of that file.
"""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.campaign.trials import Tally

LONGEST, TIMEOUT_S, MEMORY_MB = 20_000, 60, 4096
ROOT = Path(__file__).parents[2]


def is_available() -> bool:
    """Whether atheris is installed; it has wheels for few versions of Python."""
    return find_spec("atheris") is not None


def run_fuzzing(folder: Path, seconds: int, seed: int, tally: Tally, only: str = "") -> None:
    """Fuzz each format for so many seconds."""
    from tests.campaign.formats import list_formats

    if not is_available():
        print("fuzz: atheris is not installed; pip install atheris")
        return
    for each in list_formats(databases=False):
        if not each.isolated and only in each.name:
            _run_format(each.name, folder / each.name.replace(" ", "-"), seconds, seed, tally)


def _run_format(name: str, folder: Path, seconds: int, seed: int, tally: Tally) -> None:
    folder.mkdir()
    command = [sys.executable, "-m", "tests.campaign.fuzz", name, str(folder), str(seconds), str(seed)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    runs = max(map(int, re.findall(r"(?:stat::number_of_executed_units: +|Done )(\d+)", ended.stderr)), default=0)
    report = folder / "faults.jsonl"
    faults = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    kind = f"fuzz: {name}"
    tally.add(kind, "runs", None, count=runs - len(faults))
    for fault in faults:
        tally.add(kind, fault["input"], fault["fault"])
    if ended.returncode or not runs:
        tally.add(kind, "the process", f"exit code {ended.returncode}: {ended.stderr.strip()[-300:]}")


class FuzzTarget:
    """Reads the example with one of its files replaced, and writes down every fault once."""

    def __init__(self, name: str, folder: Path) -> None:
        from tests.campaign.formats import list_formats
        from tests.campaign.mutations import list_files

        self._format = next(each for each in list_formats() if each.name == name)
        original = folder / "original"
        original.mkdir()
        self._format.write(original)
        self._scratch, self._report = folder / "scratch", folder / "faults.jsonl"
        shutil.copytree(original, self._scratch)
        names = [path.relative_to(original) for path in list_files(original)]
        self._files = [(original / name, self._scratch / name) for name in names]
        self._expected = self._format.read(original)
        self._seen: set[str] = set()
        self._changed = 0

    def write_seeds(self, folder: Path) -> None:
        """Write the files of the example as the first inputs."""
        folder.mkdir()
        for number, (original, _) in enumerate(self._files):
            (folder / f"{number}").write_bytes(bytes([number]) + original.read_bytes()[:LONGEST])

    def __call__(self, content: bytes) -> None:
        """Read one input."""
        from tests.campaign.mutations import read_one

        if not content:
            return
        original, copy = self._files[self._changed]
        shutil.copyfile(original, copy)
        self._changed = content[0] % len(self._files)
        self._files[self._changed][1].write_bytes(content[1:])
        fault = read_one(self._format, self._scratch, self._expected)["fault"]
        # One of a kind is enough: the same line is found a thousand times.
        if fault is not None and re.sub(r"\d+|'[^']*'", "", fault)[:80] not in self._seen:
            self._seen.add(re.sub(r"\d+|'[^']*'", "", fault)[:80])
            with self._report.open("a") as file:
                file.write(json.dumps({"input": content.hex()[:2000], "fault": fault}) + "\n")


def main() -> None:
    """Fuzz one format; libFuzzer ends the process."""
    import atheris

    name, place, seconds, seed = sys.argv[1:]
    with atheris.instrument_imports(include=["vestige"]):
        target = FuzzTarget(name, Path(place))
    target.write_seeds(Path(place) / "seeds")
    options = {
        "max_total_time": seconds,
        "seed": int(seed) + 1,
        "max_len": LONGEST,
        "timeout": TIMEOUT_S,
        "rss_limit_mb": MEMORY_MB,
        "print_final_stats": 1,
        "verbosity": 1,
        "artifact_prefix": f"{place}/",
    }
    atheris.Setup(["fuzz", f"{place}/seeds", *(f"-{key}={value}" for key, value in options.items())], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
