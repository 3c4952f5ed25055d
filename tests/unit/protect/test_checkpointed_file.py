"""A file that resumes after a kill."""

import numpy as np
import pytest

from tests.unit.protect.killed_run import run_until_killed, save_fitted
from vestige.defenses.saved import load_defense
from vestige.protect import checkpointed_file
from vestige.protect.run import protect
from vestige.stores.load import read_vectors


@pytest.mark.usefixtures("small_blocks")
def test_rows_that_the_ledger_counts_and_the_file_lacks_are_written_again(source, vectors, tmp_path):
    out, defense = tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, "rounding:2")
    run_until_killed(900, source, out, defense)
    (tmp_path / ".out.npy.parts" / "whole").write_bytes(b"short")
    protect(source, out, defense)
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "fitted").transform(vectors).tobytes()


@pytest.mark.parametrize("ledger", [b"", b"{}", b"[]", b'{"work": 1, "rows": "many"}'])
def test_a_damaged_ledger_counts_as_none(source, vectors, tmp_path, ledger):
    parts = tmp_path / ".out.npy.parts"
    parts.mkdir()
    (parts / checkpointed_file.LEDGER).write_bytes(ledger)
    protect(source, tmp_path / "out.npy", "rounding:2")
    assert np.load(tmp_path / "out.npy").shape == vectors.shape
