"""Collections, metadata and row order of Chroma."""

import numpy as np
import pytest

from tests.store_makers import VECTORS
from vestige.errors import InputError
from vestige.stores.load import open_store

V = np.random.default_rng(2).normal(size=(40, 8)).astype(np.float32)


def rng():
    return np.random.default_rng(0)


def test_collections_are_opened_by_name(tmp_path):
    client = pytest.importorskip("chromadb").PersistentClient(tmp_path / "c")
    for name in ("letters", "notes"):
        client.create_collection(name, embedding_function=None)
    client.get_collection("notes", embedding_function=None).add([f"n{row}" for row in range(40)], V)
    client.close()
    with pytest.raises(InputError, match=r"has 2 collections \(letters, notes\); name one"):
        open_store(f"chroma:{tmp_path / 'c'}")
    with pytest.raises(InputError, match="no collection 'leters'; did you mean 'letters'"):
        open_store(f"chroma:{tmp_path / 'c'}#leters")
    with pytest.raises(InputError, match="#letters is empty"):
        open_store(f"chroma:{tmp_path / 'c'}#letters")
    with open_store(f"chroma:{tmp_path / 'c'}#notes") as store:
        sample = store.sample(3, rng())
        assert (sample.vectors == V[[int(each[1:]) for each in sample.ids]]).all()


def test_row_numbers_follow_the_ids_in_any_order_of_insertion(tmp_path):
    """Rows added in another order, or written again, change their position in the store, but not their ids."""
    chromadb = pytest.importorskip("chromadb")
    order = np.random.default_rng(0).permutation(40).tolist()
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    client.create_collection("letters").add(ids=[str(row) for row in order], embeddings=VECTORS[order].tolist())
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        sample = store.sample(40, np.random.default_rng(0))
    assert (sample.vectors == VECTORS[sample.numbers]).all()


def test_a_text_in_the_metadata_is_the_text_if_there_are_no_documents(tmp_path):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    metadata = [{"text": f"a letter about loan {row}", "id": f"mail {row}"} for row in range(4)]
    client.create_collection("letters").add(
        ids=list("abcd"), embeddings=VECTORS[:4].tolist(), metadatas=metadata, documents=None
    )
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        sample = store.sample(4, np.random.default_rng(0))
    assert sample.texts == [row["text"] for row in metadata]
    assert sample.attributes["metadata id"] == [row["id"] for row in metadata]


def test_columns_that_only_later_rows_have_are_found(tmp_path):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    metadata = [{"product": "loan"} | ({"email": f"{row}@mail.org"} if row >= 300 else {}) for row in range(400)]
    client.create_collection("letters").add(
        ids=[str(row) for row in range(400)], embeddings=VECTORS[:400].tolist(), metadatas=metadata
    )
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        assert "email" in store.describe().columns.attributes
