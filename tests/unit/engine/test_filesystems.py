"""Addresses on other machines."""

import pytest

from vestige.engine.filesystems import hide_credentials, is_object_store, is_url, join_url, open_filesystem, show_url
from vestige.errors import InputError

SECRET = "s3://AKIA:hush@bucket/folder?secret_key=hush&region=eu"


def test_only_known_schemes_are_addresses():
    assert is_url("s3://bucket/folder")
    assert not is_url("qdrant:http://host:6333#texts")
    assert not is_url("folder/file.parquet")


def test_no_credential_is_shown():
    assert show_url(SECRET) == "s3://bucket/folder"
    assert show_url("vectors.npy") == "vectors.npy"
    assert show_url("s3://AKIA:hu/sh@bucket/folder") == "s3://bucket/folder"
    assert "sh" not in hide_credentials("AKIA:hu/sh@bucket is odd", "s3://AKIA:hu/sh@bucket/folder")


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


@pytest.mark.parametrize(
    ("url", "kind", "path"),
    [
        ("gs://bucket/folder", "gcs", "bucket/folder"),
        ("gcs://bucket/folder", "gcs", "bucket/folder"),
        ("abfs://container@account.dfs.core.windows.net/folder", "abfs", "container/folder"),
        ("s3://bucket/folder?region=us-east-1", "s3", "bucket/folder"),
    ],
)
def test_every_provider_has_its_filesystem(url, kind, path):
    filesystem, found = open_filesystem(url)
    assert (filesystem.type_name, found) == (kind, path)


@pytest.mark.parametrize(
    ("url", "message", "shown"),
    [
        (SECRET, "GET of AKIA:hush@bucket?secret_key=hush failed", "GET of ...@bucket?... failed"),
        ("abfs://c@a.dfs.core.windows.net/f?sas_token=sig%3Dxyz", "https://a?sig=xyz failed", "https://a?... failed"),
        (
            "abfs://c@a.dfs.core.windows.net/f?sig=ab%2Bcd%3D&sp=r",
            "https://a/b?se=2099&sig=ab%2Bcd%3D&sp=r failed: token ab+cd= or ab%2Bcd%3D of a reader (why?)",
            "https://a/b?... failed: token ... or ... of a reader (why?)",
        ),
        ("s3://bucket/f?region=eu", "no bucket in eu\ntrace", "no bucket in eu"),
        ("folder?x=hush", "hush", "hush"),
    ],
)
def test_messages_of_libraries_are_shown_without_credentials(url, message, shown):
    assert hide_credentials(message, url) == shown


def test_hadoop_says_what_it_needs(monkeypatch):
    from pyarrow import fs

    def fail(_url):
        raise OSError("Unable to load libjvm\ndlopen(/usr/lib/jvm/libjvm.so) failed")

    monkeypatch.setattr(fs, "FileSystem", type("None", (), {"from_uri": staticmethod(fail)}))
    with pytest.raises(
        InputError, match=r"^hdfs://none/folder cannot be opened \(Unable to load libjvm\); .* JAVA_HOME"
    ):
        open_filesystem("hdfs://none/folder")
