"""The command `encode`: texts become a file of vectors, in blocks and only where allowed."""

import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.endpoint_server import serve
from tests.unit.cli.conftest import TEXTS
from vestige.stores.load import open_store, read_vectors


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_texts_become_vectors_row_by_row(run, texts, tmp_path, ending, minilm):
    out = tmp_path / f"vectors.{ending}"
    code, printed, _ = run("encode", texts, "--encoder", "minilm", "--out", out)
    assert code == 0
    assert printed == f"{out}: 60 vectors of 384 dimensions, by minilm\n"
    assert (read_vectors(out) == minilm.encode(TEXTS)).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["texts.txt", out.name]


def test_the_written_vectors_can_be_audited(run, tmp_path):
    out, small = tmp_path / "vectors.parquet", ("--probe", "words", "--targets", 60, "--pairs", 400)
    assert run("encode", "complaints", "--encoder", "hashing:300", "--out", out)[0] == 0
    code, printed, _ = run("audit", out, "--texts", "complaints", *small, "--out", tmp_path / "report", "--json")
    assert code == 0
    assert json.loads(printed)["subject"]["dimension"] == 300


def test_a_stopped_run_resumes_and_ends_with_the_same_bytes(run, texts, tmp_path, monkeypatch):
    from vestige.encoders.bag_of_words import Hashing
    from vestige.stores import write

    whole, out = tmp_path / "whole.npy", tmp_path / "vectors.npy"
    run("encode", texts, "--encoder", "hashing:64", "--out", whole)

    def fail(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(write, "_write_npy", fail)
        code, _, error = run("encode", texts, "--encoder", "hashing:64", "--out", out)
    assert code == 130
    assert "run the same command to resume" in error
    assert not out.exists()
    assert (tmp_path / ".vectors.npy.parts").is_dir()
    encoded = []
    real = Hashing.encode
    monkeypatch.setattr(
        Hashing, "encode", lambda self, given, **more: encoded.append(list(given)) or real(self, given, **more)
    )
    assert run("encode", texts, "--encoder", "hashing:64", "--out", out)[0] == 0
    assert encoded == [["word"]]
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / ".vectors.npy.parts").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--encoder", "minilm", "--out", "vectors.csv"], "ends in '.csv'"),
        (["--encoder", "minlm"], "did you mean 'minilm'"),
        (["--encoder", "use", "--precision", "bf16"], "has no precision to choose"),
        (["--encoder", "hashing:64", "--device", "cuda"], "computes on the processor, got the device 'cuda'"),
        (["--encoder", "minilm", "--device", "mps"], "'mps', which torch"),
        (["--encoder", "minilm", "--device", "mps", "--engine", "ray"], "would share one; drop --engine"),
        (["--encoder", "http://127.0.0.1:9/v1#small", "--engine", "ray"], "one machine keeps busy"),
    ],
)
def test_bad_input_ends_with_code_2_and_leaves_nothing(run, texts, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    code, _, error = run("encode", texts, *options)
    assert code == 2
    assert message in error
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


def test_texts_go_to_another_machine_only_when_allowed(run, texts, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    out = tmp_path / "vectors.npy"
    code, _, error = run("encode", texts, "--encoder", "openai:text-embedding-3-small", "--out", out)
    assert code == 2
    assert "would send 60 texts, about 6" in error
    assert "at list price, to api.openai.com; nothing was sent; run the same command with --send to allow it" in error
    assert "secret-key" not in error


def test_an_audit_needs_permission_to_send_too(run, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    code, _, error = run(
        "audit", "--texts", "complaints", "--encoder", "openai:text-embedding-3-large", "--out", tmp_path / "report"
    )
    assert code == 2
    assert "would send 8," in error
    assert "nothing was sent" in error
    assert sent(run, tmp_path, "--queries", 10) - sent(run, tmp_path) > 30 * 10 + 10_000


def sent(run, tmp_path, *options):
    """How many texts an audit of a service would send."""
    service = ("--encoder", "openai:text-embedding-3-large")
    _, _, error = run("audit", "--texts", "complaints", *service, "--out", tmp_path / "report", *options)
    return int(re.search(r"would send ([\d,]+) texts", error)[1].replace(",", ""))


def test_a_local_server_needs_no_permission_and_its_texts_are_counted(run, texts, tmp_path, encoder):
    out = tmp_path / "vectors.npy"
    code, printed, _ = run("encode", texts, "--encoder", f"{serve(encoder)}#word-sum", "--out", out)
    assert code == 0
    assert "spent: 1 request (0 repeated), 60 texts answered" in printed
    assert np.allclose(read_vectors(out), encoder.encode(TEXTS))


def test_no_file_is_overwritten(run, texts):
    before = texts.read_bytes()
    named = texts.with_suffix(".parquet")
    named.write_bytes(b"mine")
    code, _, error = run("encode", texts, "--encoder", "hashing:16", "--out", named)
    assert (code, named.read_bytes(), texts.read_bytes()) == (2, b"mine", before)
    assert "already exists; choose another file with --out" in error


def test_a_second_run_to_the_same_file_is_refused(run, texts, tmp_path):
    from vestige.files import sole_user, writable_folder

    with sole_user(writable_folder(tmp_path / ".vectors.npy.parts")):
        code, _, error = run("encode", texts, "--encoder", "hashing:16", "--out", tmp_path / "vectors.npy")
    assert code == 2
    assert "another run is writing" in error


def test_half_of_a_surrogate_pair_becomes_a_question_mark(run, tmp_path, minilm):
    (tmp_path / "texts.jsonl").write_text('{"text": "one \\ud83d half"}\n{"text": "two"}\n')
    out = tmp_path / "vectors.npy"
    assert run("encode", tmp_path / "texts.jsonl", "--encoder", "minilm", "--out", out)[0] == 0
    assert (read_vectors(out) == minilm.encode(["one ? half", "two"])).all()


def test_vectors_of_a_learned_encoder_are_recognised(run, tmp_path):
    """An encoder that was fitted on whole rows is fitted on whole rows again."""
    (tmp_path / "letters.csv").write_text(
        "text\n" + "\n".join(f"Bank {row}. Fee{row} of loan{row}." for row in range(400))
    )
    out, letters = tmp_path / "vectors.npy", tmp_path / "letters.csv"
    assert run("encode", letters, "--encoder", "tfidf", "--out", out)[0] == 0
    options = ["--probe", "words", "--targets", 60, "--pairs", 200, "--out", tmp_path / "report"]
    assert run("audit", out, "--texts", letters, "--encoder", "tfidf", *options)[0] == 0


def test_a_failure_at_the_start_leaves_no_file(run, texts, tmp_path):
    code, _, error = run(
        "encode", texts, "--encoder", "http://127.0.0.1:9/v1?x=1#toy", "--out", tmp_path / "vectors.npy"
    )
    assert code == 2
    assert "contains a user or a query" in error
    code, _, _ = run("encode", texts, "--encoder", "dual:lstm", "--out", tmp_path / "vectors.npy")
    assert code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["texts.txt"]


def test_texts_without_a_known_word_are_counted(run, tmp_path):
    (tmp_path / "texts.csv").write_text("text\nthe bank\n🙂\n")
    _, printed, _ = run("encode", tmp_path / "texts.csv", "--encoder", "glove-6b", "--out", tmp_path / "vectors.npy")
    assert "1 of them is zero: glove-6b knows no word of the text" in printed


LETTERS = "id,text,product\n" + "".join(
    f"{row:04},{text},{'card' if row % 2 else 'loan'}\n" for row, text in enumerate(TEXTS)
)


@pytest.fixture
def letters(tmp_path):
    (tmp_path / "letters.csv").write_text(LETTERS)
    return tmp_path / "letters.csv"


def test_ids_and_labels_are_kept_and_the_text_is_not(run, letters, tmp_path):
    out = tmp_path / "vectors.parquet"
    code, printed, _ = run("encode", letters, "--encoder", "hashing:64", "--out", out)
    assert code == 0
    assert printed == f"{out}: 60 vectors of 64 dimensions, by hashing:64\nkept columns: id, product\n"
    table = pq.read_table(out)
    assert table.column_names == ["id", "product", "vector"]
    assert table["id"].to_pylist() == [f"{row:04}" for row in range(60)]
    with open_store(out) as store:
        assert store.describe().columns.ids == "id"


def test_columns_are_chosen_and_the_text_is_kept_on_request(run, letters, tmp_path):
    out = tmp_path / "vectors.parquet"
    assert (
        run("encode", letters, "--encoder", "hashing:64", "--out", out, "--columns", "product", "--keep-text")[0] == 0
    )
    assert pq.read_table(out).column_names == ["text", "product", "vector"]
    assert pq.read_table(out)["text"].to_pylist() == TEXTS
    alone = tmp_path / "alone.parquet"
    assert run("encode", letters, "--encoder", "hashing:64", "--out", alone, "--columns", "")[0] == 0
    assert pq.read_table(alone).column_names == ["vector"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "produkt", "--out", "vectors.parquet"], "did you mean 'product'"),
        (["--columns", "id", "--out", "vectors.npy"], "holds vectors alone, and --columns keeps columns"),
        (["--keep-text", "--out", "vectors.npy"], "holds vectors alone, and --keep-text keeps columns"),
    ],
)
def test_columns_that_cannot_be_kept_end_with_code_2(run, letters, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    code, _, error = run("encode", letters, "--encoder", "hashing:64", *options)
    assert code == 2
    assert message in error
    assert [path.name for path in tmp_path.iterdir()] == ["letters.csv"]


def test_a_stopped_run_with_columns_ends_with_the_same_bytes(run, letters, tmp_path, monkeypatch):
    from vestige.stores import write
    from vestige.text import corpora

    monkeypatch.setattr(corpora.stream_texts, "__kwdefaults__", {"block": 7})
    whole, out = tmp_path / "whole.parquet", tmp_path / "vectors.parquet"
    assert run("encode", letters, "--encoder", "hashing:64", "--out", whole)[0] == 0
    real, taken = write.TableRows.take, []

    def stop(self, count):
        taken.append(count)
        if len(taken) == 4:
            raise KeyboardInterrupt
        return real(self, count)

    with monkeypatch.context() as patch:
        patch.setattr(write.TableRows, "take", stop)
        assert run("encode", letters, "--encoder", "hashing:64", "--out", out)[0] == 130
    assert not out.exists()
    assert run("encode", letters, "--encoder", "hashing:64", "--out", out)[0] == 0
    assert out.read_bytes() == whole.read_bytes()
    assert pq.ParquetFile(out).num_row_groups == 9


@pytest.mark.parametrize("ending", ["folder/", "vectors.parquet"])
def test_a_folder_of_texts_is_encoded_into_a_folder_or_a_file(run, letters, tmp_path, monkeypatch, ending):
    from vestige.stores import text_dataset

    monkeypatch.setattr(text_dataset, "BLOCK", 7)
    (tmp_path / "texts").mkdir()
    for number in range(3):
        rows = range(20 * number, 20 * number + 20)
        table = pa.table({"id": rows, "text": [TEXTS[row] for row in rows]})
        pq.write_table(table, tmp_path / "texts" / f"{number}.parquet")
    out = f"{tmp_path}/{ending}"
    encoder = "glove-6b"
    code, printed, _ = run("encode", tmp_path / "texts", "--encoder", encoder, "--out", out)
    assert code == 0
    assert printed.endswith("kept columns: id\n")
    assert run("encode", letters, "--encoder", encoder, "--out", tmp_path / "whole.npy")[0] == 0
    with open_store(out) as store:
        assert store.vectors().tobytes() == read_vectors(tmp_path / "whole.npy").tobytes()
        rows = pa.Table.from_batches(store.batches(every_column=True))
    assert rows["id"].to_pylist() == list(range(60))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["letters.csv", "texts", "whole.npy", ending.rstrip("/")]
    )


