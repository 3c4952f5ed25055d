"""Arbitrary bytes in any file give exactly what was written, or an InputError; never another error."""

import gzip
import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vestige.audit.canaries import read_key
from vestige.audit.saved import read_audit
from vestige.case.cache import read_cached
from vestige.case.case import Missing
from vestige.config.config_file import read_config
from vestige.defenses.saved import load_defense
from vestige.encoders.saved import load_saved
from vestige.errors import InputError, VestigeError
from vestige.stores.load import open_store
from vestige.stores.pickled_points import parse_point
from vestige.text.corpora import load_corpus
from vestige.text.patterns import load_pattern

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
CONTENT = st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
MAGIC = {
    ".npy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', ",
    ".npz": b"PK\x03\x04\x14\x00",
    ".parquet": b"PAR1",
    ".arrow": b"ARROW1\x00\x00",
    ".h5": b"\x89HDF\r\n\x1a\n",
    ".jsonl": b'{"vector": [1, 2',
    ".csv": b"id,v0,v1\n1,",
    ".jsonl.gz": b"\x1f\x8b\x08",
    ".faiss": b"IxFI\x08\x00\x00\x00",
    ".txt": b"",
    ".toml": b"[audit]\n",
}


def use(store):
    with store:
        store.sample_unchecked(3, np.random.default_rng(0))
        list(store.batches(8, every_column=True))


def open_plain(path: Path):
    use(open_store(path))


def open_text(path: Path):
    load_corpus(path)


READERS = {
    **dict.fromkeys((".npy", ".npz", ".parquet", ".jsonl", ".csv", ".jsonl.gz"), open_plain),
    ".arrow": open_plain,
    ".h5": open_plain,
    ".faiss": lambda path: use(open_store(f"faiss:{path}")),
    ".txt": open_text,
    ".toml": read_config,
}


@pytest.mark.parametrize("ending", READERS)
@QUICK
@given(content=CONTENT, known=st.booleans())
def test_a_file_of_anything_is_read_or_refused(ending, content, known, tmp_path):
    path = tmp_path / f"file{ending}"
    path.write_bytes(MAGIC[ending] + content if known else content)
    with suppress(VestigeError):
        READERS[ending](path)


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet", ".txt.gz"])
@QUICK
@given(content=CONTENT)
def test_a_file_of_texts_is_read_or_refused(ending, content, tmp_path):
    path = tmp_path / f"texts{ending}"
    path.write_bytes(gzip.compress(content) if ending.endswith(".gz") else content)
    with suppress(VestigeError):
        open_text(path)


@pytest.mark.parametrize(
    "read",
    [
        lambda folder: load_saved(str(folder)),
        load_defense,
        lambda folder: read_key(folder / "encoder.json"),
        lambda folder: read_audit(folder / "encoder.json"),
        lambda folder: load_pattern(str(folder / "pattern.toml")),
    ],
)
@QUICK
@given(content=CONTENT, tensors=CONTENT)
def test_what_vestige_writes_is_read_or_refused(read, content, tensors, tmp_path):
    for name in ("encoder.json", "defense.json", "pattern.toml"):
        (tmp_path / name).write_bytes(content)
    for name in ("encoder.safetensors", "defense.safetensors"):
        (tmp_path / name).write_bytes(tensors)
    with pytest.raises(VestigeError):
        read(tmp_path)


@QUICK
@given(content=CONTENT)
def test_a_cached_record_is_read_or_ignored(content, tmp_path):
    (tmp_path / "record").write_bytes(content)
    assert read_cached(Missing, tmp_path / "record") is None


@QUICK
@given(content=st.binary(max_size=200))
def test_a_pickle_is_parsed_or_refused(content):
    with suppress(InputError):
        parse_point(b"\x80\x04" + content + b".", "here")


FINITE = st.floats(-1e6, 1e6, width=32)
TABLES = arrays(np.float32, st.tuples(st.integers(1, 20), st.integers(1, 5)), elements=FINITE)


@pytest.mark.parametrize("ending", [".npy", ".npz", ".parquet", ".jsonl", ".csv"])
@QUICK
@given(vectors=TABLES)
def test_what_was_written_comes_back(ending, vectors, tmp_path):
    path = tmp_path / f"file{ending}"
    write(path, vectors)
    with open_store(path) as store:
        assert np.array_equal(store.vectors(), vectors)


def write(path, vectors):
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".npy":
        np.save(path, vectors)
    elif path.suffix == ".npz":
        np.savez_compressed(path, vectors=vectors)
    elif path.suffix == ".parquet":
        pq.write_table(pa.table({"vector": vectors.tolist()}), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps({"vector": row}) + "\n" for row in vectors.tolist()))
    else:
        path.write_text("vector\n" + "".join(f'"{json.dumps(row)}"\n' for row in vectors.tolist()))
