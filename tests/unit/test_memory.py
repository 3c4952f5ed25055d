"""The limit on memory: declared sizes are refused, and the system stops what was not declared."""

import json
import os
import resource
import signal
import subprocess
import sys
import tracemalloc

import pytest

from vestige import memory
from vestige.attacks.prefix.saved import load_inverter, read_digest
from vestige.audit.saved import read_audit
from vestige.defenses.saved import load_defense
from vestige.encoders.saved import load_saved
from vestige.errors import InputError
from vestige.memory import (
    check_memory,
    format_bytes,
    limit_memory,
    memory_limit,
    parse_bytes,
    read_file,
    release_memory,
)
from vestige.stores.dataset_files import list_files

AT_ONCE = """
from vestige.memory import limit_memory
with limit_memory(2**29):
    bytearray(2**36)
"""
IN_USE = """
import time
from vestige.memory import limit_memory
kept = [bytes(range(256)) * 2**21]
with limit_memory(2**28):
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
print("done")
"""
SLOWLY = """
from vestige.memory import limit_memory
kept = []
with limit_memory(2**28):
    while len(kept) < 2000:
        kept.append(bytes(range(256)) * 2**12)
"""


def test_a_declared_size_above_the_limit_is_refused():
    with limit_memory(2**30):
        check_memory(2**30, "a.npz")
        with pytest.raises(InputError, match=r"a.npz needs 2.1 GB of memory, and the limit is 1.1 GB; .*--memory"):
            check_memory(2**31, "a.npz")


def test_a_file_is_read_unless_it_is_a_pipe_or_too_large(tmp_path):
    (tmp_path / "small").write_bytes(b"abc")
    assert read_file(tmp_path / "small") == b"abc"
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(2**42)
    with pytest.raises(InputError, match=r"sparse needs 263,882\.8 GB of memory"):
        read_file(tmp_path / "sparse")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe is a pipe or a device; expected a file"):
        read_file(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="endless is a pipe or a device; expected a file"):
        read_file(tmp_path / "endless")


def test_without_a_limit_it_is_a_share_of_the_machine(monkeypatch):
    monkeypatch.setattr(memory, "_machine_memory", lambda: 1000)
    assert memory_limit() == 800


def test_the_limit_of_the_system_is_higher_and_ends_with_the_block():
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with limit_memory(2**34):
        assert 2**34 + memory.RESERVE <= resource.getrlimit(resource.RLIMIT_DATA)[0] < 2**36
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.parametrize("code", [AT_ONCE, SLOWLY])
def test_more_than_the_limit_is_an_error(code):
    """`SLOWLY` would take 2 GB, and the limit of the system is 8 GB higher."""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "InputError: this needs more memory than the limit" in ended.stderr


def test_what_is_in_use_already_does_not_count():
    ended = subprocess.run([sys.executable, "-c", IN_USE], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("done\n", "")


@pytest.mark.parametrize(
    ("written", "count"), [("4GB", 4 * 10**9), ("1.5g", 1_500_000_000), ("512 MiB", 2**29), ("9" * 9 + "TB", 2**60)]
)
def test_sizes_are_written_with_a_unit(written, count):
    assert parse_bytes(written) == count


@pytest.mark.parametrize("written", ["", "GB", "-4GB", "4 apples", "12", "1e99GB", "nan", "9" * 400, "4GB\x1b"])
def test_anything_else_is_refused(written):
    with pytest.raises(InputError, match="is not a size of at least 256MiB"):
        parse_bytes(written)


def test_sizes_for_people():
    assert (format_bytes(1.5e9), format_bytes(2.5e6)) == ("1.5 GB", "2.5 MB")


def test_freed_memory_is_returned_where_the_c_library_can(monkeypatch):
    release_memory()
    released = []
    monkeypatch.setattr(memory, "CDLL", lambda _name: type("Library", (), {"malloc_trim": released.append})())
    release_memory()
    assert len(released) == 1
    monkeypatch.setattr(memory, "CDLL", lambda _name: object())
    release_memory()


def make_saved(folder):
    """A folder with every file that a command may look for in one."""
    for name in ("defense", "encoder", "inverter", "report"):
        (folder / f"{name}.json").write_text("{}")
        (folder / f"{name}.safetensors").write_bytes(b"")
    return folder


READERS = {
    "defense.safetensors": lambda folder: load_defense(folder),
    "encoder.safetensors": lambda folder: load_saved(str(folder)),
    "inverter.safetensors": lambda folder: load_inverter(folder),
    "inverter.json": lambda folder: read_digest(folder),
    "report.json": lambda folder: read_audit(folder),
    "a.parquet": lambda folder: list_files(str(folder)),
}


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_in_a_folder_is_not_waited_for(name, tmp_path):
    folder = make_saved(tmp_path)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(InputError, match="is a pipe"):
        READERS[name](folder)


@pytest.mark.parametrize("unit", ["[]", "{}", "[[]]", "1.5", "[" * 900 + "]" * 900])
def test_parsed_json_takes_no_more_than_is_reckoned(unit):
    text = "[" + ",".join([unit] * (300_000 // len(unit))) + "]"
    tracemalloc.start()
    try:
        parsed = json.loads(text)
        assert len(parsed) > 100
        assert tracemalloc.get_traced_memory()[1] < memory.PARSED * len(text)
    finally:
        tracemalloc.stop()
