"""List the records that other code made than today's.

usage: python tools/list_old_records.py

A record knows the commit that made it. It is listed with the modules that have changed since, among those that its
benchmark, paper, audit or campaign imports, directly or not. It is also listed if it was made with uncommitted changes.
The numbers may still be right: run it again to know.
"""

import ast
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
HOMES = {"vestige": "src", "bench": ".", "tests": "."}
"""The folder in which a package of ours is."""

SCANNED = {"vestige.attacks.attack", "vestige.defenses.catalogue", "vestige.probes.plan"}
"""Registries that import every module of their package; for a caller from outside, all of these count."""

NAMED = 4
"""So many packages are named in a line."""

DOTTED = re.compile(r"(?:vestige|bench|tests)(?:\.\w+)+")
SHOWN = ("vestige.report", "vestige.printable")
"""Packages that show numbers and make none."""


class OldRecord(NamedTuple):
    """A record, the commit that made it, the modules that changed since (None if git cannot say), and `dirty`."""

    path: Path
    commit: str
    changed: tuple[str, ...] | None
    dirty: bool

    def __str__(self) -> str:
        made = f"{self.path}, made by {self.commit[:10]}{' with uncommitted changes' if self.dirty else ''}"
        if self.changed is None:
            return f"{made}: that commit is not in this checkout"
        packages = Counter(".".join(module.split(".")[:2]) for module in self.changed)
        listed = ", ".join(f"{name} {count}" for name, count in packages.most_common(NAMED))
        listed += ", ..." if len(packages) > NAMED else ""
        return f"{made}: {len(self.changed)} of its modules changed since ({listed})" if self.changed else made


def list_old(root: Path = ROOT) -> list[OldRecord]:
    """The records whose code has changed since they were made, or that uncommitted code made."""
    found = []
    for path in sorted((root / "results").glob("*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        for commit, dirty in sorted(set(list_makers(record))):
            changed = list_changed(root, commit, list_modules(root, list_entries(root, path)))
            if changed is None or changed or dirty:
                found.append(OldRecord(path.relative_to(root), commit, changed, dirty))
    return found


def list_makers(record: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The commits that made the runs of a record, and whether there were uncommitted changes."""
    environments = [record, record.get("environment"), *(run.get("environment") for run in record.get("runs", ()))]
    yield from ((each["commit"], bool(each.get("dirty"))) for each in environments if each and each.get("commit"))


def list_entries(root: Path, path: Path) -> tuple[str, ...]:
    """The modules from which a record is made."""
    kind, name = path.parent.name, path.stem
    if kind == "bench":
        return (find_benchmark(root, name),)
    if kind == "campaign":
        return ("tests.campaign.__main__", "vestige.cli.entry")
    if kind == "versions":
        return tuple(list_package(root, "vestige"))
    if kind == "commands":
        return ("vestige.cli.entry",)
    if kind == "audits":
        return (f"vestige.{'leaderboard' if name == 'leaderboard' else 'audit'}.run",)
    return tuple(list_package(root, f"vestige.papers.{kind}"))


def find_benchmark(root: Path, name: str) -> str:
    """The module of a benchmark, by the table of bench/__main__.py."""
    tree = ast.parse((root / "bench" / "__main__.py").read_text(encoding="utf-8"))
    called = {
        ast.unparse(key): ast.unparse(value)
        for table in ast.walk(tree)
        if isinstance(table, ast.Dict)
        for key, value in zip(table.keys, table.values, strict=True)
        if key
    }
    return f"bench.{called[repr(name)].split('.')[0]}" if repr(name) in called else "bench"


def list_modules(root: Path, entries: tuple[str, ...]) -> frozenset[str]:
    """These modules and all that they import, directly or not, except those that only show numbers."""
    found, waiting = set[str](), list(entries)
    while waiting:
        module = waiting.pop()
        if module in found or (module not in entries and module.startswith(SHOWN)):
            continue
        if (path := locate(root, module)) is not None:
            found.add(module)
            imported = list_imports(path)
            waiting += imported
            for package in {name.rpartition(".")[0] for name in imported & SCANNED}:
                waiting += [] if module.startswith(package) else list_package(root, package)
    return frozenset(found)


def list_package(root: Path, package: str) -> list[str]:
    """Every module below a package."""
    home = root / HOMES[package.split(".")[0]]
    paths = sorted((home / package.replace(".", "/")).rglob("*.py"))
    return [".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__") for path in paths]


def locate(root: Path, module: str) -> Path | None:
    """The file of a module of ours."""
    home = root / HOMES.get(module.split(".")[0], "none") / module.replace(".", "/")
    return next((path for path in (home.with_suffix(".py"), home / "__init__.py") if path.is_file()), None)


@cache
def list_imports(path: Path) -> frozenset[str]:
    """Names that may be modules of ours: what a file imports, `vestige.audit` in its code, and names in its strings."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(DOTTED.findall(node.value))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
    return frozenset(name for name in found if name.split(".")[0] in HOMES and "." in name)


def list_changed(root: Path, commit: str, modules: frozenset[str]) -> tuple[str, ...] | None:
    """The modules whose files differ from those of a commit; None if git does not know it."""
    files = find_differences(root, commit)
    if files is None:
        return None
    located = {module: locate(root, module) for module in modules}
    return tuple(sorted(module for module, path in located.items() if path and str(path.relative_to(root)) in files))


def find_differences(root: Path, commit: str) -> frozenset[str] | None:
    """The files that differ between a commit and HEAD."""
    question = ["git", "-C", str(root), "diff", "--name-only", "--no-renames", commit, "HEAD"]
    answer = subprocess.run(question, capture_output=True, text=True, check=False)
    return frozenset(answer.stdout.splitlines()) if answer.returncode == 0 else None


def main() -> None:
    """Print one line per record and commit."""
    for old in list_old():
        print(f"older code: {old}")


if __name__ == "__main__":
    main()
