"""The notebooks under docs/ run from the first cell to the last, and are stored without outputs."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def run_notebook(path):
    """Execute the code cells in one namespace; gives that namespace."""
    namespace = {"__name__": "__main__"}
    for number, cell in enumerate(list_code(path)):
        exec(compile("".join(cell["source"]), f"{path.name}, code cell {number}", "exec"), namespace)
    return namespace


def list_code(path):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["choose_a_defense", "first_audit"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path):
    cells = list_code(path)
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_the_first_audit_finds_a_leak_and_a_narrower_encoder_leaks_less():
    names = run_notebook(NOTEBOOKS[1])
    assert names["result"]["words"].leakage.low > 0
    assert names["comparison"]["words"].paired
    assert names["comparison"]["words"].change == "better"


def test_a_defense_is_chosen_saved_and_applied():
    names = run_notebook(NOTEBOOKS[0])
    assert names["chosen"].result.chosen == "pca:64"
    assert names["protected"].shape == (100, 64)
