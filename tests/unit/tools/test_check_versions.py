"""The versions that the environments have."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import SOME_EXTRAS, _skip_without_extras
from tests.unit.test_docs import load_tool

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def tool():
    return load_tool("check_versions")


def test_what_the_quick_tests_need_has_lower_bounds(tool):
    bounds = tool.list_requirements(PROJECT)
    assert set(PROJECT["dependencies"]) < set(bounds)
    assert all(">=" in bound or "==" in bound for bound in bounds)
    assert len([bound for bound in bounds if bound.startswith(tool.TOOLS)]) >= len(tool.TOOLS)


def test_a_bound_that_was_not_used_is_reported(tool):
    used = {"numpy": "1.26.0", "psycopg": "3.2.1", "torch": "2.2.0+cpu", "rich": "13.7.1", "gt": "0.1.0"}
    bounds = ["numpy>=1.26", "psycopg[binary]>=3.2", "torch>=2.2", "rich>=13.7.1", "gt==0.1.0", "absent>=3"]
    assert tool.list_missed(bounds, used) == ["psycopg[binary]>=3.2: 3.2.1 was used"]
    assert tool.list_missed(["scikit_learn>=1.4"], {"scikit-learn": "1.40.0"}) == ["scikit_learn>=1.4: 1.40.0 was used"]


def test_an_interpreter_is_found_by_its_version_or_its_path(tool, monkeypatch, tmp_path):
    assert tool.find_python(sys.executable) == sys.executable
    place = tmp_path / "versions" / "3.99.1" / "bin" / "python"
    place.parent.mkdir(parents=True)
    place.symlink_to(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert tool.find_python("3.99") == str(place)
    with pytest.raises(SystemExit, match=r"no Python 3\.98 on the path or in pyenv"):
        tool.find_python("3.98")


def test_what_was_tested_is_recorded_with_the_failed_tests_by_name(tool, tmp_path):
    report = tmp_path / "tests.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="tests.a" name="one"/><testcase classname="tests.a" name="two">'
        '<failure/></testcase><testcase classname="tests.b" name="three"><error/></testcase>'
        '<testcase classname="tests.b" name="four"><skipped/></testcase></testsuite></testsuites>'
    )
    tested = {**tool.count_tests(tool.read_tests([report])), "packages": {"numpy": "1.26.0"}}
    tool.write_record("lowest-3.11", tested, tmp_path)
    found = json.loads((tmp_path / "lowest-3.11.json").read_text())
    assert (found["passed"], found["skipped"], found["failed"]) == (1, 1, ["tests.a::two", "tests.b::three"])
    assert found["packages"] == {"numpy": "1.26.0"}


def test_a_run_that_stopped_goes_on_with_the_file_that_it_was_in(tool, tmp_path):
    first, second = tmp_path / "000.xml", tmp_path / "001.xml"
    first.write_text(
        '<testsuites><testcase classname="tests.a" name="one"/><testcase classname="tests.b" name="two">'
        "<failure/></testcase></testsuites>"
    )
    found = tool.read_tests([first])
    assert tool.list_done(found) == ["tests/a.py"]
    second.write_text('<testsuites><testcase classname="tests.b" name="two"/></testsuites>')
    assert tool.count_tests(tool.read_tests([second, first])) == {"passed": 2, "skipped": 0, "failed": []}


def run_tests(tool, tmp_path, content):
    """What the tool says of an environment, this one, with a single file of tests."""
    tests = tmp_path / "test_it.py"
    tests.write_text(content)
    place = tmp_path / f"newest-{sys.version_info[0]}.{sys.version_info[1]}"
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "python").symlink_to(sys.executable)
    (place / "resolved.txt").write_text("numpy==2.0\n")
    environment = tool.Environment("newest", sys.executable, tmp_path)
    environment.python = sys.executable
    return environment.test([str(tests)])


@pytest.mark.parametrize(
    ("content", "passed"),
    [
        ("def test_it():\n    pass\n", True),
        ("def test_it():\n    assert False\n", False),
        ("import os\n\ndef test_it():\n    os._exit(3)\n", False),
        ("import absent_altogether\n", False),
        ("import (\n", False),
        ("x = 1\n", False),
    ],
)
def test_tests_that_crash_or_cannot_be_collected_have_not_passed(tool, tmp_path, content, passed):
    assert run_tests(tool, tmp_path, content) is passed


def test_only_what_is_not_installed_on_purpose_may_be_absent(tool):
    absent = tool.list_absent(PROJECT)
    assert {"chroma", "chromadb", "lancedb", "ray", "umap", "onnxruntime", "importlinter"} <= set(absent)
    installed = {"torch", "numpy", "transformers", "faiss", "h5py", "qdrant_client", "demo", "hdf5", "vestige"}
    assert not installed & set(absent)


@pytest.mark.parametrize(
    ("name", "skipped"), [("chromadb.api", True), ("transformers.removed", False), ("torch.gone", False)]
)
def test_a_module_that_a_newer_version_lacks_is_a_failure(tool, name, skipped, monkeypatch):
    monkeypatch.setenv(SOME_EXTRAS, ",".join(tool.list_absent(PROJECT)))
    expected = pytest.skip.Exception if skipped else ModuleNotFoundError
    with pytest.raises(expected), _skip_without_extras():
        raise ModuleNotFoundError(f"No module named '{name}'", name=name)
