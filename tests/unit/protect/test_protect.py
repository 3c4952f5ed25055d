import errno
import fcntl
import os
import signal
from concurrent.futures import Future
from multiprocessing import get_context
from threading import Event

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.defenses.saved import load_defense, save_defense
from vestige.errors import InputError
from vestige.protect import arrays, cores, direct, growing, tables
from vestige.protect.run import protect
from vestige.stores.read import read_vectors
from vestige.stores.store import Store

SPECS = ["rounding:2", "rotation", "pca:16", "gaussian:50"]


@pytest.fixture(scope="module")
def vectors():
    return WordSum().encode(toy_corpus(1500).texts)


@pytest.fixture
def source(tmp_path, vectors, request):
    """The vectors as .npy, or as parquet among other columns."""
    path = tmp_path / f"vectors.{getattr(request, 'param', 'npy')}"
    if path.suffix == ".npy":
        np.save(path, vectors)
    else:
        table = {
            "id": range(len(vectors)),
            "embedding": list(vectors),
            "text": ["some text"] * len(vectors),
            "tags": [["a", "b"]] * len(vectors),
        }
        pq.write_table(pa.table(table), path, row_group_size=400)
    return path


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 1)
    monkeypatch.setattr(growing, "CHECKPOINT_BYTES", 1)
    for room in (growing, cores):
        monkeypatch.setattr(room, "ThreadPoolExecutor", AtOnce)
    monkeypatch.setattr(tables, "BLOCK_VALUES", 200 * 64)


class AtOnce:
    """An executor that does its work when told to, so that a test knows what is in the ledger."""

    def __init__(self, max_workers):
        assert max_workers > 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, work, *given):
        done = Future()
        done.set_result(work(*given))
        return done

    def shutdown(self):
        pass


def kept_defense(folder, vectors, spec):
    save_defense(make_defense(spec).fit(vectors, rng=np.random.default_rng(0)), folder)
    return str(folder)


def killed_at(row, source, out, defense):
    """Protect in a process of its own, which is killed when it comes to a block with this row or a later one."""

    def work():
        real = Defense.transform

        def transform(self, vectors, *, start=0):
            if start + len(vectors) > row:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(self, vectors, start=start)

        Defense.transform = transform
        protect(source, out, defense)

    process = get_context("fork").Process(target=work)
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.usefixtures("small_blocks")
def test_what_is_written_is_what_the_defense_gives(source, ending, spec, vectors, tmp_path):
    out = tmp_path / f"out.{ending}"
    defense = kept_defense(tmp_path / "kept", vectors, spec)
    done = protect(source, out, defense)
    wanted = load_defense(tmp_path / "kept").transform(vectors)
    assert read_vectors(out).tobytes() == wanted.tobytes()
    assert (done.rows, done.columns) == wanted.shape
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["kept", out.name, source.name])


@pytest.mark.parametrize("spec", SPECS)
def test_every_core_at_once_gives_the_bytes_of_one(source, spec, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 1)
    monkeypatch.setattr(growing, "CHECKPOINT_BYTES", 2**17)
    monkeypatch.setattr(cores, "cpu_count", lambda: 3)
    protect(source, tmp_path / "out.npy", kept_defense(tmp_path / "kept", vectors, spec))
    wanted = load_defense(tmp_path / "kept").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == wanted.tobytes()


def test_a_system_that_cannot_be_told_to_drop_pages_gives_the_same_bytes(source, vectors, tmp_path, monkeypatch):
    monkeypatch.delattr("os.posix_fadvise")
    protect(source, tmp_path / "out.npy", kept_defense(tmp_path / "kept", vectors, "rotation"))
    wanted = load_defense(tmp_path / "kept").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == wanted.tobytes()


@pytest.mark.parametrize("refused", ["unknown", "opening", "by doing", "never"])
@pytest.mark.parametrize("columns", [64, 63])
def test_a_place_that_knows_no_way_past_the_cache_gets_the_same_bytes(refused, columns, vectors, tmp_path, monkeypatch):
    source = tmp_path / "vectors.npy"
    np.save(source, vectors[:, :columns])
    defense = kept_defense(tmp_path / "kept", vectors[:, :columns], "rotation")
    if refused == "unknown":
        monkeypatch.setattr(direct, "O_DIRECT", None)
    elif refused == "opening":
        monkeypatch.setattr(direct, "O_DIRECT", os.O_DIRECT | os.O_CREAT | os.O_EXCL)
    straight = []

    def counting(real):
        def done(file, content, place):
            if fcntl.fcntl(file, fcntl.F_GETFL) & os.O_DIRECT:
                if refused == "by doing":
                    raise OSError(errno.EINVAL, "not here")
                straight.append(real)
            return real(file, content, place)

        return done

    ways = {os.preadv, os.pwrite}
    for way in ways:
        monkeypatch.setattr(os, way.__name__, counting(way))
    protect(source, tmp_path / "out.npy", defense)
    wanted = load_defense(tmp_path / "kept").transform(vectors[:, :columns])
    assert np.load(tmp_path / "out.npy").tobytes() == wanted.tobytes()
    can = refused == "never" and direct._opened(source, os.O_RDONLY) is not None
    assert set(straight) == (ways if can else set())


