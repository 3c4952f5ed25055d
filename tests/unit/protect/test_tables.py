"""From a store to parquet or .npy in blocks."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect.run import protect
from vestige.stores.load import read_vectors
from vestige.stores.store import Store


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
def test_other_columns_are_unchanged_and_in_order(source, tmp_path):
    out = tmp_path / "out.parquet"
    assert protect(source, out, "pca:8").others == ("id", "text", "tags")
    before, after = pq.read_table(source), pq.read_table(out)
    assert after.column_names == before.column_names
    assert after.drop(["embedding"]) == before.drop(["embedding"])
    assert after.schema.field("embedding").type == pa.list_(pa.float32(), 8)


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_a_run_resumes_after_the_store_was_lost(source, tmp_path, monkeypatch):
    """Blocks and their defense stay for the next run; only unusable rows make them useless."""
    real, out = Store.batches, tmp_path / "out.npy"

    def lose(self, *arguments, **options):
        yield next(real(self, *arguments, **options))
        raise InputError("the connection is lost; try again")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "batches", lose)
        with pytest.raises(InputError, match="connection is lost"):
            protect(source, out, "gaussian:50")
    first = next((tmp_path / ".out.npy.parts").glob("*.arrow")).read_bytes()
    saved = load_defense(tmp_path / "out.npy.defense")
    protect(source, out, "gaussian:50")
    assert first
    assert np.load(out).tobytes() == saved.transform(read_vectors(source)).tobytes()
