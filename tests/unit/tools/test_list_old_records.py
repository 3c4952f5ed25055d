"""Records that other code made than today's are listed."""

import json
import subprocess
from pathlib import Path

import pytest
from list_old_records import ROOT, OldRecord, find_benchmark, list_entries, list_modules, list_old

FILES = {
    "src/vestige/attacks/linear.py": "from vestige.nn import training\n",
    "src/vestige/nn/training.py": "",
    "src/vestige/stores/chroma.py": "",
    "src/vestige/report/html.py": "",
    "src/vestige/cli/entry.py": "import vestige.stores.chroma\n",
    "src/vestige/papers/song2020/table1.py": "def run():\n    from vestige.attacks.linear import Linear\n",
    "bench/__main__.py": 'from bench import words\nBENCHMARKS = {"invert": words.run}\n',
    "bench/words.py": "from vestige.attacks import linear\nfrom vestige.report import html\n",
    "tests/campaign/__main__.py": "",
}


def git(folder, *words):
    names = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", str(folder), *names, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit_files(tree, files):
    for name, content in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "files")
    return git(tree, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path):
    git(tmp_path, "init", "-q")
    commit_files(tmp_path, FILES)
    return tmp_path


def write_record(tree, name, record):
    path = tree / "results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))
    return path.relative_to(tree)


RECORDS = {
    "song2020/table1.json": lambda commit: {"runs": [{"environment": {"commit": commit, "dirty": False}}]},
    "bench/invert.json": lambda commit: {"environment": {"commit": commit, "dirty": False}},
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_old_once_a_module_that_it_imports_has_changed(tree, name):
    commit = git(tree, "rev-parse", "HEAD")
    path = write_record(tree, name, RECORDS[name](commit))
    commit_files(tree, {"src/vestige/stores/chroma.py": "1", "src/vestige/report/html.py": "1", "docs/page.md": "new"})
    assert list_old(tree) == [], "neither stores nor reports nor pages make its numbers"
    commit_files(tree, {"src/vestige/nn/training.py": "1"})
    (old,) = list_old(tree)
    assert old == OldRecord(path, commit, ("vestige.nn.training",), dirty=False)
    assert str(old) == f"{path}, made by {commit[:10]}: 1 of its modules changed since (vestige.nn 1)"


def test_a_record_of_the_campaign_depends_on_the_command_line(tree):
    commit = git(tree, "rev-parse", "HEAD")
    path = write_record(tree, "campaign/kills.json", {"commit": commit, "tried": {}})
    assert list_old(tree) == []
    commit_files(tree, {"src/vestige/stores/chroma.py": "1"})
    assert list_old(tree) == [OldRecord(path, commit, ("vestige.stores.chroma",), dirty=False)]


def test_uncommitted_changes_are_listed(tree):
    commit = git(tree, "rev-parse", "HEAD")
    path = write_record(tree, "bench/invert.json", {"environment": {"commit": commit, "dirty": True}})
    (old,) = list_old(tree)
    assert str(old) == f"{path}, made by {commit[:10]} with uncommitted changes"


def test_a_commit_that_git_does_not_know_is_listed(tree):
    path = write_record(tree, "bench/invert.json", {"environment": {"commit": "0" * 40, "dirty": False}})
    (old,) = list_old(tree)
    assert str(old) == f"{path}, made by {'0' * 10}: that commit is not in this checkout"


def test_every_record_leads_to_the_code_that_makes_it():
    for path in sorted((ROOT / "results").glob("*/*.json")):
        if path.parent.name != "docs":
            assert list_modules(ROOT, list_entries(ROOT, path)), path


def test_what_a_record_depends_on():
    redaction = list_modules(ROOT, (find_benchmark(ROOT, "pseudonyms"),))
    assert {"bench.redaction", "vestige.text.redaction"} <= redaction
    assert "vestige.stores.chroma" not in redaction
    audit = list_modules(ROOT, list_entries(ROOT, Path("results/audits/default.json")))
    assert {"vestige.probes.words", "vestige.attacks.multilabel"} <= audit, "registries name them"
    assert "vestige.cli.entry" in list_modules(ROOT, (find_benchmark(ROOT, "memory"),)), "it runs commands"
