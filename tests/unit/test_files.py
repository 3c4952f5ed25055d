"""Files are written whole or not at all, and one run at a time."""

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from vestige.errors import InputError
from vestige.files import (
    _own_ending,
    check_writable,
    create_file,
    make_folder,
    parts_folder,
    read_small,
    sha256_of,
    sole_user,
    writable_folder,
    write_folder,
    write_together,
    write_whole,
)


def test_a_file_is_replaced_whole_and_only_its_owner_may_read_it(tmp_path):
    place = tmp_path / "file"
    place.write_text("old")
    write_whole(place, b"new")
    assert place.read_bytes() == b"new"
    assert place.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [place]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    place = tmp_path / "file"
    place.write_text("old")
    with pytest.raises(TypeError):
        write_whole(place, "not bytes")
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_files_of_one_result_appear_together_or_not_at_all(tmp_path, monkeypatch):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("old")
    written = []

    def fill_the_disk(handle):
        written.append(handle)
        if len(written) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fill_the_disk)
    with pytest.raises(OSError, match="No space"):
        write_together({one: b"1", two: b"2"})
    assert one.read_text() == "old"
    assert list(tmp_path.iterdir()) == [one]
    write_together({one: b"1", two: b"2"})
    assert (one.read_bytes(), two.read_bytes()) == (b"1", b"2")


WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from vestige.files import write_whole
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_whole(Path(sys.argv[1]), b"half")
"""


def test_what_a_killed_run_left_is_removed_by_the_next_write(tmp_path):
    path = tmp_path / "file"
    subprocess.run([sys.executable, "-c", WRITE_AND_DIE, path], check=False)
    assert [left.name.endswith(".writing") for left in tmp_path.iterdir()] == [True]
    running = tmp_path / f".file.abc{_own_ending(os.getpid())}"
    running.touch()
    write_whole(path, b"content")
    assert sorted(tmp_path.iterdir()) == [running, path]


def test_folders_are_for_their_owner_alone(tmp_path):
    folder = make_folder(tmp_path / "a" / "b" / "c")
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent, folder.parent.parent)} == {0o700}
    assert make_folder(folder) == folder


def test_checking_a_folder_creates_nothing(tmp_path):
    check_writable(tmp_path / "a" / "b")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        check_writable(tmp_path / "file" / "b")


def test_a_writable_folder_is_created(tmp_path):
    assert writable_folder(tmp_path / "a" / "b").is_dir()


def test_a_second_run_cannot_use_a_locked_folder(tmp_path):
    with sole_user(tmp_path), pytest.raises(InputError, match="another run is writing"), sole_user(tmp_path):
        pass
    with sole_user(tmp_path):
        pass


def test_a_disk_without_locks_is_not_called_another_run(tmp_path, monkeypatch):
    def refuse(_file, _operation):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(InputError, match=r"cannot be locked \(Operation not supported\)"), sole_user(tmp_path):
        pass


@pytest.mark.parametrize(("name", "stays"), [("part.safetensors", True), ("part.tmp", False)])
def test_after_a_failure_reusable_parts_stay(tmp_path, name, stays):
    folder = tmp_path / "parts"

    def fail_halfway():
        with parts_folder(folder):
            (folder / name).touch()
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        fail_halfway()
    assert folder.exists() is stays


def test_after_success_the_parts_are_removed(tmp_path):
    with parts_folder(tmp_path / "parts") as folder:
        (folder / "part.safetensors").touch()
    assert not folder.exists()


def test_the_hash_is_that_of_the_bytes(tmp_path):
    (tmp_path / "file").write_bytes(b"abc")
    assert sha256_of(tmp_path / "file") == sha256(b"abc").hexdigest()


def test_a_folder_is_written_once(tmp_path):
    folder = tmp_path / "a" / "model"
    write_folder(folder, {"one": b"1", "two": b"2"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"one": b"1", "two": b"2"}
    with pytest.raises(InputError, match="already exists; name a new folder"):
        write_folder(folder, {"one": b"3"})
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_a_folder_may_have_folders(tmp_path):
    write_folder(tmp_path / "site", {"index.html": b"1", "files/a/report.json": b"2"})
    assert (tmp_path / "site" / "files" / "a" / "report.json").read_bytes() == b"2"


@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_a_link_in_a_folder_of_parts_is_not_followed(tmp_path, make):
    precious, parts = tmp_path / "precious", tmp_path / ".out.npy.parts"
    precious.write_text("mine")
    for name in ("lock", "whole", "_records/000000.json"):
        (parts / name).parent.mkdir(parents=True, exist_ok=True)
        make(precious, parts / name)
        with pytest.raises((InputError, OSError)), parts_folder(parts, "_records/0*"):
            (parts / name).write_text("written through the link")
        (parts / name).unlink(missing_ok=True)
        assert precious.read_text() == "mine"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    parts.rename(tmp_path / "parts")
    parts.symlink_to(elsewhere)
    with pytest.raises(InputError, match="is a link"), sole_user(parts):
        pass
    assert not list(elsewhere.iterdir())


def test_a_file_is_created_in_place_of_a_link(tmp_path):
    precious, link = tmp_path / "precious", tmp_path / "whole"
    precious.write_text("mine")
    link.symlink_to(precious)
    create_file(link)
    assert (precious.read_text(), link.is_symlink(), link.read_bytes()) == ("mine", False, b"")
    assert link.stat().st_mode & 0o077 == 0


def test_a_folder_that_a_killed_run_was_writing_is_removed_by_the_next(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f".new.abc{_own_ending(ended.pid)}"
    running = tmp_path / f".new.abc{_own_ending(os.getpid())}"
    other = tmp_path / ".new.backup"
    for folder in (left, running, other):
        (folder / "whole").mkdir(parents=True)
    write_folder(tmp_path / "new", {"a": b"1"})
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([running.name, other.name, "new"])


def test_a_folder_under_way_bears_the_mark_of_its_process(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr("os.fsync", lambda _: seen.extend(path.name for path in tmp_path.iterdir()))
    write_folder(tmp_path / "new", {"a": b"1"})
    assert [name.endswith(_own_ending(os.getpid())) for name in seen] == [True]


def test_a_pipe_instead_of_settings_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "settings.toml")
    with pytest.raises(InputError, match="is a pipe"):
        read_small(tmp_path / "settings.toml")
