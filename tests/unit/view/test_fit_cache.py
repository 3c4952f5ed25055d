"""Fits on disk: found again by what they depend on, never used if damaged, and bounded in size."""

import json
import os

import numpy as np
import pytest

from vestige.view.fit_cache import FitCache

FITTED = {"queried": None, "base": np.arange(1000.0), "words": ("bank", 0.5)}


@pytest.fixture
def cache(tmp_path):
    return FitCache(tmp_path / "fits")


def test_what_was_written_is_read(cache):
    assert cache.read("key") is None
    cache.write("key", FITTED)
    found = cache.read("key")
    assert (found["base"] == FITTED["base"]).all()
    assert found["words"] == FITTED["words"]
    assert [path.stat().st_mode & 0o77 for path in cache.folder.iterdir()] == [0, 0], "only the owner may read them"


def test_a_key_depends_on_every_part(cache):
    assert cache.build_key("words", 1) == cache.build_key("words", 1)
    assert len({cache.build_key(*parts) for parts in (("words", 1), ("words", 2), ("labels", 1))}) == 3


def damage_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [damage_byte, lambda path: path.write_bytes(b""), lambda path: path.write_bytes(path.read_bytes()[:-9])],
    ids=["a bit", "empty", "cut"],
)
@pytest.mark.parametrize("ending", [".json", ".safetensors"])
def test_a_damaged_fit_is_made_again(cache, damage, ending, caplog):
    cache.write("key", FITTED)
    damage(cache.folder / f"key{ending}")
    assert cache.read("key") is None
    assert "it is fitted again" in caplog.text


def test_a_half_that_is_missing_is_no_fit(cache):
    cache.write("key", FITTED)
    (cache.folder / "key.safetensors").unlink()
    assert cache.read("key") is None


def test_a_deep_or_strange_state_is_not_used(cache):
    cache.write("key", FITTED)
    state = cache.folder / "key.json"
    for strange in ("[" * 100_000, json.dumps({"sha256": "", "fitted": []}), "[]", '{"fitted": 1}'):
        state.write_text(strange)
        assert cache.read("key") is None


def test_the_fits_that_were_used_least_recently_go_first(cache):
    cache.write("a", FITTED)
    size = sum(path.stat().st_size for path in cache.folder.iterdir())
    small = FitCache(cache.folder, most_bytes=2 * size + size // 2)
    small.write("b", FITTED)
    for age, key in enumerate(("b", "a")):
        os.utime(cache.folder / f"{key}.json", (1000 + age, 1000 + age))
    small.write("c", FITTED)
    assert [small.read(key) is not None for key in ("a", "b", "c")] == [True, False, True]
    FitCache(cache.folder, most_bytes=1).write("d", FITTED)
    assert sorted(path.stem for path in cache.folder.glob("*.json")) == ["d"], "the newest stays"


def test_a_full_disk_costs_only_time(cache, monkeypatch, caplog):
    def fail(_contents):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vestige.view.fit_cache.write_together", fail)
    cache.write("key", FITTED)
    assert cache.read("key") is None
    assert "the next start fits it again" in caplog.text
