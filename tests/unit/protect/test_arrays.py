"""From .npy to .npy in blocks."""

from threading import Event

import numpy as np
import pytest

from tests.unit.protect.killed_run import save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect import arrays, checkpointed_file
from vestige.protect.run import protect


def test_results_and_errors_come_in_order(monkeypatch):
    monkeypatch.setattr(arrays, "cpu_count", lambda: 2)
    first_waits = Event()

    def work(number):
        if number == 0:
            assert first_waits.wait(timeout=60), "the second item was never started"
        first_waits.set()
        return 10 // (7 - number)

    collected = arrays.map_parallel(work, range(20))
    assert [next(collected) for _ in range(7)] == [10 // (7 - number) for number in range(7)]
    with pytest.raises(ZeroDivisionError):
        next(collected)


SPECS = ["rounding:2", "rotation", "pca:16", "gaussian:50"]


@pytest.mark.parametrize("spec", SPECS)
def test_several_cores_write_the_same_bytes_as_one(source, spec, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 1)
    monkeypatch.setattr(checkpointed_file, "CHECKPOINT_BYTES", 2**17)
    monkeypatch.setattr(arrays, "cpu_count", lambda: 3)
    protect(source, tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, spec))
    expected = load_defense(tmp_path / "fitted").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()


def test_a_system_without_posix_fadvise_writes_the_same_bytes(source, vectors, tmp_path, monkeypatch):
    monkeypatch.delattr("os.posix_fadvise")
    protect(source, tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, "rotation"))
    expected = load_defense(tmp_path / "fitted").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()


def test_a_full_disk_is_reported_before_the_work(source, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(InputError, match=r"has 0 MiB free; name another place"):
        protect(source, tmp_path / "out.npy", "rounding:2")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]
