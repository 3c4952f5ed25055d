"""A package with a plugin of every kind is built and installed for real; its plugins are listed and run.

The package is the folder plugin_package. It also declares an attack that does not exist.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import toy_corpus

PACKAGE = Path(__file__).parent / "plugin_package"
PLUGINS = {
    "attacks": "nearest-text-words",
    "defenses": "last-columns",
    "encoders": "letters",
    "stores": "toy-json",
    "probes": "frequent-vowel",
}
PIP = ("pip", "--disable-pip-version-check", "--quiet", "install", "--no-build-isolation", "--no-deps", "--no-index")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip installed the package."""
    source, target = tmp_path_factory.mktemp("source") / "package", tmp_path_factory.mktemp("installed")
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-m", *PIP, "--target", str(target), str(source)], check=True)
    assert (target / "vestige_toys-0.1.0.dist-info").is_dir()
    return target


@pytest.fixture
def run(installed, tmp_path):
    """Run `vestige` with the package installed; gives the finished process, which must have succeeded."""

    def call(*arguments):
        known = {**os.environ, "PYTHONPATH": str(installed), "TOYS_LOG": str(tmp_path / "log")}
        command = [sys.executable, "-c", "from vestige.cli.main import main; main()", *map(str, arguments)]
        finished = subprocess.run(command, env=known, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stderr
        return finished

    return call


@pytest.fixture
def store(run, tmp_path):
    """A store of the plugin's kind, filled with vectors that the plugin's encoder made."""
    texts = toy_corpus().texts
    (tmp_path / "texts.txt").write_text("\n".join(texts))
    run("encode", "texts.txt", "--encoder", "letters", "--out", "vectors.npy")
    vectors = np.load(tmp_path / "vectors.npy")
    assert vectors.shape == (300, 26)
    (tmp_path / "store.json").write_text(json.dumps({"vector": vectors.tolist(), "text": texts}))
    return "toy-json:store.json"


def read_log(folder):
    return set((folder / "log").read_text().split())


def test_plugins_are_listed_with_their_package_and_the_broken_one_with_the_reason(run):
    lists = json.loads(run("list", "--json").stdout)
    assert lists["plugins"] == {kind: {name: "vestige-toys"} for kind, name in PLUGINS.items()}
    assert all(name in lists[kind] for kind, name in PLUGINS.items())
    assert list(lists["broken plugins"]) == ["attacks"]
    assert "'NoSuchAttack'" in lists["broken plugins"]["attacks"]["no-such-attack"]
    finished = run("list")
    plugins = finished.stdout[finished.stdout.index("\nplugins:") :]
    assert all(name in plugins for name in PLUGINS.values())
    assert "no-such-attack" in plugins[plugins.index("broken plugins:") :]
    assert "attack plugin 'no-such-attack' is skipped" in finished.stderr
    assert "letters" in run("encoders").stdout


def test_an_audit_runs_the_encoder_the_store_the_attack_and_the_probe_of_a_plugin(run, store, tmp_path):
    probes, sizes = ("--probe", "words", "--probe", "frequent-vowel"), ("--targets", 60, "--pairs", 200)
    command = ("audit", store, "--encoder", "letters", *probes, *sizes, "--queries", 0, "--out", "out")
    finished = run(*command, "--json")
    assert read_log(tmp_path) == {"encoder", "store", "attack", "probe"}
    record = json.loads(finished.stdout)
    assert [finding["probe"] for finding in record["findings"]] == ["words", "frequent-vowel"]
    assert record["subject"]["dimension"] == 26
    vowel = record["findings"][1]["measures"][0]
    assert vowel["attack"]["low"] > vowel["prior"]["high"]
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Can a stranger infer whether e or u is more frequent in a text?" in page
    assert "nearest-text-words" in page
    gate = run(*command, "--fail-on", "frequent-vowel>0.99")
    assert "held: frequent-vowel>0.99" in gate.stdout


def test_a_sweep_judges_the_defense_of_a_plugin_by_the_probe_of_a_plugin(run, store, tmp_path):
    sizes, limits = ("--targets", 60, "--pairs", 200), ("--limit", "frequent-vowel<0.9", "--limit", "recall@10>0.01")
    asked = ("--defenses", "last-columns:12", "--probe", "frequent-vowel", *limits)
    record = json.loads(run("defend", store, "--encoder", "letters", *asked, *sizes, "--out", "out", "--json").stdout)
    assert {trial["defense"] for trial in record["trials"]} >= {"last-columns:12"}
    assert "defense" in read_log(tmp_path)


def test_protect_applies_the_defense_of_a_plugin_and_reads_it_again(run, store, tmp_path):
    run("protect", store, "defended.npy", "--defense", "last-columns:5")
    vectors, defended = np.load(tmp_path / "vectors.npy"), np.load(tmp_path / "defended.npy")
    assert (defended == vectors[:, -5:]).all()
    run("protect", "vectors.npy", "again.npy", "--defense", "last-columns:5")
    assert (np.load(tmp_path / "again.npy") == defended).all()
