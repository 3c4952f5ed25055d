"""Records that older code made are listed."""

import json
import subprocess

import pytest
from list_old_records import OldRecord, list_old, list_sources


def git(folder, *words):
    names = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", str(folder), *names, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def tree(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "src/vestige/attacks").mkdir(parents=True)
    commit_file(tmp_path, "src/vestige/attacks/a.py", "1")
    return tmp_path


def commit_file(tree, name, content):
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", name)
    return git(tree, "rev-parse", "HEAD")


def write_record(tree, commit):
    path = tree / "results" / "song2020" / "table1.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"runs": [{"environment": {"commit": commit}}]}))
    return path.relative_to(tree)


def test_a_record_is_old_once_its_code_has_changed(tree):
    commit = git(tree, "rev-parse", "HEAD")
    path = write_record(tree, commit)
    commit_file(tree, "docs/page.md", "not its code")
    assert list_old(tree) == []
    commit_file(tree, "src/vestige/attacks/a.py", "2")
    assert list_old(tree) == [OldRecord(path, commit, 1)]


def test_a_commit_that_git_does_not_know_is_listed(tree):
    path = write_record(tree, "0" * 40)
    assert list_old(tree) == [OldRecord(path, "0" * 40, None)]


def test_the_code_of_a_record(tmp_path):
    assert "src/vestige/papers/song2020" in list_sources(tmp_path / "song2020" / "table1.json")
    assert list_sources(tmp_path / "bench" / "audit.json") == ["bench/audit.py"]
    assert "src/vestige/probes" in list_sources(tmp_path / "audits" / "default.json")
