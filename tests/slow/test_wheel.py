"""The wheel is built, installed in a fresh environment and run outside the source tree."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "vestige"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A fresh environment with the wheel. It borrows the dependencies of this one, which come after it on the path."""
    folder = tmp_path_factory.mktemp("fresh") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--quiet",
        "--python",
        str(folder / "bin/python"),
    ]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture
def run(environment, tmp_path):
    """Run a program of the fresh environment in an empty folder; gives the standard output."""

    def call(program, *arguments):
        known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(environment / "bin" / program), *map(str, arguments)]
        finished = subprocess.run(command, env=known, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    return call


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(wheel):
    files = {path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    expected = {path.relative_to(SOURCE.parent).as_posix() for path in files}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {Path(name).suffix for name in packed} >= {".py", ".j2", ".css", ".json", ".toml", ".txt", ".parquet"}
    assert packed == expected


def test_the_commands_run_from_the_wheel(run, environment):
    imported = Path(run("python", "-c", "import vestige; print(vestige.__file__)").strip())
    assert environment in imported.parents
    assert run("vestige", "--version") == f"vestige {vestige.__version__}\n"
    lists = json.loads(run("vestige", "list", "--json"))
    assert {"complaints", "speeches"} <= set(lists["corpora"])
    assert "citizen-id" in lists["patterns"]


def test_vectors_and_texts_are_audited(run, tmp_path):
    corpus = toy_corpus()
    np.save(tmp_path / "vectors.npy", WordSum().encode(corpus.texts))
    (tmp_path / "texts.txt").write_text("\n".join(corpus.texts), encoding="utf-8")
    printed = run("vestige", "audit", "vectors.npy", "--texts", "texts.txt", "--probe", "words", "--out", "out")
    assert printed.strip().splitlines()[-1] == "report: out/report.html"
    assert "<style>" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    record = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert record["findings"][0]["leakage"]["low"] > 0.1


def test_the_texts_and_lists_that_ship_with_it_are_read(run, tmp_path):
    probes, sizes = ("--probe", "keywords", "--probe", "names"), ("--targets", 100, "--pairs", 400)
    run("vestige", "audit", "--texts", "complaints", "--encoder", "hashing:256", *probes, *sizes, "--out", "out")
    record = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert "keywords" in {finding["probe"] for finding in record["findings"]}
    assert {each["probe"] for each in [*record["findings"], *record["not_run"]]} == {"keywords", "names"}
