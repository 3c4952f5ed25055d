import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.stores import parquet
from vestige.stores.load import open_store
from vestige.stores.records import Columns


def rng():
    return np.random.default_rng(0)


def vectors(rows, dimension=4):
    return np.random.default_rng(1).normal(size=(rows, dimension)).astype(np.float32)


def test_columns_are_taken_by_the_names_the_caller_gives(tmp_path):
    lines = [{"a": [1.0, row], "b": [2.0, row], "body": "x", "note": "y", "key": row} for row in range(5)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match="has vectors in a, b; name the column to read with --vector-column"):
        open_store(tmp_path / "v.jsonl")
    with pytest.raises(InputError, match=r"no column 'c'; .*known: a, b"):
        open_store(tmp_path / "v.jsonl", Columns(vectors="c"))
    with pytest.raises(InputError, match="holds string in 'body'; expected a vector a row"):
        open_store(tmp_path / "v.jsonl", Columns(vectors="body"))
    with open_store(tmp_path / "v.jsonl", Columns(vectors="b", texts="note", attributes=("body",))) as store:
        told = store.describe()
        assert told.columns == Columns("b", "key", "note", ("body",))
        assert told.guessed == ("ids",)
        assert store.sample(9, rng()).texts == ["y"] * 5


def test_an_arrow_file_without_columns_is_empty(tmp_path):
    with pa.ipc.new_file(tmp_path / "v.arrow", pa.schema([])):
        pass
    with pytest.raises(InputError, match=r"v.arrow is empty; expected at least one vector"):
        open_store(tmp_path / "v.arrow")


def test_a_look_refuses_nothing_that_a_sample_refuses(tmp_path):
    broken = vectors(50).astype(np.float64)
    broken[3], broken[4], broken[5] = np.nan, 0, 1e300
    np.save(tmp_path / "v.npy", broken)
    with open_store(tmp_path / "v.npy") as store:
        with pytest.raises(InputError, match="NaN or infinite values in 2 of 50 rows read, first in row 3"):
            store.sample(50, rng())
        seen = store.look(50, rng())
    assert np.flatnonzero(~np.isfinite(seen.vectors).all(axis=1)).tolist() == [3, 5]
    assert seen.numbers == list(range(50))


def test_a_sample_of_a_mapped_file_reads_the_sample_alone(tmp_path):
    np.save(tmp_path / "v.npy", vectors(5000))
    with open_store(tmp_path / "v.npy") as store:
        assert store.sample(10, rng()).bytes_read == 10 * 4 * 4


def test_a_sample_of_parquet_reads_the_columns_it_gives(tmp_path):
    wide = pa.table({"vector": list(vectors(100)), "ballast": [str(row).encode() * 500 for row in range(100)]})
    pq.write_table(wide, tmp_path / "v.parquet", use_dictionary=False, compression="none")
    with open_store(tmp_path / "v.parquet") as store:
        assert store.sample(10, rng()).bytes_read < 4000


