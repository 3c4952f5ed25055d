"""A folder behind an address is written by one run at a time."""

import os
import time
from platform import node

import pytest

from vestige.engine import lock
from vestige.engine.folders import LOCK, RemoteFolder
from vestige.engine.job import FolderTaken
from vestige.engine.lock import lock_folder
from vestige.errors import InputError

GONE = 2**22
"""The number of no process: Linux has none beyond it."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for name, seconds in (("RENEWAL", 0.1), ("WATCH", 1.0), ("SETTLING", 0.0)):
        monkeypatch.setattr(lock, name, seconds)


@pytest.fixture
def folder(tmp_path):
    return RemoteFolder(f"memory://{tmp_path.name}/out")


def test_a_second_run_is_refused_while_the_first_is_alive(folder):
    refusal = rf"another run \(process {os.getpid()} on .*\) is writing memory://.*/out; wait for it"
    with lock_folder(folder), pytest.raises(InputError, match=refusal), lock_folder(folder):
        pass
    assert folder.list_names() == []
    with lock_folder(folder) as held:
        held.write("a", b"content")
    assert folder.list_names() == ["a"]


HERE = f"{node()}, {lock._identify_processes()}"


@pytest.mark.parametrize(
    ("machine", "waits"), [(HERE, False), ("another machine, abc pid:[1]", True), (f"{node()}, abc pid:[1]", True)]
)
def test_the_folder_of_a_run_that_was_killed_is_free(folder, machine, waits):
    """At once if it was killed here; after a while without renewals if elsewhere, as in another container."""
    folder.write(LOCK, f"process {GONE} on {machine}, abc\n3\n".encode())
    began = time.monotonic()
    with lock_folder(folder) as held:
        held.check_owner()
    assert (time.monotonic() - began > 0.9 * lock.WATCH) == waits


def test_a_run_that_lost_its_folder_writes_and_removes_nothing(folder):
    """It was suspended, say, and another run took it for dead."""
    with lock_folder(folder) as held:
        held.write("a", b"first")
        folder.write(LOCK, b"process 1 on another machine, abc\n0\n")
        with pytest.raises(FolderTaken, match="another run is writing memory://"):
            held.write("a", b"second")
        time.sleep(3 * lock.RENEWAL)
    assert folder.read("a") == b"first"
    assert folder.read_owner() == "process 1 on another machine, abc", "nor does it renew its own lock"


def test_of_two_runs_that_begin_at_the_same_moment_one_is_refused(folder, monkeypatch):
    real = lock._renew

    def write_both(place, owner, count):
        real(place, owner, count)
        if not count:
            real(place, "process 1 on another machine, abc", 0)

    monkeypatch.setattr(lock, "_renew", write_both)
    with pytest.raises(FolderTaken), lock_folder(folder):
        pass
    assert folder.read_owner() == "process 1 on another machine, abc"


def test_the_lock_is_renewed(folder):
    with lock_folder(folder):
        first, end = folder.read(LOCK), time.monotonic() + 10
        while folder.read(LOCK) == first and time.monotonic() < end:
            time.sleep(0.02)
        assert folder.read(LOCK) != first
        assert folder.read_owner() == first.decode().partition("\n")[0]
