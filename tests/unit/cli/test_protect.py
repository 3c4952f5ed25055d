"""The command `protect`: a fitted defense or a spec is applied, and bad files are refused."""

import hashlib
import json
import os
import pickle

import numpy as np
import pytest

from vestige.defenses.catalogue import find_info, make_defense
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
        f"{out}: 300 vectors of 8 dimensions, by {fitted}\n"
        "format: float32, 32 bytes per vector\n"
        f"fitted defense: {fitted} (it holds no secret)\n"
        f"search queries: vestige protect QUERIES OUT --defense {fitted} --queries\n"
        f"audit the source: vestige audit {owned / 'vectors.npy'} --texts TEXTS --out vestige-audit-before\n"
        f"audit the result: vestige audit {out} --texts TEXTS --out vestige-audit-protected\n"
        "then compare: vestige compare vestige-audit-before vestige-audit-protected\n"
    )
    assert np.load(out).shape == (300, 8)


@pytest.mark.parametrize("spec", ["pca:8", "rounding:2", "binary", "rotation", "projection:8", "gaussian:50"])
def test_only_a_defense_with_a_secret_is_called_secret(vestige_command, owned, spec):
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", spec)
    secret = find_info(spec).secret
    assert ("keep it secret" in ran.out) == bool(secret)
    assert f"keep it secret: it holds {secret}" in ran.out or not secret


def test_queries_for_a_rotated_store_find_what_they_should(vestige_command, owned):
    vectors, rotated, asked = owned / "vectors.npy", owned / "rotated.npy", owned / "queries.npy"
    folder = owned / "rotated.npy.defense"
    assert vestige_command("protect", vectors, rotated, "--defense", "rotation").code == 0
    ran = vestige_command("protect", vectors, asked, "--defense", folder, "--queries")
    assert ran.out == f"{asked}: 300 queries of 64 dimensions, by {folder}\nformat: float32, 256 bytes per vector\n"
    table = np.load(rotated)
    assert ((np.load(asked) @ table.T).argmax(axis=1) == (np.load(vectors) @ np.load(vectors).T).argmax(axis=1)).all()
    assert (np.load(vectors) @ table.T).argmax(axis=1).tolist() != list(range(300)), "untreated queries find others"


def test_queries_need_the_fitted_defense_of_the_store(vestige_command, owned):
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", "rotation", "--queries")
    assert ran.code == 2
    assert "need the fitted defense of the store they search" in ran.err
    assert sorted(path.name for path in owned.iterdir()) == ["texts.txt", "vectors.npy"]


@pytest.mark.parametrize("spec", ["binary", "int8"])
@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_an_audit_of_codes_gives_the_figures_of_an_audit_of_floats(vestige_command, owned, spec, ending):
    figures = []
    for form in ("float", "compact"):
        out = owned / form / f"out.{ending}"
        out.parent.mkdir()
        assert vestige_command("protect", owned / "vectors.npy", out, "--defense", spec, "--format", form).code == 0
        small = (
            "--probe",
            "words",
            "--targets",
            60,
            "--pairs",
            200,
            "--shortest",
            4,
            "--json",
            "--out",
            owned / "report",
        )
        ran = vestige_command("audit", out, "--texts", owned / "texts.txt", *small)
        assert ran.code == 0, ran.err
        result = json.loads(ran.out)
        figures.append((result["findings"], result["subject"]["digest"], result["subject"]["dimension"]))
    assert figures[0] == figures[1]
    assert figures[0][0]


def test_a_compact_format_needs_a_defense_that_quantises(vestige_command, owned):
    compact = ("--defense", "rotation", "--format", "compact")
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", *compact)
    assert ran.code == 2
    assert "defense 'rotation' has no compact format; expected binary or int8" in ran.err
    assert sorted(path.name for path in owned.iterdir()) == ["texts.txt", "vectors.npy"]


def test_an_earlier_audit_of_the_source_is_named(vestige_command, owned, monkeypatch):
    monkeypatch.chdir(owned)
    small = ("--probe", "words", "--targets", 60, "--pairs", 200, "--shortest", 4)
    assert vestige_command("audit", "vectors.npy", "--texts", "texts.txt", *small).code == 0
    ran = vestige_command("protect", "vectors.npy", "out.npy", "--defense", "rounding:1")
    again = "vestige audit out.npy --texts texts.txt --targets 60 --pairs 200 --shortest 4 --probe words"
    assert f"audit it again: {again} --out vestige-audit-protected\n" in ran.out
    assert ran.out.endswith("then compare: vestige compare vestige-audit vestige-audit-protected\n")
    np.save("others.npy", np.load("vectors.npy"))
    ran = vestige_command("protect", "others.npy", "out2.npy", "--defense", "rounding:1")
    assert "audit the source: vestige audit others.npy --texts TEXTS --out vestige-audit-before\n" in ran.out


def test_an_earlier_named_audit_of_the_source_is_named(vestige_command, owned, monkeypatch):
    monkeypatch.chdir(owned)
    (owned / "vestige.toml").write_text(
        "[audit.mail]\nsource = 'vectors.npy'\ntexts = 'texts.txt'\nprobe = ['words']\n"
    )
    assert vestige_command("audit", "mail", "--targets", "60", "--pairs", "200", "--shortest", "4").code == 0
    ran = vestige_command("protect", "mail", "out.npy", "--defense", "rounding:2")
    assert "audit it again: vestige audit out.npy --texts texts.txt --targets 60" in ran.out
    assert ran.out.endswith("then compare: vestige compare vestige-audit/mail vestige-audit-protected\n")


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
        (lambda fitted: rewrite(fitted, dimension=32), "was changed after it was written"),
        (lambda fitted: rewrite(fitted, version=0), "would compute other bytes from it"),
        (lambda fitted: rewrite(fitted, version=9), "is of version 9, this Vestige reads up to 1; install a newer"),
        (lambda fitted: rewrite(fitted, defense="os:system"), "unknown defense 'os:system'"),
        (lambda fitted: rewrite(fitted, sha256="0"), "the digest in defense.json is of other contents"),
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
        ("leace", "learns from labels as well as from vectors; let `vestige defend"),
        ("ppm:2@topic", "let `vestige defend --defenses ppm:2@topic` fit it"),
        ("redact:names", "redacts texts before they are encoded, and there are only vectors here"),
        ("laplace:1", "set 'sensitivity'"),
        ("another/folder", "has no defense.json"),
    ],
)
def test_an_unusable_spec_ends_with_a_message(vestige_command, owned, spec, message):
    ran = vestige_command("protect", owned / "vectors.npy", owned / "out.npy", "--defense", spec)
    assert ran.code == 2
    assert message in ran.err
    assert sorted(path.name for path in owned.iterdir()) == ["texts.txt", "vectors.npy"]
