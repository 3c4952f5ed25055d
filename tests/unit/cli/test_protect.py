import hashlib
import json
import os
import pickle

import numpy as np
import pytest

from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense


@pytest.fixture
def kept(owned):
    save_defense(make_defense("pca:8").fit(np.load(owned / "vectors.npy")), owned / "kept")
    return owned / "kept"


def rewrite(kept, **changes):
    written = json.loads((kept / "defense.json").read_text())
    (kept / "defense.json").write_text(json.dumps({**written, **changes}))


def test_vectors_are_protected_and_audited_again(vestige_command, owned, kept):
    out = owned / "out.npy"
    ran = vestige_command("protect", owned / "vectors.npy", out, "--defense", kept)
    assert ran.code == 0
    assert ran.out == (
        f"{out}: 300 vectors of 8 dimensions, by {kept}\n"
        f"the fitted defense: {kept}; use it again with --defense {kept}\n"
    )
    assert np.load(out).shape == (300, 8)


def shorten(path):
    path.write_bytes(path.read_bytes()[:-4])


class Runs:
    """What a pickle may hold: a folder is made when it is read."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda kept: shorten(kept / "defense.safetensors"), "is damaged"),
        (lambda kept: shorten(kept / "defense.json"), "is damaged"),
        (lambda kept: rewrite(kept, dimension=32), "does not hold what it should"),
        (lambda kept: rewrite(kept, version=0), "is of version 0, and this Vestige would give other bytes"),
        (lambda kept: rewrite(kept, version=9), "is of version 9, this Vestige reads up to 1; install a newer"),
        (lambda kept: rewrite(kept, defense="os:system"), "unknown defense 'os:system'"),
        (lambda kept: rewrite(kept, sha256="0"), "is not what defense.json was written with"),
        (lambda kept: (kept / "defense.safetensors").write_bytes(b"cut"), "is damaged"),
        (lambda kept: (kept / "defense.json").unlink(), "has no defense.json"),
        (lambda kept: np.save(kept.parent / "vectors.npy", np.eye(9)), "have 9 columns, and the defense in"),
        (lambda kept: (kept.parent / "out.npy").write_bytes(b"mine"), "is there already; name a file that is not"),
        (lambda kept: (kept.parent / "vectors.npy").write_bytes(b"\x93NUMPY"), "is not a plain .npy file"),
        (lambda kept: (kept.parent / "vectors.npy").unlink(), "is not there"),
    ],
)
def test_what_cannot_be_used_ends_with_code_2_and_changes_nothing(vestige_command, owned, kept, spoil, message):
    spoil(kept)
    before = {path: path.read_bytes() for path in owned.rglob("*") if path.is_file()}
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", kept)
    assert ran.code == 2
    assert message in ran.err
    assert {path: path.read_bytes() for path in owned.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["defense.json", "defense.safetensors"])
def test_a_file_from_a_stranger_runs_nothing(vestige_command, owned, kept, name):
    made, planted = owned / "made", pickle.dumps(Runs(owned / "made"))
    pickle.loads(planted)  # noqa: S301
    made.rmdir()
    (kept / name).write_bytes(planted)
    if name == "defense.safetensors":
        rewrite(kept, sha256=hashlib.sha256(planted).hexdigest())
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", kept)
    assert (ran.code, "is damaged" in ran.err) == (2, True)
    assert sorted(path.name for path in owned.iterdir()) == ["kept", "texts.txt", "vectors.npy"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("roundin:2", "did you mean 'rounding'"),
        ("leace", "learns from labels as well as from vectors; fit it in Python"),
        ("laplace:1", "set 'sensitivity'"),
        ("elsewhere/kept", "has no defense.json"),
    ],
)
def test_a_defense_that_cannot_be_had_is_told(vestige_command, owned, spec, message):
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", spec)
    assert ran.code == 2
    assert message in ran.err
    assert sorted(path.name for path in owned.iterdir()) == ["texts.txt", "vectors.npy"]
