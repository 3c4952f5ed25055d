import json
import re

import numpy as np
import pytest

from tests.endpoint_server import serve
from vestige.encoders.load import load_encoder
from vestige.stores.read import read_vectors

TEXTS = [f"The bank took {row} dollars from account{row}." for row in range(60)]


@pytest.fixture
def run(vestige_command):
    def call(*arguments):
        ran = vestige_command(*arguments)
        return ran.code, ran.out, ran.err

    return call


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS))
    return path


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_texts_become_vectors_row_by_row(run, texts, tmp_path, ending, minilm):
    out = tmp_path / f"vectors.{ending}"
    code, printed, _ = run("encode", texts, "--encoder", "minilm", "--out", out)
    assert code == 0
    assert printed == f"{out}: 60 vectors of 384 dimensions, by minilm\n"
    assert (read_vectors(out) == minilm.encode(TEXTS)).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["texts.txt", out.name]


def test_what_was_written_can_be_audited(run, tmp_path):
    out = tmp_path / "vectors.parquet"
    assert run("encode", "complaints", "--encoder", "hashing:512", "--out", out)[0] == 0
    code, printed, _ = run(
        "audit", out, "--texts", "complaints", "--targets", 60, "--pairs", 400, "--out", tmp_path / "report", "--json"
    )
    assert code == 0
    assert json.loads(printed)["subject"]["dimension"] == 512


