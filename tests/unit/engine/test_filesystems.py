"""Addresses on other machines."""

import pytest

from vestige.engine.filesystems import is_object_store, is_url, join_url, open_filesystem, show_url
from vestige.errors import InputError

SECRET = "s3://AKIA:hush@bucket/folder?secret_key=hush&region=eu"


def test_only_known_schemes_are_addresses():
    assert is_url("s3://bucket/folder")
    assert not is_url("qdrant:http://host:6333#texts")
    assert not is_url("folder/file.parquet")


def test_no_credential_is_shown():
    assert show_url(SECRET) == "s3://bucket/folder"
    assert show_url("vectors.npy") == "vectors.npy"


def test_the_query_stays_at_the_end():
    assert join_url("s3://bucket/folder/?region=eu", "a.parquet") == "s3://bucket/folder/a.parquet?region=eu"


def test_an_unusable_address_is_explained_without_its_credentials():
    with pytest.raises(InputError, match="cannot be opened") as raised:
        open_filesystem("s3://AKIA:hush@bucket/folder?no_such_option=hush")
    assert "hush" not in str(raised.value)
    assert "AKIA" not in str(raised.value)


def test_where_files_appear_complete():
    assert is_object_store("s3://bucket/a")
    assert not is_object_store("hdfs://host/a")
