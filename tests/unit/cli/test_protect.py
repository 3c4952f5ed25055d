"""The command `protect`: a fitted defense or a spec is applied, and bad files are refused."""

import hashlib
import json
import os
import pickle

import numpy as np
import pytest

from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense


@pytest.fixture
def fitted(owned):
    save_defense(make_defense("pca:8").fit(np.load(owned / "vectors.npy")), owned / "fitted")
    return owned / "fitted"


def rewrite(fitted, **changes):
    written = json.loads((fitted / "defense.json").read_text())
    (fitted / "defense.json").write_text(json.dumps({**written, **changes}))


def test_vectors_are_protected_and_audited_again(vestige_command, owned, fitted):
    out = owned / "out.npy"
    ran = vestige_command("protect", owned / "vectors.npy", out, "--defense", fitted)
    assert ran.code == 0
    assert ran.out == (
        f"{out}: 300 vectors of 8 dimensions, by {fitted}\nfitted defense: {fitted}; reuse it with --defense {fitted}\n"
    )
    assert np.load(out).shape == (300, 8)


def shorten(path):
    path.write_bytes(path.read_bytes()[:-4])


class Runs:
    """A pickle that makes a folder when it is loaded."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda fitted: shorten(fitted / "defense.safetensors"), "is damaged"),
        (lambda fitted: shorten(fitted / "defense.json"), "is damaged"),
        (lambda fitted: rewrite(fitted, dimension=32), "does not contain what defense.json describes"),
        (lambda fitted: rewrite(fitted, version=0), "would compute other bytes from it"),
        (lambda fitted: rewrite(fitted, version=9), "is of version 9, this Vestige reads up to 1; install a newer"),
        (lambda fitted: rewrite(fitted, defense="os:system"), "unknown defense 'os:system'"),
        (lambda fitted: rewrite(fitted, sha256="0"), "does not match the digest in defense.json"),
        (lambda fitted: (fitted / "defense.safetensors").write_bytes(b"cut"), "is damaged"),
        (lambda fitted: (fitted / "defense.json").unlink(), "has no defense.json"),
        (lambda fitted: np.save(fitted.parent / "vectors.npy", np.eye(9)), "have 9 columns, and the defense in"),
        (lambda fitted: (fitted.parent / "out.npy").write_bytes(b"mine"), "already exists; name a file that does not"),
        (lambda fitted: (fitted.parent / "vectors.npy").write_bytes(b"\x93NUMPY"), "is not a plain .npy file"),
        (lambda fitted: (fitted.parent / "vectors.npy").unlink(), "does not exist"),
    ],
)
def test_bad_input_ends_with_code_2_and_changes_nothing(vestige_command, owned, fitted, spoil, message):
    spoil(fitted)
    before = {path: path.read_bytes() for path in owned.rglob("*") if path.is_file()}
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", fitted)
    assert ran.code == 2
    assert message in ran.err
    assert {path: path.read_bytes() for path in owned.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["defense.json", "defense.safetensors"])
def test_a_planted_pickle_is_never_loaded(vestige_command, owned, fitted, name):
    made, planted = owned / "made", pickle.dumps(Runs(owned / "made"))
    pickle.loads(planted)  # noqa: S301
    made.rmdir()
    (fitted / name).write_bytes(planted)
    if name == "defense.safetensors":
        rewrite(fitted, sha256=hashlib.sha256(planted).hexdigest())
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", fitted)
    assert (ran.code, "is damaged" in ran.err) == (2, True)
    assert sorted(path.name for path in owned.iterdir()) == ["fitted", "texts.txt", "vectors.npy"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("roundin:2", "did you mean 'rounding'"),
        ("leace", "learns from labels as well as from vectors; fit it in Python"),
        ("laplace:1", "set 'sensitivity'"),
        ("another/folder", "has no defense.json"),
    ],
)
def test_an_unusable_spec_ends_with_a_message(vestige_command, owned, spec, message):
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", spec)
    assert ran.code == 2
    assert message in ran.err
    assert sorted(path.name for path in owned.iterdir()) == ["texts.txt", "vectors.npy"]
