"""Run the quick tests with the lowest and with the newest versions of the dependencies, each in an environment.

    python tools/check_versions.py [lowest] [newest] [--python 3.12] [--resolve-only] [--tests PATH ...]

The lowest versions are the lower bounds in pyproject.toml; what these need in turn is as new as they allow. The newest
are whatever pip finds. Environments are kept in the folder `.versions`, so that a second run is quick.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("demo", "endpoint", "faiss", "frame", "hdf5", "pgvector", "qdrant", "sqlite-vec")
"""Extras that install quickly; the tests of the others are skipped without them."""


def list_lowest(bounds: list[str]) -> list[str]:
    """The lower bound of each requirement as an exact version."""
    lowest = []
    for bound in bounds:
        match = re.match(r"([\w.-]+(?:\[[^\]]*\])?)\s*[>=]=\s*([\w.]+)", bound)
        if match is not None and not match[1].startswith("vestige["):
            lowest.append(f"{match[1]}=={match[2]}")
    return lowest


def list_requirements(mode: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    needed = [*project["dependencies"], *(bound for extra in EXTRAS for bound in optional[extra])]
    return list_lowest(needed) if mode == "lowest" else needed


def build_environment(mode: str, python: str, *, resolve_only: bool) -> Path:
    """An environment with the dependencies in these versions, and Vestige itself from the source tree."""
    folder = ROOT / ".versions" / f"{mode}-{Path(python).name}"
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    if not (folder / "bin" / "python").exists():
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["test"]
    if resolve_only:
        report = folder / "resolved.json"
        command = [*pip, "--dry-run", "--quiet", "--report", str(report), *list_requirements(mode)]
        subprocess.run(command, check=True)
        print(f"{mode}: resolved, see {report}")
        return folder
    subprocess.run([*pip, "--quiet", *list_requirements(mode)], check=True)
    subprocess.run([*pip, "--quiet", *tools, *list_requirements(mode)], check=True)
    subprocess.run([*pip, "--quiet", "--no-deps", "--editable", str(ROOT)], check=True)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes", nargs="*", default=["lowest", "newest"])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--resolve-only", action="store_true")
    parser.add_argument("--tests", nargs="*", default=["tests"])
    arguments = parser.parse_args()
    failed = []
    for mode in arguments.modes:
        folder = build_environment(mode, arguments.python, resolve_only=arguments.resolve_only)
        if not arguments.resolve_only:
            command = [str(folder / "bin" / "python"), "-m", "pytest", "-q", "-m", "not slow", *arguments.tests]
            failed += [mode] if subprocess.run(command, cwd=ROOT, check=False).returncode else []
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
