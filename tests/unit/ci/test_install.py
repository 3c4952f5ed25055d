"""`install.sh`, and the form of all scripts."""

import shutil
import subprocess

import pytest

from tests.unit.ci.conftest import CI

ROOT = CI.parent


def test_torch_is_installed_first_then_the_tree_with_its_extras(job):
    python = job.log.with_name("bin") / "python"
    python.unlink()
    job.add_stub(python)
    job.run("install.sh", INPUT_EXTRAS="demo,chroma", INPUT_TORCH_INDEX="https://example.org/cpu")
    torch, tree = job.calls("python")
    assert torch[-3:] == ["torch", "--index-url", "https://example.org/cpu"]
    assert tree[-1] == f"{ROOT}[demo,chroma]"
    assert all(words[:2] == ["-m", "pip"] and str(ROOT / "constraints.txt") in words for words in (torch, tree))
    job.run("install.sh")
    assert [words[-1] for words in job.calls("python")[2:]] == ["torch", str(ROOT)]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_finds_nothing():
    ran = subprocess.run(["shellcheck", *map(str, CI.glob("*.sh"))], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
