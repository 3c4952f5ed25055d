import json

import numpy as np
import pytest
from safetensors.numpy import save

from tests.unit.defenses.plugin import Scaling, entry
from vestige.defenses.catalogue import DEFENSES, make_defense
from vestige.defenses.saved import _digest, compute_digest, load_defense, read_fitted_on, save_defense
from vestige.errors import InputError, NotFitted


@pytest.fixture
def saved(tmp_path, toy_pairs):
    save_defense(make_defense("pca:8").fit(toy_pairs[0][:100]), tmp_path / "saved")
    return tmp_path / "saved"


def rewrite(saved, **changes):
    """Change what a folder holds and correct its digest, as a forger would."""
    written = json.loads((saved / "defense.json").read_text()) | changes
    digest = _digest(written, (saved / "defense.safetensors").read_bytes())
    (saved / "defense.json").write_text(json.dumps({**written, "sha256": digest, **changes}))


def replace_arrays(saved, **arrays):
    (saved / "defense.safetensors").write_bytes(save(arrays))
    rewrite(saved)


def test_an_edited_setting_is_not_believed(tmp_path, toy_pairs):
    save_defense(make_defense("gaussian:50").fit(toy_pairs[0][:100]), tmp_path / "noise")
    path = tmp_path / "noise" / "defense.json"
    path.write_text(path.read_text().replace('"epsilon": 50', '"epsilon": 5'))
    assert '"epsilon": 5,' in path.read_text()
    with pytest.raises(InputError, match="was changed after it was written"):
        load_defense(tmp_path / "noise")


def test_a_folder_is_written_whole_and_for_its_owner_alone(saved):
    assert sorted(path.name for path in saved.iterdir()) == ["defense.json", "defense.safetensors"]
    assert {path.stat().st_mode & 0o777 for path in saved.iterdir()} == {0o600}
    written = json.loads((saved / "defense.json").read_text())
    assert written["version"] == 1
    assert written["defense"] == "pca"
    assert written["settings"] == {"dimension": 8}
    assert written["dimension"] == 64


def shorten(path):
    path.write_bytes(path.read_bytes()[:-4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda saved: (saved / "defense.json").unlink(), "has no defense.json; expected a folder"),
        (lambda saved: shorten(saved / "defense.json"), "is damaged .* fit the defense again"),
        (lambda saved: (saved / "defense.json").write_bytes(b"\xff\xfe"), "is damaged"),
        (lambda saved: (saved / "defense.json").write_text("[]"), "states no version"),
        (lambda saved: shorten(saved / "defense.safetensors"), "is damaged"),
        (lambda saved: (saved / "defense.safetensors").write_bytes(b""), "is damaged"),
        (lambda saved: (saved / "defense.safetensors").unlink(), "cannot be read .No such file"),
        (lambda saved: (saved / "defense.json").write_text("[" * 100_000), "is damaged"),
        (lambda saved: rewrite(saved, version=2), "is of version 2, this Vestige reads up to 1; install a newer"),
        (lambda saved: rewrite(saved, version=0), "is of version 0, .* install the Vestige that wrote it, or fit"),
        (lambda saved: rewrite(saved, version=None), "states no version"),
        (lambda saved: rewrite(saved, defense="os:system"), "unknown defense 'os:system'"),
        (lambda saved: rewrite(saved, defense="rotation"), "does not contain what"),
        (lambda saved: rewrite(saved, sha256="0" * 64), "was changed after it was written"),
        (lambda saved: rewrite(saved, dimension=32), "does not contain what"),
        (lambda saved: rewrite(saved, dimension="many"), "does not contain what"),
        (lambda saved: rewrite(saved, dimension=0), "0 columns, expected 1 to"),
        (lambda saved: rewrite(saved, dimension=10**12), "columns, expected 1 to"),
        (lambda saved: replace_arrays(saved, mean_=np.full(64, np.nan), components_=np.eye(64, 8)), "NaN or infinity"),
        (lambda saved: rewrite(saved, settings={"dimension": 0}), "must be a whole number"),
        (lambda saved: rewrite(saved, settings={"transform": 0}), "does not contain what"),
        (lambda saved: rewrite(saved, settings=[]), "does not contain what"),
        (lambda saved: replace_arrays(saved, mean_=np.zeros(64)), "does not contain what"),
        (
            lambda saved: replace_arrays(saved, mean_=np.zeros(64), transform=np.zeros(64)),
            "does not contain what",
        ),
    ],
)
def test_a_damaged_folder_is_refused(saved, change, message):
    change(saved)
    with pytest.raises(InputError, match=message):
        load_defense(saved)