def test_a_full_disk_is_told_as_one_past_the_cache_too(source, vectors, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    defense = kept_defense(tmp_path / "kept", vectors, "rotation")
    monkeypatch.setattr("os.pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        protect(source, tmp_path / "out.npy", defense)
    assert not (tmp_path / "out.npy").exists()


def test_what_every_core_gives_comes_in_order_and_so_do_errors(monkeypatch):
    monkeypatch.setattr(cores, "cpu_count", lambda: 2)
    first_waits = Event()

    def work(number):
        if number == 0:
            assert first_waits.wait(timeout=60), "the second was never begun"
        first_waits.set()
        return 10 // (7 - number)

    collected = cores.on_every_core(work, range(20))
    assert [next(collected) for _ in range(7)] == [10 // (7 - number) for number in range(7)]
    with pytest.raises(ZeroDivisionError):
        next(collected)


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("spec", ["rounding:2", "rotation", "gaussian:50"])
@pytest.mark.usefixtures("small_blocks")
def test_killed_and_run_again_it_gives_the_same_bytes(source, ending, spec, vectors, tmp_path, monkeypatch):
    whole, out = tmp_path / f"whole.{ending}", tmp_path / f"out.{ending}"
    defense = kept_defense(tmp_path / "kept", vectors, spec)
    protect(source, whole, defense)
    assert killed_at(900, source, out, defense) == -signal.SIGKILL
    assert not out.exists()
    assert (tmp_path / f".{out.name}.parts").is_dir()
    real, starts = Defense.transform, []
    monkeypatch.setattr(
        Defense, "transform", lambda self, rows, *, start=0: starts.append(start) or real(self, rows, start=start)
    )
    protect(source, out, defense)
    assert min(start for start in starts if start) >= 700, "what was there was not done again"
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / f".{out.name}.parts").exists()


@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_nothing_is_taken_over_from_another_defense_or_other_vectors(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    for spec in ("rounding:1", "rounding:2"):
        kept_defense(tmp_path / spec[-1], vectors, spec)
    killed_at(900, source, out, str(tmp_path / "1"))
    protect(source, out, str(tmp_path / "2"))
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "2").transform(vectors).tobytes()
    out.unlink()
    killed_at(900, source, out, str(tmp_path / "1"))
    other = vectors[::-1]
    np.save(source, other) if source.suffix == ".npy" else pq.write_table(pa.table({"vector": list(other)}), source)
    os.utime(source, (1, 1))
    protect(source, out, str(tmp_path / "1"))
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "1").transform(other).tobytes()


@pytest.mark.usefixtures("small_blocks")
def test_rows_that_a_ledger_promises_and_a_file_lacks_are_done_again(source, vectors, tmp_path):
    out, defense = tmp_path / "out.npy", kept_defense(tmp_path / "kept", vectors, "rounding:2")
    killed_at(900, source, out, defense)
    (tmp_path / ".out.npy.parts" / "whole").write_bytes(b"short")
    protect(source, out, defense)
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "kept").transform(vectors).tobytes()


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
def test_other_columns_stay_as_they_were_in_their_order(source, tmp_path):
    out = tmp_path / "out.parquet"
    assert protect(source, out, "pca:8").others == ("id", "text", "tags")
    before, after = pq.read_table(source), pq.read_table(out)
    assert after.column_names == before.column_names
    assert after.drop(["embedding"]) == before.drop(["embedding"])
    assert after.schema.field("embedding").type == pa.list_(pa.float32(), 8)


@pytest.mark.parametrize("kind", [np.float16, np.float64, ">f4", np.int8])
def test_numbers_of_any_kind_and_order_come_out_single(kind, vectors, tmp_path):
    for name, order in (("rows", "C"), ("columns", "F")):
        given = np.asarray(vectors * 50, kind, order=order)
        np.save(tmp_path / f"{name}.npy", given)
        protect(tmp_path / f"{name}.npy", tmp_path / f"{name}-out.npy", "rounding:1")
        wanted = make_defense("rounding:1").fit(given).transform(given)
        assert np.load(tmp_path / f"{name}-out.npy").tobytes() == wanted.tobytes()


