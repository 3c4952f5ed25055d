"""Finding and reading vestige.toml; syntax errors come with their line."""

import pytest

from vestige.config.config_file import ConfigFile, find_config, read_config
from vestige.errors import InputError


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "vestige.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_the_nearest_file_of_the_parents_is_found(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "vestige.toml").touch()
    assert find_config(inner) == tmp_path / "vestige.toml"
    (tmp_path / "a" / "vestige.toml").touch()
    assert find_config(inner) == tmp_path / "a" / "vestige.toml"


def test_a_folder_of_that_name_is_not_the_file(tmp_path):
    (tmp_path / "vestige.toml").mkdir()
    assert find_config(tmp_path) != tmp_path / "vestige.toml"


def test_tables_and_lines_are_read(write):
    file = read_config(write("[audit]\n\ntargets = 5\n"))
    assert file.tables == {"audit": {"targets": 5}}
    assert file.find_line(("audit", "targets")) == 3
    assert str(file.fault(("audit", "targets"), "wrong")).endswith("vestige.toml:3: wrong")


def test_a_key_without_a_line_has_that_of_its_table(write):
    file = read_config(write("\n[audit]\n"))
    assert file.find_line(("audit", "not there", 3)) == 2
    assert file.find_line(("nowhere",)) == 1


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("[audit]\ntargets =\n", 2, "this is not valid TOML: invalid value in column 10"),
        ("[audit\n", 1, "this is not valid TOML"),
        ("[audit]\ntargets = [1,\n\n", 4, "this is not valid TOML"),
        ("[audit.letters]\n[audit]\n[audit.letters]\n", 3, r"the table \[audit.letters\] is defined twice"),
        ("[audit]\nseed = 1\n\nseed = 2\n", 4, "'seed' is set a second time in its table"),
        (b"[audit]\n\nprobe = '\xff'\n", 3, "this is not UTF-8"),
    ],
)
def test_a_broken_file_is_reported_with_its_line(write, content, line, message):
    with pytest.raises(InputError, match=rf"vestige\.toml:{line}: {message}"):
        read_config(write(content))


@pytest.mark.parametrize(
    "content",
    [
        "a = " + "[" * 50_000,
        "a = " + "{b = " * 10_000,
        "[audit]\nseed = " + "9" * 5000,
        "[audit]\nseed = 0x" + "f" * 5000,
        ".".join("a" * 5000) + " = 1",
    ],
    ids=["lists", "tables", "digits", "hexadecimal", "dots"],
)
def test_a_file_made_to_use_up_the_stack_or_the_memory_is_refused(write, content):
    with pytest.raises(InputError, match=r"vestige\.toml is not a file of settings"):
        read_config(write(content))


def test_a_file_without_end_is_refused(tmp_path):
    with (tmp_path / "vestige.toml").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match=r"more than 65,536 bytes; expected a file of settings"):
        read_config(tmp_path / "vestige.toml")


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(InputError, match=r"cannot be read .*`vestige init` writes"):
        read_config(tmp_path / name)


def test_relative_paths_start_from_the_folder_of_the_file(tmp_path, monkeypatch):
    file = ConfigFile(tmp_path / "vestige.toml", {}, {})
    assert file.folder == tmp_path
    monkeypatch.chdir(tmp_path)
    assert str(file.folder) == "."
