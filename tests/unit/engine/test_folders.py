"""A folder here, and one behind an address, behave alike."""

from hashlib import sha256
from threading import Barrier

import pytest

from vestige.engine.folders import LocalFolder, RemoteFolder, check_folder_writable, join_place, open_folder
from vestige.engine.job import Unreachable


@pytest.fixture(params=["path", "file", "memory"])
def folder(request, tmp_path):
    places = {
        "path": tmp_path / "out",
        "file": f"file://{tmp_path}/out",
        "memory": f"memory://{tmp_path.name}/out",
    }
    return open_folder(places[request.param])


def test_a_file_is_written_whole_read_and_deleted(folder):
    assert folder.list_names() == []
    assert folder.read("a") is None
    assert folder.compute_sha256("a") is None
    folder.write("_records/1.json", b"{}")
    with folder.scratch("a") as scratch:
        scratch.write_bytes(b"content")
        assert folder.read("a") is None, "it is not complete"
    assert folder.list_names() == ["_records/1.json", "a"]
    assert folder.read("a") == b"content"
    assert folder.compute_sha256("a") == sha256(b"content").hexdigest()
    folder.delete("a")
    folder.delete("a")
    assert folder.list_names() == ["_records/1.json"]


def test_files_of_an_object_store_are_deleted_several_at_a_time(tmp_path, monkeypatch):
    """After a long run there are tens of thousands of records."""
    folder, together = RemoteFolder(f"memory://{tmp_path.name}/out"), Barrier(4, timeout=20)
    names = [f"_records/{number}.json" for number in range(4)]
    for name in names:
        folder.write(name, b"{}")
    real = RemoteFolder._delete
    monkeypatch.setattr(RemoteFolder, "_delete", lambda self, name: (together.wait(), real(self, name)))
    folder.delete(*names)
    assert folder.list_names() == []


def test_nothing_appears_after_an_error(folder):
    def fill():
        with folder.scratch("a") as scratch:
            scratch.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fill()
    assert folder.list_names() == []


def test_files_are_private(tmp_path):
    folder = LocalFolder(tmp_path / "out")
    with folder.scratch("a") as scratch:
        scratch.write_bytes(b"content")
    assert (folder.path / "a").stat().st_mode & 0o777 == 0o600
    assert folder.path.stat().st_mode & 0o777 == 0o700


def test_whether_a_folder_can_be_written_is_known_before_the_work(folder):
    check_folder_writable(folder)
    assert folder.list_names() == []


def test_an_unreachable_folder_is_explained_without_credentials(monkeypatch):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    url = "s3://AKIA:hush@bucket/out?endpoint_override=127.0.0.1:9&scheme=http&region=eu-west-1"
    with pytest.raises(Unreachable, match=r"s3://bucket/out cannot be used .*127.0.0.1") as raised:
        RemoteFolder(url).read("a")
    assert "hush" not in str(raised.value)


def test_the_place_of_a_file():
    assert join_place("out", "a") == "out/a"
    assert join_place("s3://bucket/out", "a") == "s3://bucket/out/a"
