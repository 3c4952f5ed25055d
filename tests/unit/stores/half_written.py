"""The check that a store whose file was cut in half is refused, in plain words, and left unchanged."""

import shutil

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.load import open_store


def check_refused(made, whole, file, message, tmp_path, capfd):
    """Copy the store in the folder `whole`, cut the one file that matches the pattern, and read a sample."""
    shutil.copytree(whole, tmp_path / "cut")
    (cut,) = (tmp_path / "cut").rglob(file)
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capfd.readouterr()
    with (
        pytest.raises(InputError, match=message) as refused,
        open_store(made.source.replace(str(whole), str(tmp_path / "cut"))) as store,
    ):
        store.sample(5, np.random.default_rng(0))
    assert "vestige-" not in str(refused.value), "the message names the copy"
    assert "Traceback" not in capfd.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
