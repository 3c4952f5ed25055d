"""Parts on an S3 server: read, written, resumed, and complete after a connection broke midway."""

import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.s3_server import Breaking, serve_s3
from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense
from vestige.engine import lock
from vestige.engine.filesystems import open_filesystem
from vestige.engine.folders import RemoteFolder
from vestige.engine.job import FolderTaken, SourceChanged
from vestige.engine.local_engine import LocalEngine
from vestige.engine.ray_engine import connect
from vestige.errors import InputError
from vestige.preflight.whole import read_whole
from vestige.protect.run import protect
from vestige.protect.treatment import Treatment
from vestige.stores.arrow_columns import as_column
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.types import silent

pytestmark = pytest.mark.slow
VECTORS = np.random.default_rng(0).normal(size=(6000, 64)).astype(np.float32)


@pytest.fixture(scope="module")
def port():
    with serve_s3("bucket") as port:
        yield port


@pytest.fixture
def proxy(port):
    proxy = Breaking(port)
    yield proxy
    proxy.close()


@pytest.fixture
def bucket(proxy, monkeypatch, tmp_path):
    """The address of a folder with vectors in six files, through the proxy."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    query = f"endpoint_override=127.0.0.1:{proxy.port}&scheme=http&region=us-east-1&allow_bucket_creation=true"
    base = f"s3://bucket/{tmp_path.name}"
    for number in range(6):
        rows = slice(1000 * number, 1000 * number + 1000)
        table = pa.table({"id": range(rows.start, rows.stop), "vector": as_column(VECTORS[rows])})
        filesystem, path = open_filesystem(f"{base}/in/{number}.parquet?{query}")
        pq.write_table(table, path, filesystem=filesystem)
    return lambda name: f"{base}/{name}?{query}"


@pytest.fixture
def fitted(tmp_path):
    save_defense(make_defense("gaussian:50").fit(VECTORS, rng=np.random.default_rng(0)), tmp_path / "fitted")
    return str(tmp_path / "fitted")


@pytest.fixture
def expected(tmp_path, fitted):
    np.save(tmp_path / "v.npy", VECTORS)
    protect(tmp_path / "v.npy", tmp_path / "expected.npy", fitted)
    return np.load(tmp_path / "expected.npy")


def read_all(source):
    with open_store(source) as store:
        return store.vectors()


def test_vectors_are_protected_from_and_to_s3(bucket, fitted, expected):
    done = protect(bucket("in"), bucket("out"), fitted)
    assert done.rows == 6000
    assert read_all(bucket("out")).tobytes() == expected.tobytes()
    names = RemoteFolder(bucket("out")).list_names()
    assert names == ["_manifest.json", *(f"part-{number:06d}.parquet" for number in range(6))]
    with pytest.raises(InputError, match=r"^s3://bucket/[^?]*out is already complete") as raised:
        protect(bucket("in"), bucket("out"), fitted)
    assert "hush" not in str(raised.value)


def test_workers_of_ray_read_and_write_s3(bucket, fitted, expected):
    pytest.importorskip("ray")
    with connect(None, 2) as engine:
        protect(bucket("in"), bucket("out"), fitted, engine=engine)
        found = read_whole(bucket("out"), Columns(), 100, 0, texts=None, engine=engine, progress=silent)
    assert read_all(bucket("out")).tobytes() == expected.tobytes()
    assert found.statistics.rows == 6000


def test_globs_and_folders_of_hive_are_read_from_s3(bucket):
    for number, year in enumerate(("2023", "2024")):
        filesystem, path = open_filesystem(bucket(f"hive/year={year}/rows.parquet"))
        table = pa.table({"id": [number], "vector": as_column(VECTORS[number : number + 1])})
        pq.write_table(table, path, filesystem=filesystem)
    with open_store(bucket("hive")) as store:
        rows = pa.Table.from_batches(store.batches(100, every_column=True))
    assert rows["year"].to_pylist() == [2023, 2024]
    assert read_all(bucket("hive/*4/*.parquet")).tobytes() == VECTORS[1:2].tobytes()
    assert read_all(bucket("in/[12].parquet")).tobytes() == VECTORS[1000:3000].tobytes()


@pytest.mark.parametrize("size", [300_000])
def test_a_connection_that_breaks_midway_leaves_complete_parts_only(bucket, proxy, fitted, expected, size):
    proxy.break_after(size, times=2)
    protect(bucket("in"), bucket("out"), fitted)
    assert proxy.broken == 2
    assert read_all(bucket("out")).tobytes() == expected.tobytes()


def test_a_server_that_cannot_be_reached_for_a_while_is_tried_again(bucket, proxy, fitted, expected, monkeypatch):
    real, moments = Treatment.apply, []

    def cut(self, rows, start):
        if not moments:
            moments.append(time.monotonic())
            proxy.break_for(4.0)
        return real(self, rows, start)

    monkeypatch.setattr(Treatment, "apply", cut)
    protect(bucket("in"), bucket("out"), fitted)
    assert time.monotonic() - moments[0] > 4
    assert proxy.broken
    assert read_all(bucket("out")).tobytes() == expected.tobytes()


def test_a_second_run_is_refused_while_the_first_writes(bucket, fitted, expected, monkeypatch):
    monkeypatch.setattr(lock, "RENEWAL", 0.5)
    real, refusals = Treatment.apply, []

    def run_again(self, rows, start):
        if not refusals:
            refusals.append("")
            with pytest.raises(InputError, match=r"another run \(process .*\) is writing s3://bucket/") as raised:
                protect(bucket("in"), bucket("out"), fitted)
            refusals[0] = str(raised.value)
        return real(self, rows, start)

    monkeypatch.setattr(Treatment, "apply", run_again)
    protect(bucket("in"), bucket("out"), fitted)
    assert refusals[0]
    assert "hush" not in refusals[0]
    assert read_all(bucket("out")).tobytes() == expected.tobytes()


def test_a_run_that_lost_its_folder_ends_and_another_resumes_it(bucket, fitted, expected, monkeypatch):
    real, starts = Treatment.apply, []

    def lose(self, rows, start):
        starts.append(start)
        if len(starts) == 3:
            RemoteFolder(bucket("out")).write(lock.LOCK, b"process 1 on another machine, abc\n0\n")
        return real(self, rows, start)

    with monkeypatch.context() as patch:
        patch.setattr(Treatment, "apply", lose)
        with pytest.raises(FolderTaken, match="another run is writing s3://bucket/"):
            protect(bucket("in"), bucket("out"), fitted, engine=LocalEngine(1))
    names = RemoteFolder(bucket("out")).list_names()
    assert [name for name in names if name.startswith("part-")] == ["part-000000.parquet", "part-000001.parquet"]
    monkeypatch.setattr(lock, "WATCH", 2.0)
    protect(bucket("in"), bucket("out"), fitted)
    assert read_all(bucket("out")).tobytes() == expected.tobytes()


@pytest.mark.parametrize("user", ["", "AKIAWRONG:hush@"])
def test_a_wrong_secret_is_explained_and_not_shown(user, monkeypatch, fitted, tmp_path):
    """From the environment, or from the address."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAWRONG")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    np.save(tmp_path / "v.npy", VECTORS)
    with serve_s3("bucket", INITIAL_NO_AUTH_ACTION_COUNT="1") as port:
        place = f"s3://{user}bucket/in?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
        with pytest.raises(InputError, match=r"^s3://bucket/in cannot be listed .*ACCESS_DENIED") as reading:
            protect(place, tmp_path / "out.npy", fitted)
        with pytest.raises(InputError, match=r"^s3://bucket/in cannot be used .*INVALID_ACCESS_KEY_ID") as writing:
            protect(tmp_path / "v.npy", place, fitted)
    assert "hush" not in f"{reading.value} {writing.value}"
    assert not (tmp_path / "out.npy").exists()


