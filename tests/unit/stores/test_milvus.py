"""Half-written files of Milvus Lite."""

from functools import cache

import pytest

from tests.store_makers import MAKERS
from tests.unit.stores.half_written import check_refused

pytest.importorskip("milvus_lite")


def make_with_log(folder):
    return MAKERS["milvus"](folder)


def make_flushed(folder):
    """The rows are in a file, and none in the write-ahead log."""
    made = MAKERS["milvus"](folder)
    client = pytest.importorskip("pymilvus").MilvusClient(str(folder / "letters.db"))
    client.flush("letters")
    client.close()
    return made


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    @cache
    def make(maker):
        folder = tmp_path_factory.mktemp("whole")
        return maker(folder), folder

    return make


@pytest.mark.parametrize(
    ("maker", "file", "message"),
    [
        (make_with_log, "wal/*.arrow", r"is half written \(wal_data"),
        (make_with_log, "schema.json", r"cannot be read \(schema file 'letters.db"),
        (make_flushed, "manifest.json", "cannot be read"),
        (make_flushed, "*.parquet", "cannot be read"),
    ],
)
def test_a_half_written_file_is_refused_and_left_unchanged(maker, file, message, made_once, tmp_path, capfd):
    check_refused(*made_once(maker), file, message, tmp_path, capfd)
