"""Tables of LanceDB: half-written ones, and the version that is read."""

import os

import numpy as np
import pyarrow as pa
import pytest

from tests.store_makers import MAKERS, VECTORS
from tests.unit.stores.half_written import check_refused
from vestige.errors import InputError
from vestige.stores.load import open_store

lancedb = pytest.importorskip("lancedb")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return MAKERS["lancedb"](folder), folder


@pytest.mark.parametrize(("file", "message"), [("*.manifest", "cannot be opened"), ("data/*.lance", "cannot be read")])
def test_a_half_written_table_is_refused_and_left_unchanged(file, message, whole, tmp_path, capfd):
    check_refused(*whole, file, message, tmp_path, capfd)


def test_rows_added_after_opening_are_not_read(tmp_path):
    def rows(part):
        return pa.table({"id": range(len(part)), "vector": list(part)})

    table = lancedb.connect(tmp_path).create_table("letters", rows(VECTORS[:20]))
    with open_store(f"lancedb:{tmp_path}") as store:
        table.add(rows(VECTORS[20:30]))
        assert store.describe().guessed == ("table", "vectors", "ids")
        assert (store.sample(99, np.random.default_rng(0)).vectors == VECTORS[:20]).all()


@pytest.mark.parametrize("file", ["*.manifest", "data/*.lance"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(file, tmp_path):
    lancedb.connect(tmp_path).create_table("letters", pa.table({"vector": list(VECTORS[:20])}))
    found = next((tmp_path / "letters.lance").rglob(file))
    found.unlink()
    os.mkfifo(found)
    with pytest.raises(InputError, match="is neither a file nor a folder"):
        open_store(f"lancedb:{tmp_path}")