def test_a_sample_over_very_many_row_groups_reads_some_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "MOST_GROUPS", 5)
    pq.write_table(
        pa.table({"id": range(4000), "vector": list(vectors(4000))}), tmp_path / "v.parquet", row_group_size=100
    )
    counts = np.zeros(40)
    with open_store(tmp_path / "v.parquet") as store:
        for seed in range(150):
            sample = store.sample(50, np.random.default_rng(seed))
            groups = np.array([int(each) // 100 for each in sample.ids])
            assert sample.clustered
            assert len(set(sample.ids)) == 50
            assert len(set(groups)) <= 5
            counts += np.bincount(groups, minlength=40)
    assert counts.min() > 40  # 187 expected a group; drawn by fives, the deviation is 42


def mixed(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": [1, 2, 3]}\n')


def missing(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": null}\n')


def kinds(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": "soon"}\n')


def pickled(path):
    np.savez(path, vectors=np.ones((2, 2)), id=np.array([{}, {}], dtype=object))


def uneven(path):
    np.savez(path, vectors=np.ones((2, 2)), id=np.arange(3))


def torn(path):
    pq.write_table(pa.table({"vector": list(vectors(9))}), path)
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("mixed.jsonl", mixed, "vectors of 2, 3 numbers; expected lists of one length"),
        ("missing.jsonl", missing, "no vector in 1 of 2 rows read, first in row 1"),
        ("kinds.jsonl", kinds, "column 'vector' mixes kinds of values"),
        ("broken.jsonl", lambda p: p.write_text('{"vector": [1, 2]}\n{"vec'), "line 2 is not JSON"),
        ("list.jsonl", lambda p: p.write_text("[1, 2]\n"), "line 1 holds a list"),
        ("repr.csv", lambda p: p.write_text("id,vector\n1,[0.1 0.2]\n"), r"holds '\[0.1 0.2\]'; expected a list"),
        ("hole.csv", lambda p: p.write_text("v0,v1\n1,2\n1,\n"), "no vector in 1 of 2 rows"),
        ("none.csv", lambda p: p.write_text("id,text\n1,a\n"), "columns id, text, none with lists of numbers"),
        ("pickled.npz", pickled, "holds no plain arrays"),
        ("uneven.npz", uneven, "arrays of different lengths"),
        ("torn.parquet", torn, "is not a parquet file"),
        ("junk.arrow", lambda p: p.write_bytes(b"ARROW1" * 9), "is not a whole Arrow file"),
        ("v.npy", lambda p: p.with_suffix(".npz").write_bytes(b"") or p.write_bytes(b"PK"), "not a plain .npy"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, make, message):
    make(tmp_path / name)
    with pytest.raises(InputError, match=message), open_store(tmp_path / name) as store:
        store.sample(9, rng())


def test_lengths_that_change_far_into_a_file_are_seen_in_batches(tmp_path):
    lines = [{"vector": [1, 2] if row < 6 else [1, 2, 3]} for row in range(9)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with open_store(tmp_path / "v.jsonl") as store:
        batches = store.batches(3)
        assert [next(batches).num_rows, next(batches).num_rows] == [3, 3]
        with pytest.raises(InputError, match="vectors of 2 and then of 3 numbers"):
            next(batches)


def test_hdf5_that_is_cut_or_holds_no_matrix(tmp_path):
    h5py = pytest.importorskip("h5py")
    (tmp_path / "cut.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(InputError, match="expected a whole HDF5 file"):
        open_store(tmp_path / "cut.h5")
    with h5py.File(tmp_path / "flat.h5", "w") as file:
        file["group/line"] = np.arange(5)
    with pytest.raises(InputError, match="has datasets group/line; expected one of rows and columns"):
        open_store(tmp_path / "flat.h5")
    with h5py.File(tmp_path / "none.h5", "w") as file:
        file["vectors"] = np.zeros((0, 8))
    with pytest.raises(InputError, match="is empty, with no row in vectors; expected at least one vector"):
        open_store(tmp_path / "none.h5")


def test_an_unknown_kind_names_the_known_ones():
    with pytest.raises(InputError, match="a file is named by its path alone: 'letters'"):
        open_store("parquet:letters")
    with pytest.raises(InputError, match="unknown store 'fais'"):
        open_store("fais:index.faiss")


def test_a_row_group_is_never_whole_in_memory(tmp_path):
    vectors = np.random.default_rng(0).standard_normal((40_000, 64)).astype(np.float32)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 64)
    pq.write_table(pa.table({"vector": column}), tmp_path / "one.parquet", use_dictionary=False)
    del column
    held, pool, rows = [], pa.default_memory_pool(), 0
    before = pool.bytes_allocated()
    with open_store(tmp_path / "one.parquet") as store:
        for batch in store.batches(1000):
            rows += len(batch)
            held.append(pool.bytes_allocated() - before)
    assert rows == 40_000
    assert max(held) < vectors.nbytes / 2


def test_numbered_columns_of_words_are_no_vector(tmp_path):
    (tmp_path / "v.csv").write_text("line1,line2,v0,v1\nElm Street,Springfield,0.5,1\nOak Road,Shelbyville,2,3\n")
    with open_store(tmp_path / "v.csv") as store:
        sample = store.sample(2, np.random.default_rng(0))
    assert sample.vectors.tolist() == [[0.5, 1], [2, 3]]
    assert sample.attributes["line2"] == ["Springfield", "Shelbyville"]


def test_too_many_columns_are_refused_at_once(tmp_path):
    row = {"vector": [1, 2]} | {f"key{number}": number for number in range(10_001)}
    (tmp_path / "v.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match="more than 10,000 columns"):
        open_store(tmp_path / "v.jsonl")


def test_columns_that_begin_late_in_lines_are_found(tmp_path):
    rows = [{"vector": [1.0, row], "note": None, "odd": 'say ": [1, 2]"'} for row in range(400)]
    for row in rows[300:]:
        row |= {"email": "a@mail.org", "note": "late", "tags": ["x"]}
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with open_store(tmp_path / "v.jsonl") as store:
        told = store.describe()
        assert told.rows == 400
        assert set(told.columns.attributes) == {"note", "odd", "email"}
        assert told.columns.payload == ("tags",)
        sample = store.sample(400, rng())
    assert sample.attributes["email"] == [None] * 300 + ["a@mail.org"] * 100
    assert sample.attributes["note"] == [None] * 300 + ["late"] * 100
    assert sample.attributes["odd"] == ['say ": [1, 2]"'] * 400


def test_vectors_that_begin_late_in_csv_are_found(tmp_path):
    """A column of lists that is empty at first, and numbered columns with a hole where a block begins."""
    lines = [f'{row},"{[1.0, row] if row >= 300 else ""}"' for row in range(400)]
    (tmp_path / "v.csv").write_text("\n".join(["id,vector", *lines]))
    with open_store(tmp_path / "v.csv") as store, pytest.raises(InputError, match="no vector in 300 of 400 rows"):
        store.sample(400, rng())
    holes = [f"{row},{'' if row == 1024 else row}" for row in range(1100)]
    (tmp_path / "w.csv").write_text("\n".join(["v0,v1", *holes]))
    with open_store(tmp_path / "w.csv") as store, pytest.raises(InputError, match="no vector in 1 of 1100 rows"):
        store.sample(1100, rng())


def test_a_line_that_is_cut_off_is_told_wherever_it_lies(tmp_path):
    lines = [json.dumps({"vector": [1.0, row], "text": "a letter"}) for row in range(400)]
    (tmp_path / "v.jsonl").write_text("\n".join(lines)[:-5])
    with pytest.raises(InputError, match="line 400 is not JSON"):
        open_store(tmp_path / "v.jsonl")


def test_a_column_for_every_row_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.stores.arrow_rows.MOST_COLUMNS", 500)
    (tmp_path / "v.jsonl").write_text("\n".join(json.dumps({"vector": [1.0, 2], f"k{row}": 1}) for row in range(900)))
    with pytest.raises(InputError, match="more than 500 columns"):
        open_store(tmp_path / "v.jsonl")


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_a_broken_row_is_named_by_its_place_in_the_table_whatever_was_drawn(tmp_path, ending):
    table = vectors(3000)
    table[2901] = np.nan
    path = tmp_path / f"v.{ending}"
    if ending == "npy":
        np.save(path, table)
    else:
        pq.write_table(pa.table({"embedding": list(table)}), path, row_group_size=500)
    with open_store(path) as store:
        with pytest.raises(InputError, match="first in row 2901"):
            store.sample(2999, np.random.default_rng(1))
        with pytest.raises(InputError, match="first in row 2901"):
            list(store.batches(500))


def test_numbers_wider_than_64_bits_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", vectors(5).astype(np.longdouble))
    with pytest.raises(InputError, match="expected numbers of at most 64 bits"):
        open_store(tmp_path / "v.npy")