def test_a_part_that_cannot_be_written_is_named_and_the_run_resumes(bucket, fitted, expected, monkeypatch):
    real = RemoteFolder._upload

    def fail(self, scratch, name):
        if name == "part-000003.parquet":
            raise OSError("the connection was reset")
        real(self, scratch, name)

    with monkeypatch.context() as patch:
        patch.setattr(RemoteFolder, "_upload", fail)
        source, out = (bucket(name).replace("s3://", "s3://test:hush@") for name in ("in", "out"))
        with pytest.raises(
            InputError, match=r"1 of 6 parts failed repeatedly .*rows 3,000 to 3,999.*was reset"
        ) as raised:
            protect(source, out, fitted)
    assert "hush" not in str(raised.value)
    names = RemoteFolder(bucket("out")).list_names()
    assert "_manifest.json" not in names
    assert [name for name in names if name.startswith("part-")] == [f"part-00000{n}.parquet" for n in (0, 1, 2, 4, 5)]
    protect(bucket("in"), bucket("out"), fitted)
    assert read_all(bucket("out")).tobytes() == expected.tobytes()


def test_a_file_that_changes_while_it_is_read_is_named_and_nothing_remains(bucket, fitted, monkeypatch):
    real, calls = Treatment.apply, []

    def change(self, rows, start):
        calls.append(start)
        if len(calls) == 3:
            filesystem, path = open_filesystem(bucket("in/4.parquet"))
            pq.write_table(pa.table({"id": range(9), "vector": as_column(VECTORS[:9])}), path, filesystem=filesystem)
        return real(self, rows, start)

    monkeypatch.setattr(Treatment, "apply", change)
    with pytest.raises(SourceChanged, match=r"4.parquet changed while"):
        protect(bucket("in"), bucket("out"), fitted)
    assert RemoteFolder(bucket("out")).list_names() == []
