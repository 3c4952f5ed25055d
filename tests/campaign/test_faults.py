"""Every fault that a campaign found is tied to tests that exist."""

import ast
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
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
