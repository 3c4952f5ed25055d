"""The ground: registry, files, records."""

import pytest

from vestige.errors import InputError, MissingExtra
from vestige.files import check_writable, write_whole
from vestige.registry import Entry, Registry

KINDS = Registry("kind", {"alpha": Entry("vestige.types:Score", "a"), "beta": Entry("x:Y", "b", "no_such_lib", "more")})


def test_a_known_name_loads():
    assert KINDS["alpha"].load().__name__ == "Score"


def test_an_unknown_name_offers_the_nearest():
    with pytest.raises(InputError, match="unknown kind 'alfa'; did you mean 'alpha'"):
        KINDS["alfa"]


def test_a_missing_library_gives_the_command_that_gets_it():
    assert not KINDS["beta"].installed
    with pytest.raises(MissingExtra, match=r"pip install 'vestige\[more\]'"):
        KINDS["beta"].load()


def test_a_file_is_replaced_whole_and_only_its_owner_may_read_it(tmp_path):
    place = tmp_path / "file"
    place.write_text("old")
    write_whole(place, b"new")
    assert place.read_bytes() == b"new"
    assert place.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [place]


def test_checking_a_folder_makes_nothing(tmp_path):
    check_writable(tmp_path / "a" / "b")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        check_writable(tmp_path / "file" / "b")
