"""Where a number comes from."""

import platform
import subprocess

import vestige
from vestige.papers import provenance
from vestige.papers.provenance import describe_environment

CPUINFO = """processor\t: 0
model name\t: Some CPU @ 3 GHz
flags\t\t: fpu avx2 avx512f

processor\t: 1
model name\t: Some CPU @ 3 GHz
flags\t\t: fpu avx2 avx512f
"""


def test_the_environment_names_code_libraries_and_processor():
    found = describe_environment()
    assert found.vestige == vestige.__version__
    assert found.python == platform.python_version()
    assert {"numpy", "torch"} <= set(found.packages)
    assert found.cores >= 1
    assert found.threads >= 1
    assert found.processor


def test_the_processor_is_read_once_for_all_cores(tmp_path):
    (tmp_path / "cpuinfo").write_text(CPUINFO)
    name, flags = provenance._read_processor(tmp_path / "cpuinfo")
    assert name == "Some CPU @ 3 GHz"
    assert [flag for flag in provenance.INSTRUCTIONS if flag in flags] == ["avx2", "avx512f"]


def test_without_the_file_of_linux_python_is_asked(tmp_path):
    name, flags = provenance._read_processor(tmp_path / "nothing")
    assert name
    assert not flags


def test_git_answers_in_a_checkout_and_nowhere_else(tmp_path):
    assert provenance._ask_git(tmp_path, "rev-parse", "HEAD") == ""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert provenance._ask_git(tmp_path, "rev-parse", "--is-inside-work-tree") == "true"


def test_a_machine_without_git_has_no_commit(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert describe_environment().commit == ""
