import json

import numpy as np
import pytest
from safetensors.numpy import save

from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import FixedMap
from vestige.defenses.saved import load_defense, save_defense
from vestige.errors import InputError, NotFitted


@pytest.fixture
def kept(tmp_path, toy_pairs):
    save_defense(make_defense("pca:8").fit(toy_pairs[0][:100]), tmp_path / "kept")
    return tmp_path / "kept"


def rewrite(kept, **changes):
    written = json.loads((kept / "defense.json").read_text())
    (kept / "defense.json").write_text(json.dumps({**written, **changes}))


def replace_arrays(kept, **arrays):
    import hashlib

    content = save(arrays)
    (kept / "defense.safetensors").write_bytes(content)
    rewrite(kept, sha256=hashlib.sha256(content).hexdigest())


def test_a_folder_is_written_whole_and_for_its_owner_alone(kept):
    assert sorted(path.name for path in kept.iterdir()) == ["defense.json", "defense.safetensors"]
    assert {path.stat().st_mode & 0o777 for path in kept.iterdir()} == {0o600}
    written = json.loads((kept / "defense.json").read_text())
    assert written["version"] == 1
    assert written["defense"] == "pca"
    assert written["settings"] == {"dimension": 8}
    assert written["dimension"] == 64


def shorten(path):
    path.write_bytes(path.read_bytes()[:-4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda kept: (kept / "defense.json").unlink(), "has no defense.json; expected a folder"),
        (lambda kept: shorten(kept / "defense.json"), "is damaged .* fit the defense again"),
        (lambda kept: (kept / "defense.json").write_bytes(b"\xff\xfe"), "is damaged"),
        (lambda kept: (kept / "defense.json").write_text("[]"), "states no version"),
        (lambda kept: shorten(kept / "defense.safetensors"), "is damaged"),
        (lambda kept: (kept / "defense.safetensors").write_bytes(b""), "is damaged"),
        (lambda kept: (kept / "defense.safetensors").unlink(), "cannot be read .No such file"),
        (lambda kept: (kept / "defense.json").write_text("[" * 100_000), "is damaged"),
        (lambda kept: rewrite(kept, version=2), "is of version 2, this Vestige reads up to 1; install a newer"),
        (lambda kept: rewrite(kept, version=0), "is of version 0, .* install the Vestige that wrote it, or fit"),
        (lambda kept: rewrite(kept, version=None), "states no version"),
        (lambda kept: rewrite(kept, defense="os:system"), "unknown defense 'os:system'"),
        (lambda kept: rewrite(kept, defense="rotation"), "does not hold what it should"),
        (lambda kept: rewrite(kept, sha256="0" * 64), "is not what defense.json was written with"),
        (lambda kept: rewrite(kept, dimension=32), "does not hold what it should"),
        (lambda kept: rewrite(kept, dimension="many"), "does not hold what it should"),
        (lambda kept: rewrite(kept, dimension=0), "0 columns, expected 1 to"),
        (lambda kept: rewrite(kept, dimension=10**12), "columns, expected 1 to"),
        (lambda kept: replace_arrays(kept, mean_=np.full(64, np.nan), components_=np.eye(64, 8)), "NaN or infinity"),
        (lambda kept: rewrite(kept, settings={"dimension": 0}), "must be a whole number"),
        (lambda kept: rewrite(kept, settings={"transform": 0}), "does not hold what it should"),
        (lambda kept: rewrite(kept, settings=[]), "does not hold what it should"),
        (lambda kept: replace_arrays(kept, mean_=np.zeros(64)), "does not hold what it should"),
        (lambda kept: replace_arrays(kept, mean_=np.zeros(64), transform=np.zeros(64)), "does not hold what it should"),
    ],
)
def test_damage_is_named(kept, change, message):
    change(kept)
    with pytest.raises(InputError, match=message):
        load_defense(kept)


def test_noise_of_an_older_kind_is_refused_and_not_drawn_anew(kept, toy_pairs, tmp_path):
    """An older mechanism drew other noise: defending a table again, a row would be there in two draws."""
    save_defense(make_defense("gaussian:50").fit(toy_pairs[0][:100]), tmp_path / "noise")
    assert json.loads((tmp_path / "noise" / "defense.json").read_text())["version"] == 3
    rewrite(tmp_path / "noise", version=2)
    with pytest.raises(InputError, match=r"is of version 2, .* other bytes .* fit the defense again"):
        load_defense(tmp_path / "noise")
    assert load_defense(kept).version == 1, "what was not changed is read on"


def test_a_folder_that_is_there_is_not_written_over(kept):
    with pytest.raises(InputError, match="is there already"):
        save_defense(load_defense(kept), kept)


def test_only_what_was_fitted_and_can_be_found_again_is_saved(tmp_path):
    with pytest.raises(NotFitted, match="was to be saved before fit"):
        save_defense(make_defense("binary"), tmp_path / "kept")

    class Own(FixedMap):
        def _learn(self, *_):
            pass

        def _map(self, vectors):
            return vectors

    with pytest.raises(InputError, match="is not in the catalogue"):
        save_defense(Own().fit(np.eye(3)), tmp_path / "kept")


@pytest.mark.parametrize("spec", ["leace", "pq:8,bits=4"])
def test_a_saved_defense_is_used_without_the_library_that_fitted_it(spec, toy_pairs, tmp_path, monkeypatch):
    pytest.importorskip("concept_erasure" if spec == "leace" else "faiss")
    vectors = toy_pairs[0][:100]
    fitted = make_defense(spec).fit(vectors, np.arange(100) % 2, rng=np.random.default_rng(0))
    save_defense(fitted, tmp_path / "kept")
    for library in ("concept_erasure", "faiss"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
    monkeypatch.setattr("vestige.registry.find_spec", lambda _: None)
    assert load_defense(tmp_path / "kept").transform(vectors).tobytes() == fitted.transform(vectors).tobytes()


@pytest.mark.parametrize(
    ("spec", "changed", "message"),
    [
        ("gaussian:50", {"seed_": np.zeros(3, np.uint64)}, "a seed of uint64"),
        ("gaussian:50", {"seed_": np.zeros(4, np.float64)}, "a seed of float64"),
        ("gaussian:50", {"scale_": np.array(0.0)}, "noise of no length"),
        ("rotation", {"matrix_": np.zeros((64, 0), np.float32)}, "makes no numbers"),
        ("pq:8,bits=2", {"centroids_": np.zeros((4, 4, 8), np.float32)}, "centroids of shape"),
    ],
)
def test_arrays_that_cannot_have_been_learned_are_refused(spec, changed, message, toy_pairs, tmp_path):
    save_defense(make_defense(spec).fit(toy_pairs[0][:200]), tmp_path / "kept")
    whole = load_defense(tmp_path / "kept")
    replace_arrays(tmp_path / "kept", **{name: getattr(whole, name) for name in whole.learned} | changed)
    with pytest.raises(InputError, match=message):
        load_defense(tmp_path / "kept")
