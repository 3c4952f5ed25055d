"""Sources of vectors: files, and KIND:WHERE#NAME."""

from pathlib import Path

import pytest

from vestige.errors import InputError
from vestige.stores.source_address import StoreAddress, is_file, parse_address, strip_credentials


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("chroma:folder#letters", ("chroma", "folder", "letters")),
        ("chroma:folder", ("chroma", "folder", None)),
        ("chroma:folder#", ("chroma", "folder", None)),
        ("qdrant:http://host:6333#letters", ("qdrant", "http://host:6333", "letters")),
        ("lancedb:odd#folder#letters", ("lancedb", "odd#folder", "letters")),
    ],
)
def test_an_address_has_kind_place_and_name(source, address):
    assert parse_address(source) == StoreAddress(*address)


def test_a_path_is_a_file_even_with_a_colon_if_it_exists(tmp_path):
    assert is_file("vectors.npy")
    assert is_file(Path("a:b"))
    assert not is_file("chroma:folder")
    (tmp_path / "a:b.npy").touch()
    assert is_file(str(tmp_path / "a:b.npy"))


def test_credentials_are_stripped():
    assert strip_credentials("http://me:secret@host:6333/path?key=secret") == "http://host:6333/path"
    assert strip_credentials("postgresql://me@one:1,two:2/letters") == "postgresql://one:1,two:2/letters"
    with pytest.raises(InputError, match="cannot be split into host and port") as refused:
        strip_credentials("http://me:80secret@host:port")
    assert "secret" not in str(refused.value)