@pytest.mark.parametrize("out", ["vectors.npy", "folder/"])
@pytest.mark.parametrize("name", ["texts.txt", "texts"])
def test_texts_that_change_while_they_are_read_are_named(run, texts, tmp_path, monkeypatch, name, out):
    from vestige.encoders import resumable

    (tmp_path / "texts").mkdir()
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "texts" / "0.parquet")
    changing = texts if name == "texts.txt" else tmp_path / "texts" / "0.parquet"
    before, real = changing.read_bytes(), resumable._encode

    def change(*given):
        changing.write_bytes(before + b"\nmore")
        return real(*given)

    with monkeypatch.context() as patch:
        patch.setattr(resumable, "_encode", change)
        code, _, error = run("encode", tmp_path / name, "--encoder", "glove-6b", "--out", f"{tmp_path}/{out}")
    assert (code, f"{changing.name} changed while" in error) == (2, True)
    assert not (tmp_path / "vectors.npy").exists()
    assert not (tmp_path / "folder" / "_manifest.json").exists()
    changing.write_bytes(before)
    assert run("encode", tmp_path / name, "--encoder", "glove-6b", "--out", f"{tmp_path}/{out}")[0] == 0


def test_parts_that_a_kill_at_the_very_end_left_are_removed(run, texts, tmp_path):
    out, parts = tmp_path / "vectors.npy", tmp_path / ".vectors.npy.parts"
    assert run("encode", texts, "--encoder", "hashing:16", "--out", out)[0] == 0
    parts.mkdir()
    (parts / "whole").write_bytes(b"left over")
    code, _, error = run("encode", texts, "--encoder", "hashing:16", "--out", out)
    assert (code, "already exists" in error, parts.exists()) == (2, True, False)
