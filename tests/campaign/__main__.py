"""Run the campaign: `python -m tests.campaign`, or `--short` for the version of the slow tests.

It prints how many trials of each kind were tried and survived, and records that under results/campaign.
"""

import argparse
import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from tests.campaign.bad_inputs import run_bad_inputs
from tests.campaign.formats import list_formats
from tests.campaign.fuzz import run_fuzzing
from tests.campaign.interruptions import prepare, run_early_signals, run_kills, run_signals
from tests.campaign.malicious import run_malicious
from tests.campaign.mutations import run_mutations
from tests.campaign.resources import run_closed_descriptors, run_concurrency, run_full_disks
from tests.campaign.trials import Tally

KINDS = ("mutations", "bad", "malicious", "kills", "signals", "disks", "descriptors", "concurrency")
OPTIONAL = ("fuzz",)
"""Kinds that run only if they are named."""

LIBRARIES = ("apsw", "faiss", "h5py", "pyarrow.dataset", "pyarrow.parquet", "qdrant_client", "sqlite_vec")
"""What readers import. Those that start threads are missing: a fork would not have these."""

RESULTS = Path(__file__).parents[2] / "results" / "campaign"


def load_libraries() -> None:
    """Import what trials need, once: every trial is a fork of this process."""
    import vestige.audit.run
    import vestige.cli.main
    import vestige.defend.run
    import vestige.protect.run
    import vestige.report.write  # noqa: F401

    for name in LIBRARIES:
        with suppress(ImportError):
            import_module(name)


def run_campaign(
    kinds: list[str], tally: Tally, *, mutations: int, kills: int, seed: int, seconds: int, formats: list[str]
) -> None:
    """Run these kinds of trials: `mutations` per format, `kills` per command, `seconds` of fuzzing per format."""
    chosen = [each for each in list_formats() if not formats or each.name in formats]
    with tempfile.TemporaryDirectory(prefix="campaign-") as scratch:
        folders = {kind: Path(scratch) / kind for kind in (*KINDS, *OPTIONAL)}
        for folder in folders.values():
            folder.mkdir()
        shared = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else folders["mutations"]
        with tempfile.TemporaryDirectory(dir=shared) as quick:
            runs = {
                "mutations": lambda: run_mutations(chosen, Path(quick), mutations, seed, tally),
                "bad": lambda: run_bad_inputs(folders["bad"], tally),
                "malicious": lambda: run_malicious(folders["malicious"], tally),
                "kills": lambda: run_kills(folders["kills"], tally, kills, seed),
                "signals": lambda: _run_all_signals(folders["signals"], tally, kills, seed),
                "disks": lambda: _prepared(run_full_disks, folders["disks"], tally),
                "descriptors": lambda: run_closed_descriptors(folders["descriptors"], tally),
                "concurrency": lambda: _prepared(run_concurrency, folders["concurrency"], tally, max(2, kills // 10)),
                "fuzz": lambda: run_fuzzing(Path(quick), seconds, seed, tally),
            }
            for kind in kinds:
                runs[kind]()
                print(tally.render(), flush=True)


def run_short(kinds: list[str], tally: Tally) -> None:
    """Run a few trials of these kinds, with fixed seeds."""
    runs = {
        "mutations": lambda folder: run_mutations(list_formats(databases=False), folder, 25, 1, tally),
        "bad": lambda folder: run_bad_inputs(folder, tally, every=12),
        "malicious": lambda folder: run_malicious(folder, tally, every=4),
        "kills": lambda folder: run_kills(folder, tally, 1, 2),
        "signals": lambda folder: _prepared(run_signals, folder, tally, 4, 2),
        "disks": lambda folder: _prepared(run_full_disks, folder, tally, (1000, 20_000)),
        "descriptors": lambda folder: run_closed_descriptors(folder, tally, every=7),
        "concurrency": lambda folder: _prepared(run_concurrency, folder, tally, 1),
        "fuzz": lambda folder: run_fuzzing(folder, 2, 0, tally, only="vectors .jsonl"),
    }
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
            runs[kind](Path(folder))


def _run_all_signals(folder: Path, tally: Tally, count: int, seed: int) -> None:
    prepare(folder)
    run_signals(folder, tally, count, seed)
    run_early_signals(tally, count // 2, seed)


def _prepared(run, folder: Path, *rest) -> None:
    prepare(folder)
    run(folder, *rest)


def record(tally: Tally, seconds: float, arguments: argparse.Namespace) -> Path:
    """Write what was tried and survived, with the faults by name."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    found = {
        "commit": commit,
        "python": platform.python_version(),
        "seed": arguments.seed,
        "command": f"python -m tests.campaign {shlex.join(sys.argv[1:])}".strip(),
        "seconds": round(seconds),
        "tried": dict(sorted(tally.tried.items())),
        "survived": {kind: tally.survived(kind) for kind in sorted(tally.tried)},
        "handled": dict(sorted(tally.handled.items())),
        "faults": [list(fault) for fault in tally.faults],
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{arguments.record}.json"
    path.write_text(json.dumps(found, indent=1, ensure_ascii=True) + "\n")
    return path


def _stop(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    """Parse the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), choices=[*KINDS, *OPTIONAL, []], help="of trials")
    parser.add_argument("--short", action="store_true", help="a few trials of each kind; records nothing")
    parser.add_argument("--mutations", type=int, default=4500, help="per format")
    names = [each.name for each in list_formats()]
    parser.add_argument("--formats", nargs="+", default=[], choices=names, metavar="NAME", help="to mutate [all]")
    parser.add_argument("--kills", type=int, default=70, help="per command")
    parser.add_argument("--seconds", type=int, default=60, help="of fuzzing, per format")
    parser.add_argument("--minutes", type=float, default=600, help="stop after so long, and record what was tried")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", default="campaign", help="the name of the file under results/campaign")
    arguments = parser.parse_args()
    load_libraries()
    tally, began = Tally(), time.monotonic()
    if arguments.short:
        run_short(arguments.kinds, tally)
        print(tally.render())
        sys.exit(1 if tally.faults else 0)
    signal.signal(signal.SIGALRM, _stop)
    signal.signal(signal.SIGTERM, _stop)
    signal.setitimer(signal.ITIMER_REAL, 60 * arguments.minutes)
    try:
        sizes = {name: getattr(arguments, name) for name in ("mutations", "formats", "kills", "seed", "seconds")}
        run_campaign(arguments.kinds, tally, **sizes)
    except TimeoutError:
        print("stopped early")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(tally.render())
        print(record(tally, time.monotonic() - began, arguments))
    sys.exit(1 if tally.faults else 0)


if __name__ == "__main__":
    main()
