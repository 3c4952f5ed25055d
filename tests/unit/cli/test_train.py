"""The command `train`: an encoder is trained, saved and used."""

import json

import numpy as np

from tests.unit.cli.conftest import TEXTS
from vestige.attacks.prefix.saved import load_inverter
from vestige.encoders.load import load_encoder
from vestige.stores.load import read_vectors


def test_an_encoder_is_trained_saved_and_used(run, texts, tmp_path):
    folder, out = tmp_path / "saved", tmp_path / "vectors.npy"
    code, printed, _ = run("train", "tfidf", "--texts", texts, "--out", folder)
    assert code == 0
    assert f"use it with: --encoder saved:{folder}" in printed
    assert run("encode", texts, "--encoder", f"saved:{folder}", "--out", out)[0] == 0
    assert (read_vectors(out) == load_encoder(f"saved:{folder}").encode(TEXTS)).all()
    code, _, error = run("train", "tfidf", "--texts", texts, "--out", folder)
    assert code == 2
    assert "already exists" in error


def test_a_spec_that_names_a_corpus_is_refused(run, texts, tmp_path):
    code, _, error = run("train", "tfidf@speeches", "--texts", texts, "--out", tmp_path / "saved")
    assert code == 2
    assert "names a corpus, and so does --texts; use tfidf" in error


def test_adversarial_training_is_recorded_and_its_options_are_checked(run, tmp_path, monkeypatch):
    from vestige.encoders.dual.recipe import DualRecipe

    small = classmethod(lambda cls, architecture: cls(architecture, dimension=8, vocabulary_size=50, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", small)
    rows = [f'"The bank took {row}. It gave {row} back.",{"ab"[row % 2]}' for row in range(40)]
    (tmp_path / "texts.csv").write_text("\n".join(["text,author", *rows]))
    spec = ("train", "dual:lstm", "--texts", tmp_path / "texts.csv", "--unit", "text")
    options = ("--against-words", 0.1, "--against-attribute", "author=2", "--adversary", "linear")
    assert run(*spec, *options, "--out", tmp_path / "saved")[0] == 0
    recipe = json.loads((tmp_path / "saved" / "encoder.json").read_text())["settings"]["recipe"]
    assert (recipe["against_words"], recipe["against_attributes"]) == (0.1, [["author", 2.0]])
    assert recipe["adversary"]["kind"] == "linear"
    refused = {
        ("--against-attribute", "auther=2"): "has no column 'auther'; did you mean 'author'",
        ("--against-attribute", "author=-2"): "lambda of column 'author' must be a number, at least 0. Got -2 instead",
        ("--against-words", -1): "lambda of --against-words must be a number, at least 0. Got -1 instead",
    }
    for options, message in refused.items():
        code, _, error = run(*spec, *options, "--out", tmp_path / "other")
        assert (code, message in error) == (2, True)
    (tmp_path / "plain.txt").write_text("The bank took it. It gave it back.\n" * 20)
    plain = ("train", "dual:lstm", "--texts", tmp_path / "plain.txt", "--unit", "text")
    code, _, error = run(*plain, "--against-attribute", "author=2", "--out", tmp_path / "other")
    assert (code, "has texts and no column 'author'" in error) == (2, True)
    code, _, error = run("train", "tfidf", *spec[2:], "--against-words", 1, "--out", tmp_path / "other")
    assert (code, "'tfidf' cannot be trained against an adversary" in error) == (2, True)
    assert not (tmp_path / "other").exists()


def test_an_inverter_is_trained_saved_and_used_by_an_audit(run, tmp_path, monkeypatch):
    from vestige.attacks.prefix.inverter import PrefixDecoder
    from vestige.case import inverter

    monkeypatch.setattr(inverter, "PrefixDecoder", lambda **given: PrefixDecoder(width=32, layers=1, **given))
    rng = np.random.default_rng(0)
    words = ["bank", "loan", "card", "clerk", "debt", "late", "fee", "call", "money", "house"]
    lines = [" ".join(rng.choice(words, 9)).capitalize() + "." for _ in range(400)]
    texts, folder, audit = tmp_path / "texts.txt", tmp_path / "inverter", tmp_path / "audit"
    texts.write_text("\n".join(lines))
    command = ("train", "glove-6b", "--inverter", "--texts", texts, "--out", folder, "--pairs", 200, "--epochs", 1)
    code, printed, _ = run(*command)
    assert code == 0
    assert f"use it with: vestige audit --inverter {folder}" in printed
    assert load_inverter(folder).encoder == "glove-6b"
    code, _, error = run(*command)
    assert (code, "already exists" in error) == (2, True)
    sizes = ("--targets", 60, "--pairs", 150, "--rewritten", 30, "--queries", 40)
    asked = ("audit", "--texts", texts, "--encoder", "glove-6b", "--probe", "sentences", "--out", audit, *sizes)
    code, _, error = run(*asked, "--inverter", folder)
    assert code == 0, error
    found = json.loads((audit / "report.json").read_text())
    assert found["settings"]["inverter"] == str(folder)
    assert "trained network" in found["findings"][0]["attack"]
    code, _, error = run(*asked[: -len(sizes) - 1], tmp_path / "other", *sizes, "--inverter", tmp_path)
    assert (code, "has no inverter.json" in error) == (2, True)


def test_private_training_states_its_epsilon_and_needs_public_texts(run, tmp_path, monkeypatch):
    from vestige.encoders.dual.recipe import DualRecipe

    small = classmethod(lambda cls, architecture: cls(architecture, dimension=8, vocabulary_size=50, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", small)
    for name, verb in (("private", "took"), ("public", "gave")):
        (tmp_path / f"{name}.txt").write_text("".join(f"The bank {verb} {row}. It is {row}.\n" for row in range(12)))
    spec = ("train", "dual:lstm", "--texts", tmp_path / "private.txt", "--unit", "text", "--dp-epsilon", 8)
    code, printed, error = run(*spec, "--dp-public", tmp_path / "public.txt", "--out", tmp_path / "saved")
    assert code == 0, error
    assert "at delta 1e-05 for every document, by 10 steps with noise" in printed
    promise = json.loads((tmp_path / "saved" / "encoder.json").read_text())["settings"]["recipe"]["privacy"]
    assert 0 < promise["epsilon"] <= 8
    refused = {
        (): "needs public texts",
        ("--dp-public", tmp_path / "public.txt", "--dp-delta", 0.2): "give a smaller one with --dp-delta",
        ("--dp-public", tmp_path / "private.txt"): "12 of 12 private texts are also among the public ones",
        ("--dp-public", tmp_path / "public.txt", "--against-words", 1): "with privacy or against an adversary",
    }
    for options, message in refused.items():
        code, _, error = run(*spec, *options, "--out", tmp_path / "other")
        assert (code, message in error) == (2, True), error
    assert not (tmp_path / "other").exists()