def test_noise_of_an_older_version_is_refused_and_not_drawn_again(saved, toy_pairs, tmp_path):
    """An older mechanism drew other noise: a table defended again would show two draws of a row."""
    save_defense(make_defense("gaussian:50").fit(toy_pairs[0][:100]), tmp_path / "noise")
    assert json.loads((tmp_path / "noise" / "defense.json").read_text())["version"] == 3
    rewrite(tmp_path / "noise", version=2)
    with pytest.raises(InputError, match=r"is of version 2, this Vestige uses 3 .* other bytes .* fit the defense"):
        load_defense(tmp_path / "noise")
    assert load_defense(saved).version == 1, "other defenses can still be read"


def test_an_existing_folder_is_not_overwritten(saved):
    with pytest.raises(InputError, match="already exists"):
        save_defense(load_defense(saved), saved)


def test_only_fitted_and_registered_defenses_are_saved(tmp_path):
    with pytest.raises(NotFitted, match="cannot be saved before fit"):
        save_defense(make_defense("binary"), tmp_path / "saved")

    with pytest.raises(InputError, match="plugin:Scaling is no registered defense"):
        save_defense(Scaling().fit(np.eye(3)), tmp_path / "saved")


@pytest.mark.parametrize("spec", ["leace", "pq:8,bits=4"])
def test_a_saved_defense_is_used_without_the_library_that_fitted_it(spec, toy_pairs, tmp_path, monkeypatch):
    pytest.importorskip("concept_erasure" if spec == "leace" else "faiss")
    vectors = toy_pairs[0][:100]
    fitted = make_defense(spec).fit(vectors, np.arange(100) % 2, rng=np.random.default_rng(0))
    save_defense(fitted, tmp_path / "saved")
    for library in ("concept_erasure", "faiss"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
    monkeypatch.setattr("vestige.registry.find_spec", lambda _: None)
    assert load_defense(tmp_path / "saved").transform(vectors).tobytes() == fitted.transform(vectors).tobytes()


@pytest.mark.parametrize(
    ("spec", "changed", "message"),
    [
        ("gaussian:50", {"seed_": np.zeros(3, np.uint64)}, "a seed of uint64"),
        ("gaussian:50", {"seed_": np.zeros(4, np.float64)}, "a seed of float64"),
        ("gaussian:50", {"scale_": np.array(0.0)}, "noise of scale 0"),
        ("rotation", {"matrix_": np.zeros((64, 0), np.float32)}, "output for a vector is empty"),
        ("pq:8,bits=2", {"centroids_": np.zeros((4, 4, 8), np.float32)}, "centroids of shape"),
    ],
)
def test_arrays_that_cannot_have_been_learned_are_refused(spec, changed, message, toy_pairs, tmp_path):
    save_defense(make_defense(spec).fit(toy_pairs[0][:200]), tmp_path / "saved")
    whole = load_defense(tmp_path / "saved")
    replace_arrays(tmp_path / "saved", **{name: getattr(whole, name) for name in whole.learned} | changed)
    with pytest.raises(InputError, match=message):
        load_defense(tmp_path / "saved")


def test_the_digest_of_the_vectors_is_stored_if_given(tmp_path):
    fitted = make_defense("binary").fit(np.eye(3))
    save_defense(fitted, tmp_path / "with", fitted_on="abc")
    save_defense(fitted, tmp_path / "without")
    assert json.loads((tmp_path / "with" / "defense.json").read_text())["fitted_on"] == "abc"
    assert (read_fitted_on(tmp_path / "with"), read_fitted_on(tmp_path / "without")) == ("abc", None)
    assert compute_digest(load_defense(tmp_path / "with")) == compute_digest(load_defense(tmp_path / "without"))


def test_a_plugin_is_saved_under_its_name_and_loaded_again(tmp_path, monkeypatch):
    found = [entry("scaling", "tests.unit.defenses.plugin:Scaling")]
    with monkeypatch.context() as patch:
        patch.setattr("vestige.registry.entry_points", lambda group: found if group == "vestige.defenses" else [])
        patch.delitem(vars(DEFENSES), "entries", raising=False)
        save_defense(make_defense("scaling:3").fit(np.eye(3)), tmp_path / "saved")
        assert json.loads((tmp_path / "saved" / "defense.json").read_text())["defense"] == "scaling"
        np.testing.assert_array_equal(load_defense(tmp_path / "saved").transform([[1, 2, 3]]), [[3, 6, 9]])
        vars(DEFENSES).pop("entries")
    with pytest.raises(InputError, match="unknown defense 'scaling'"):
        load_defense(tmp_path / "saved")
