"""Reads and writes past the page cache."""

import errno
import fcntl
import os

import numpy as np
import pytest

from tests.unit.protect.killed_run import save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect import direct_io
from vestige.protect.run import protect


@pytest.mark.parametrize("refused", ["not supported", "on opening", "on transfer", "never"])
@pytest.mark.parametrize("columns", [64, 63])
def test_a_file_system_without_direct_io_gets_the_same_bytes(refused, columns, vectors, tmp_path, monkeypatch):
    source = tmp_path / "vectors.npy"
    np.save(source, vectors[:, :columns])
    defense = save_fitted(tmp_path / "fitted", vectors[:, :columns], "rotation")
    if refused == "not supported":
        monkeypatch.setattr(direct_io, "O_DIRECT", None)
    elif refused == "on opening":
        monkeypatch.setattr(direct_io, "O_DIRECT", os.O_DIRECT | os.O_CREAT | os.O_EXCL)
    direct = []

    def counting(real):
        def counted(file, content, offset):
            if fcntl.fcntl(file, fcntl.F_GETFL) & os.O_DIRECT:
                if refused == "on transfer":
                    raise OSError(errno.EINVAL, "not supported")
                direct.append(real)
            return real(file, content, offset)

        return counted

    calls = {os.preadv, os.pwrite}
    for call in calls:
        monkeypatch.setattr(os, call.__name__, counting(call))
    protect(source, tmp_path / "out.npy", defense)
    expected = load_defense(tmp_path / "fitted").transform(vectors[:, :columns])
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()
    can = refused == "never" and direct_io.open_descriptor(source, os.O_RDONLY) is not None
    assert set(direct) == (calls if can else set())


def test_a_full_disk_is_reported_during_direct_writes(source, vectors, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    defense = save_fitted(tmp_path / "fitted", vectors, "rotation")
    monkeypatch.setattr("os.pwrite", full)
    with pytest.raises(InputError, match=r"part 0, rows 0 to 1,499 of .*No space left"):
        protect(source, tmp_path / "out.npy", defense)
    assert not (tmp_path / "out.npy").exists()
