"""Stores that native libraries parse are read in a process of their own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from vestige.errors import InputError, MissingExtra, UnusableRows
from vestige.stores import isolated
from vestige.stores.isolated import IsolatedTable
from vestige.stores.table import VectorTable

HERE = "tests.unit.stores.test_isolated"


class Scripted(VectorTable):
    """A table whose name says how reading goes wrong."""

    def __init__(self, where, name):
        self.place, self.rows, self._name = f"scripted:{where}", 5, name
        self.schema = pa.schema([("vector", pa.list_(pa.float32(), 2))])
        if name == "refuses":
            raise InputError("refused as asked")
        if name == "lacks":
            raise MissingExtra("'library'", "extra")
        if name in ("copies and crashes", "copies and crashes later"):
            (Path(tempfile.mkdtemp(prefix="vestige-")) / "copy").write_text("private")
        if name == "copies and crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        if name == "breaks":
            raise IndexError("list index out of range")
        if name == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        while name == "hangs":
            pass

    def take(self, positions, names):
        if self._name == "unusable":
            raise UnusableRows("row 3")
        if self._name == "copies and crashes later":
            os.kill(os.getpid(), signal.SIGPROF)
        if self._name == "dies later":
            os._exit(9)
        rows = pa.array(np.repeat(positions.astype(np.float32), 2))
        return pa.table({"vector": pa.FixedSizeListArray.from_arrays(rows, 2)}).select(list(names))

    def form(self, name):
        return f"halves of {name}"

    def close(self):
        Path(self.place.partition(":")[2]).unlink(missing_ok=True)


def open_scripted(where, name):
    return IsolatedTable("scripted:x", f"{HERE}:Scripted", (str(where), name))


def test_rows_come_through(tmp_path):
    table = open_scripted(tmp_path / "x", "works")
    assert (table.rows, table.form("vector"), table.exact) == (5, "halves of vector", True)
    assert table.take(np.array([3, 1]), ["vector"])["vector"].to_pylist() == [[3, 3], [1, 1]]
    first, second = table.batches(2, ["vector"]), table.batches(5, ["vector"])
    assert next(first)["vector"].to_pylist() == [[0, 0], [1, 1]]
    assert next(second)["vector"].to_pylist()[-1] == [4, 4]
    first.close()
    assert list(second) == []
    table.close()
    table.close()


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("refuses", InputError, "^refused as asked$"),
        ("lacks", MissingExtra, "'library' is not installed"),
        ("breaks", InputError, r"x cannot be read \(IndexError: list index out of range\); expected a complete"),
        ("crashes", InputError, r"scripted:x cannot be read \(its reader ended with signal 11\)"),
        ("hangs", InputError, r"scripted:x cannot be read \(it took too long to read\)"),
    ],
)
def test_what_goes_wrong_in_the_child_is_an_error_here(name, kind, message, tmp_path, monkeypatch):
    monkeypatch.setattr(isolated, "OPENING_S", 3.0)
    with pytest.raises(kind, match=message):
        open_scripted(tmp_path / "x", name)


@pytest.mark.parametrize(("name", "kind"), [("unusable", UnusableRows), ("dies later", InputError)])
def test_a_row_that_cannot_be_read(name, kind, tmp_path):
    table = open_scripted(tmp_path / "x", name)
    with pytest.raises(kind):
        table.take(np.array([0]), ["vector"])
    table.close()


def test_a_child_waits_for_the_next_table_of_its_kind(tmp_path):
    first = open_scripted(tmp_path / "x", "works")
    number = first._reader.process.pid
    first.close()
    with_it = open_scripted(tmp_path / "y", "works")
    assert with_it._reader.process.pid == number
    assert with_it.place == f"scripted:{tmp_path / 'y'}"
    other = open_scripted(tmp_path / "z", "works")
    assert other._reader.process.pid != number
    other.close()
    with_it.close()


DIE = """
import os, signal, sys
from tests.unit.stores.test_isolated import open_scripted
table = open_scripted(sys.argv[1], "works")
print(table._reader.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_child_of_a_killed_process_cleans_up_and_ends(tmp_path):
    copy = tmp_path / "copy"
    copy.touch()
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", DIE, copy]
    number = int(subprocess.run(command, capture_output=True, check=False, env={**os.environ, **path}).stdout)
    for _ in range(100):
        if not copy.exists() and not Path(f"/proc/{number}").exists():
            break
        time.sleep(0.05)
    assert not copy.exists()


@pytest.mark.parametrize("name", ["copies and crashes", "copies and crashes later", "works"])
def test_copies_go_even_if_the_child_crashes(name, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    if name == "copies and crashes":
        with pytest.raises(InputError, match="signal 11"):
            open_scripted(tmp_path / "x", name)
    else:
        table = open_scripted(tmp_path / "x", name)
        assert len(list((tmp_path / "temporary").iterdir())) == 1, "there is something to remove"
        if name != "works":
            with pytest.raises(InputError, match="took too long"):
                table.take(np.array([0]), ["vector"])
        table.close()
    assert not list((tmp_path / "temporary").iterdir())


def test_the_child_removes_the_folder_for_copies_of_a_killed_process(tmp_path):
    (tmp_path / "temporary").mkdir()
    path = {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path / "temporary")}
    command = [sys.executable, "-c", DIE, tmp_path / "copy"]
    subprocess.run(command, capture_output=True, check=False, env={**os.environ, **path})
    for _ in range(200):
        if not list((tmp_path / "temporary").iterdir()):
            break
        time.sleep(0.05)
    assert not list((tmp_path / "temporary").iterdir())
