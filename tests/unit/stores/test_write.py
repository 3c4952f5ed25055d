import numpy as np
import pyarrow as pa
import pytest

from vestige.errors import InputError
from vestige.stores.load import read_vectors
from vestige.stores.write import write_tables, write_vectors

BLOCKS = [np.arange(1, 13, dtype=np.float32).reshape(4, 3), np.full((2, 3), 0.5, dtype=np.float32)]


@pytest.mark.parametrize("ending", [".npy", ".parquet"])
def test_what_is_written_is_read_back(tmp_path, ending):
    path = tmp_path / f"vectors{ending}"
    write_vectors(path, BLOCKS, total=6, scratch=tmp_path / "whole")
    assert (read_vectors(path) == np.concatenate(BLOCKS)).all()
    assert path.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "whole").exists()


@pytest.mark.parametrize("ending", [".npy", ".parquet"])
def test_a_failure_half_way_leaves_the_old_file(tmp_path, ending):
    path = tmp_path / f"vectors{ending}"
    path.write_bytes(b"old")

    def broken():
        yield BLOCKS[0]
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        write_vectors(path, broken(), total=6, scratch=tmp_path / "whole")
    assert path.read_bytes() == b"old"


def test_places_where_no_vectors_go(tmp_path):
    with pytest.raises(InputError, match=r"ends in '.csv'; expected a file of vectors, one of .npy, .parquet"):
        write_vectors(tmp_path / "vectors.csv", BLOCKS, total=6, scratch=tmp_path / "whole")
    (tmp_path / "folder.npy").mkdir()
    with pytest.raises(InputError, match="is a folder; expected a file to write"):
        write_vectors(tmp_path / "folder.npy", BLOCKS, total=6, scratch=tmp_path / "whole")
    with pytest.raises(InputError, match="would hold no vectors"):
        write_vectors(tmp_path / "vectors.npy", [], total=0, scratch=tmp_path / "whole")


@pytest.mark.parametrize("ending", [".npy", ".parquet"])
def test_blocks_that_do_not_fit_together_are_refused(tmp_path, ending):
    path = tmp_path / f"vectors{ending}"
    with pytest.raises(InputError, match="got vectors of 3 and then of 5 columns"):
        write_vectors(path, [BLOCKS[0], np.ones((2, 5), np.float32)], total=6, scratch=tmp_path / "whole")
    with pytest.raises(InputError, match="got 6 vectors for 7 texts"):
        write_vectors(path, BLOCKS, total=7, scratch=tmp_path / "whole")
    assert not path.exists()


def test_a_column_that_parquet_cannot_hold_is_an_error_of_the_input(tmp_path):
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
    table = pa.table({"odd": union})
    with pytest.raises(InputError, match=r"out.parquet cannot be written .*export the source without that column"):
        write_tables(tmp_path / "out.parquet", [lambda: table], scratch=tmp_path / "scratch")
    assert not (tmp_path / "out.parquet").exists()
