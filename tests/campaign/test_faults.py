"""Every fault that a campaign found is tied to tests that exist and can fail, or to a record of what was measured."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = [line for line in (Path(__file__).parent / "FAULTS.md").read_text().splitlines() if line.startswith("|")]
ROWS = [line.split("|")[1:3] for line in TABLE[2:]]


@pytest.mark.parametrize(("fault", "named"), ROWS)
def test_the_tests_of_a_fault_exist(fault, named):
    tests = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", named)
    assert tests or "python -m bench" in named, fault
    for path, name in tests:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        (test,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
        assert re.search(
            r"\bassert\b|pytest\.raises|pytest\.skip\.Exception|check_|suppress\(VestigeError\)", ast.unparse(test)
        ), f"{name} can not fail"


@pytest.mark.parametrize("name", ["memory", "memory_large"])
def test_no_command_was_measured_to_take_a_gigabyte(name):
    lines = json.loads((ROOT / "results" / "bench" / f"{name}.json").read_text())["lines"]
    peaks = [int(found) for line in lines for found in re.findall(r"peak memory (\d+) MiB", line)]
    assert len(peaks) == 3
    assert all(peak * 2**20 < 10**9 for peak in peaks)