def test_a_spec_that_learns_is_fitted_kept_and_used_again(source, vectors, tmp_path):
    out, keep = tmp_path / "out.npy", tmp_path / "out.npy.defense"
    assert protect(source, out, "gaussian:50").defense == keep
    first = out.read_bytes()
    assert np.load(out).tobytes() == load_defense(keep).transform(vectors).tobytes()
    out.unlink()
    protect(source, out, "gaussian:50")
    assert out.read_bytes() == first, "the same command gives the same bytes"
    out.unlink()
    with pytest.raises(InputError, match="holds another defense than 'gaussian:51'; name that folder"):
        protect(source, out, "gaussian:51")
    assert protect(source, tmp_path / "plain.npy", "rounding:2").defense is None
    assert not (tmp_path / "plain.npy.defense").exists()


@pytest.mark.usefixtures("small_blocks")
def test_a_row_that_cannot_be_used_is_named_by_its_place_in_the_file(source, vectors, tmp_path):
    broken = vectors.copy()
    broken[1234, 5] = np.nan
    np.save(source, broken)
    for spec in ("rounding:2", "gaussian:50"):
        defense = kept_defense(tmp_path / spec, vectors, spec)
        with pytest.raises(InputError, match=r"vectors.npy: .* hold NaN or infinity, the first in row 1234"):
            protect(source, tmp_path / "out.npy", defense)
    with pytest.raises(InputError, match="NaN or infinite values in 1 of 1500 rows read, first in row 1234"):
        protect(source, tmp_path / "out.npy", "gaussian:50")
    with pytest.raises(InputError, match=r"NaN or infinite values in 1 of .* rows read, first in row 1234"):
        protect(source, tmp_path / "out.parquet", defense)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gaussian:50", "rounding:2", source.name]


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_a_store_that_is_lost_on_the_way_is_gone_on_with(source, tmp_path, monkeypatch):
    """Only rows that cannot be used make what was done useless: blocks and their defense stay for the next run."""
    real, out = Store.batches, tmp_path / "out.npy"

    def lost(self, *given, **more):
        yield next(real(self, *given, **more))
        raise InputError("the connection is lost; try again")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "batches", lost)
        with pytest.raises(InputError, match="connection is lost"):
            protect(source, out, "gaussian:50")
    first = next((tmp_path / ".out.npy.parts").glob("*.arrow")).read_bytes()
    kept = load_defense(tmp_path / "out.npy.defense")
    protect(source, out, "gaussian:50")
    assert first
    assert np.load(out).tobytes() == kept.transform(read_vectors(source)).tobytes()


def test_what_no_encoder_makes_is_protected_where_the_defense_can(source, vectors, tmp_path):
    """Zeros, and one vector over and over; but a law of directions needs one."""
    odd = np.ones_like(vectors)
    odd[7] = 0
    np.save(source, odd)
    protect(source, tmp_path / "out.npy", "gaussian:50")
    with pytest.raises(InputError, match=r"vectors.npy: the vector in row 7 is nothing but zeros"):
        protect(source, tmp_path / "other.npy", "vmf:50")
    assert not list(tmp_path.glob("*other*")), "neither parts nor a defense are left"


def test_a_defense_that_lies_there_serves_the_vectors_that_it_was_fitted_on(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    protect(source, out, "int8")
    out.unlink()
    np.save(source, 10 * vectors)
    with pytest.raises(InputError, match=r"out.npy.defense was fitted on other vectors; name that folder"):
        protect(source, out, "int8")
    protect(source, out, str(tmp_path / "out.npy.defense"))


@pytest.mark.parametrize("ledger", [b"", b"{}", b"[]", b'{"work": 1, "rows": "many"}'])
def test_a_damaged_ledger_counts_as_none(source, vectors, tmp_path, ledger):
    parts = tmp_path / ".out.npy.parts"
    parts.mkdir()
    (parts / growing.LEDGER).write_bytes(ledger)
    protect(source, tmp_path / "out.npy", "rounding:2")
    assert np.load(tmp_path / "out.npy").shape == vectors.shape


def test_one_row_of_either_order_is_read(tmp_path, vectors):
    path = tmp_path / "one.npy"
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": True, "shape": (1, 64)})
        file.write(vectors[:1].tobytes())
    protect(path, tmp_path / "out.npy", "rounding:2")
    assert np.load(tmp_path / "out.npy").tolist() == np.round(vectors[:1], 2).tolist()


def test_a_full_disk_is_told_before_the_work(source, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(InputError, match=r"0 MiB are free there; name another place"):
        protect(source, tmp_path / "out.npy", "rounding:2")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]
