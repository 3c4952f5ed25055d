"""List the records that were made by older code of the same table.

usage: python tools/list_old_records.py

A record knows the commit that made it. It is listed if the code of its table, or of the attacks, encoders, metrics and
texts that it uses, has changed since. The numbers may still be right: run it again to know.
"""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SHARED = ("attacks", "encoders", "metrics", "text", "nn")
AUDITED = (*SHARED, "probes", "case", "defenses", "defend", "utility")


class OldRecord(NamedTuple):
    """A record, the commit that made it, and how many later commits changed its code; None if git cannot say."""

    path: Path
    commit: str
    changes: int | None


def list_old(root: Path = ROOT) -> list[OldRecord]:
    """The records whose code has changed since they were made."""
    found = []
    for path in sorted((root / "results").glob("*/*.json")):
        for commit in sorted(list_commits(path)):
            changes = count_changes(root, commit, list_sources(path))
            if changes != 0:
                found.append(OldRecord(path.relative_to(root), commit, changes))
    return found


def list_commits(path: Path) -> set[str]:
    """The commits that made the runs of a record."""
    record = json.loads(path.read_text(encoding="utf-8"))
    environments = [record.get("environment"), *(run.get("environment") for run in record.get("runs", ()))]
    return {each["commit"] for each in environments if each and each["commit"]}


def list_sources(path: Path) -> list[str]:
    """The folders of the code that a record depends on."""
    kind = path.parent.name
    if kind == "bench":
        return [f"bench/{path.stem}.py"]
    folders = AUDITED if kind == "audits" else (*SHARED, f"papers/{kind}")
    return [f"src/vestige/{folder}" for folder in folders]


def count_changes(root: Path, commit: str, sources: list[str]) -> int | None:
    """How many commits after this one changed the sources."""
    question = ["git", "-C", str(root), "rev-list", "--count", f"{commit}..HEAD", "--", *sources]
    answer = subprocess.run(question, capture_output=True, text=True, check=False)
    return int(answer.stdout) if answer.returncode == 0 else None


def main() -> None:
    """Print one line per record and commit."""
    for path, commit, changes in list_old():
        since = "unknown to this checkout" if changes is None else f"{changes} changes of its code since"
        print(f"older code: {path}, made by {commit[:10]}: {since}")


if __name__ == "__main__":
    main()