def test_a_stopped_run_goes_on_and_ends_with_the_same_bytes(run, texts, tmp_path, monkeypatch):
    from vestige.encoders.bag_of_words import Hashing
    from vestige.stores import write

    whole, out = tmp_path / "whole.npy", tmp_path / "vectors.npy"
    run("encode", texts, "--encoder", "hashing:64", "--out", whole)

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(write, "_npy", fail)
        code, _, said = run("encode", texts, "--encoder", "hashing:64", "--out", out)
    assert code == 130
    assert "the same command goes on where it was" in said
    assert not out.exists()
    assert (tmp_path / ".vectors.npy.parts").is_dir()
    asked = []
    real = Hashing.encode
    monkeypatch.setattr(
        Hashing, "encode", lambda self, given, **more: asked.append(list(given)) or real(self, given, **more)
    )
    assert run("encode", texts, "--encoder", "hashing:64", "--out", out)[0] == 0
    assert asked == [["word"]]
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / ".vectors.npy.parts").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--encoder", "minilm", "--out", "vectors.csv"], "ends in '.csv'"),
        (["--encoder", "minlm"], "did you mean 'minilm'"),
        (["--encoder", "use", "--precision", "bf16"], "has no precision to choose"),
    ],
)
def test_bad_input_ends_with_code_2_and_leaves_nothing(run, texts, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    code, _, said = run("encode", texts, *options)
    assert code == 2
    assert message in said
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


def test_texts_go_to_another_machine_only_when_allowed(run, texts, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    out = tmp_path / "vectors.npy"
    code, _, said = run("encode", texts, "--encoder", "openai:text-embedding-3-small", "--out", out)
    assert code == 2
    assert "would send 60 texts, about 6" in said
    assert "at list price, to api.openai.com; nothing was sent; run the same command with --send to allow it" in said
    assert "secret-key" not in said


def test_the_audit_asks_too(run, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    code, _, said = run(
        "audit", "--texts", "complaints", "--encoder", "openai:text-embedding-3-large", "--out", tmp_path / "report"
    )
    assert code == 2
    assert "would send 1" in said
    assert "nothing was sent" in said
    assert sent(run, tmp_path, "--queries", 10) - sent(run, tmp_path) > 30 * 10 + 10_000


def sent(run, tmp_path, *options):
    """How many texts an audit over a service says that it would send."""
    service = ("--encoder", "openai:text-embedding-3-large")
    _, _, said = run("audit", "--texts", "complaints", *service, "--out", tmp_path / "report", *options)
    return int(re.search(r"would send ([\d,]+) texts", said)[1].replace(",", ""))


def test_a_server_on_this_machine_needs_no_leave_and_its_count_is_told(run, texts, tmp_path, encoder):
    out = tmp_path / "vectors.npy"
    code, printed, _ = run("encode", texts, "--encoder", f"{serve(encoder)}#word-sum", "--out", out)
    assert code == 0
    assert "spent: 1 request (0 repeated), 60 texts answered" in printed
    assert np.allclose(read_vectors(out), encoder.encode(TEXTS))


def test_an_encoder_is_trained_kept_and_used(run, texts, tmp_path):
    folder, out = tmp_path / "kept", tmp_path / "vectors.npy"
    code, printed, _ = run("train", "tfidf", "--texts", texts, "--out", folder)
    assert code == 0
    assert f"use it with: --encoder saved:{folder}" in printed
    assert run("encode", texts, "--encoder", f"saved:{folder}", "--out", out)[0] == 0
    assert (read_vectors(out) == load_encoder(f"saved:{folder}").encode(TEXTS)).all()
    code, _, said = run("train", "tfidf", "--texts", texts, "--out", folder)
    assert code == 2
    assert "is there already" in said


def test_encoders_are_listed_with_what_is_missing(run, monkeypatch):
    from vestige import registry

    real = registry.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "gensim" else real(name))
    code, printed, _ = run("encoders")
    assert code == 0
    assert "not installed: pip install 'vestige[gensim]'" in printed
    assert "17 of 20 are installed" in printed
    rows = {row["encoder"]: row for row in json.loads(run("encoders", "--json")[1])}
    assert rows["word2vec"]["get"] == "pip install 'vestige[gensim]'"
    assert rows["minilm"]["installed"]
    assert rows["tfidf"]["learns"]


def test_nothing_is_written_over(run, texts):
    before = texts.read_bytes()
    named = texts.with_suffix(".parquet")
    named.write_bytes(b"mine")
    code, _, said = run("encode", texts, "--encoder", "hashing:16", "--out", named)
    assert (code, named.read_bytes(), texts.read_bytes()) == (2, b"mine", before)
    assert "is there already; name a file that is not with --out" in said


def test_a_second_run_to_the_same_place_is_turned_away(run, texts, tmp_path):
    from vestige.files import sole_user, writable_folder

    with sole_user(writable_folder(tmp_path / ".vectors.npy.parts")):
        code, _, said = run("encode", texts, "--encoder", "hashing:16", "--out", tmp_path / "vectors.npy")
    assert code == 2
    assert "another run is writing" in said


def test_half_a_surrogate_pair_is_a_question_mark(run, tmp_path, minilm):
    (tmp_path / "texts.jsonl").write_text('{"text": "one \\ud83d half"}\n{"text": "two"}\n')
    out = tmp_path / "vectors.npy"
    assert run("encode", tmp_path / "texts.jsonl", "--encoder", "minilm", "--out", out)[0] == 0
    assert (read_vectors(out) == minilm.encode(["one ? half", "two"])).all()


def test_vectors_of_a_learner_are_known_again(run, tmp_path):
    """Rows are learned from whole when rows are what was encoded."""
    (tmp_path / "letters.csv").write_text(
        "text\n" + "\n".join(f"Bank {row}. Fee{row} of loan{row}." for row in range(400))
    )
    out, letters = tmp_path / "vectors.npy", tmp_path / "letters.csv"
    assert run("encode", letters, "--encoder", "tfidf", "--out", out)[0] == 0
    options = ["--targets", 60, "--pairs", 200, "--out", tmp_path / "report"]
    assert run("audit", out, "--texts", letters, "--encoder", "tfidf", *options)[0] == 0


def test_two_corpora_are_one_too_many(run, texts, tmp_path):
    code, _, said = run("train", "tfidf@speeches", "--texts", texts, "--out", tmp_path / "kept")
    assert code == 2
    assert "names a corpus, and so does --texts; write tfidf" in said


def test_a_failure_that_kept_nothing_leaves_nothing(run, texts, tmp_path):
    code, _, said = run(
        "encode", texts, "--encoder", "http://127.0.0.1:9/v1?x=1#toy", "--out", tmp_path / "vectors.npy"
    )
    assert code == 2
    assert "carries a user or a query" in said
    code, _, _ = run("encode", texts, "--encoder", "dual:lstm", "--out", tmp_path / "vectors.npy")
    assert code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


def test_texts_without_a_known_word_are_counted(run, tmp_path):
    (tmp_path / "texts.csv").write_text("text\nthe bank\n🙂\n")
    _, printed, _ = run("encode", tmp_path / "texts.csv", "--encoder", "glove-6b", "--out", tmp_path / "vectors.npy")
    assert "1 of them are zero: glove-6b knows no word of their texts" in printed


def test_an_encoder_is_trained_against_a_reader_and_its_record_says_so(run, tmp_path, monkeypatch):
    from vestige.encoders.dual.recipe import DualRecipe

    small = classmethod(lambda cls, architecture: cls(architecture, dimension=8, vocabulary_size=50, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", small)
    rows = [f'"The bank took {row}. It gave {row} back.",{"ab"[row % 2]}' for row in range(40)]
    (tmp_path / "texts.csv").write_text("\n".join(["text,author", *rows]))
    spec = ("train", "dual:lstm", "--texts", tmp_path / "texts.csv", "--unit", "text")
    options = ("--against-words", 0.1, "--against-attribute", "author=2")
    assert run(*spec, *options, "--out", tmp_path / "kept")[0] == 0
    recipe = json.loads((tmp_path / "kept" / "encoder.json").read_text())["settings"]["recipe"]
    assert (recipe["against_words"], recipe["against_attributes"]) == (0.1, [["author", 2.0]])
    refused = {
        ("--against-attribute", "auther=2"): "has no column 'auther'; did you mean 'author'",
        ("--against-attribute", "author=-2"): "lambda of column 'author' must be a number, at least 0. Got -2 instead",
        ("--against-words", -1): "lambda of --against-words must be a number, at least 0. Got -1 instead",
    }
    for options, message in refused.items():
        code, _, said = run(*spec, *options, "--out", tmp_path / "other")
        assert (code, message in said) == (2, True)
    (tmp_path / "plain.txt").write_text("The bank took it. It gave it back.\n" * 20)
    plain = ("train", "dual:lstm", "--texts", tmp_path / "plain.txt", "--unit", "text")
    code, _, said = run(*plain, "--against-attribute", "author=2", "--out", tmp_path / "other")
    assert (code, "has texts and no column 'author'" in said) == (2, True)
    code, _, said = run("train", "tfidf", *spec[2:], "--against-words", 1, "--out", tmp_path / "other")
    assert (code, "'tfidf' cannot be trained against a reader" in said) == (2, True)
    assert not (tmp_path / "other").exists()
