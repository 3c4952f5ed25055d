"""Ids, transforms and unreadable files of FAISS."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.load import open_store

V = np.random.default_rng(2).normal(size=(40, 8)).astype(np.float32)


def rng():
    return np.random.default_rng(0)


def test_ids_and_transforms(tmp_path):
    faiss = pytest.importorskip("faiss")
    ids = np.arange(40) * 3 + 100
    for factory in ("IDMap2,Flat", "PCAR6,IVF2,Flat", "IVF2,Flat"):
        index = faiss.index_factory(8, factory)
        index.train(V)
        index.add_with_ids(V, ids)
        faiss.write_index(index, str(tmp_path / "v.faiss"))
        with open_store(f"faiss:{tmp_path / 'v.faiss'}") as store:
            sample = store.sample(99, rng())
            description = store.describe()
        assert sorted(map(int, sample.ids)) == ids.tolist()
        rows = [(int(each) - 100) // 3 for each in sample.ids]
        if factory.startswith("PCA"):
            change = faiss.downcast_VectorTransform(index.chain.at(0))
            assert np.allclose(sample.vectors, change.reverse_transform(change.apply(V[rows])), atol=1e-5)
            assert description.form == "float32 after PCAMatrix"
        else:
            assert (sample.vectors == V[rows]).all()
    with pytest.raises(InputError, match="remove what follows the #"):
        open_store(f"faiss:{tmp_path / 'v.faiss'}#x")
    (tmp_path / "cut.faiss").write_bytes((tmp_path / "v.faiss").read_bytes()[:300])
    with pytest.raises(InputError, match="not a complete index"):
        open_store(f"faiss:{tmp_path / 'cut.faiss'}")


def test_the_error_repeats_the_reason_that_faiss_gives(tmp_path):
    pytest.importorskip("faiss")
    (tmp_path / "x.faiss").write_text("this is no index")
    with pytest.raises(InputError, match=r'\(Index type 0x\w+ \("this"\) not recognized\); write it again'):
        open_store(f"faiss:{tmp_path / 'x.faiss'}")


def test_a_missing_file_is_reported_before_a_superfluous_name(tmp_path):
    faiss = pytest.importorskip("faiss")
    with pytest.raises(InputError, match=r"gone.faiss does not exist .*; check the path"):
        open_store(f"faiss:{tmp_path / 'gone.faiss'}#name")
    faiss.write_index(faiss.IndexFlatL2(8), str(tmp_path / "x.faiss"))
    with pytest.raises(InputError, match="has no 'name' in it; remove what follows the #"):
        open_store(f"faiss:{tmp_path / 'x.faiss'}#name")
