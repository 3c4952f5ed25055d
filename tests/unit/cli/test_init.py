"""vestige init writes a file that the other commands accept."""

import sys
import tomllib
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer.main

import vestige.cli.progress
from tests.conftest import WordSum
from vestige.cli.command_keys import describe_commands
from vestige.cli.main import app
from vestige.config.config_file import read_config
from vestige.config.config_key import check_tables
from vestige.config.runs import build_run
from vestige.stores.arrow_columns import as_column
from vestige.types import silent

TEXTS = "\n".join(f"The bank took {row} dollars." for row in range(150))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_accepted(path):
    """The tables of a file, after the checks that every command makes."""
    file, tables = read_config(path), describe_commands(typer.main.get_command(app))
    check_tables(file, tables)
    for name in file.tables["audit"]:
        if isinstance(file.tables["audit"][name], dict):
            build_run(file, ("audit",), tables["audit",], name)
    return file.tables


def test_vectors_and_the_texts_of_the_same_length_become_an_audit_with_a_gate(folder, vestige_command):
    np.save(folder / "my mail.npy", np.eye(150, 4, dtype=np.float32))
    (folder / "letters.txt").write_text(TEXTS)
    ran = vestige_command("init")
    assert ran.code == 0
    assert ran.out.endswith("  vestige audit my-mail\n")
    assert read_accepted(folder / "vestige.toml")["audit"] == {
        "preset": "standard",
        "my-mail": {"source": "my mail.npy", "texts": "letters.txt", "fail-on": ["words>0.30"]},
    }


@pytest.mark.parametrize("flags", [(), ("--source", "mail.parquet")])
def test_the_encoder_and_the_column_of_documents_are_proposed(folder, vestige_command, monkeypatch, flags):
    encoder, texts = WordSum(), TEXTS.splitlines()
    monkeypatch.setattr("vestige.encoders.load.list_public_encoders", lambda: (encoder.name,))
    monkeypatch.setattr("vestige.preflight.encoder_identification.load_encoder", lambda _spec: encoder)
    threads = [row // 3 for row in range(len(texts))]
    stored = {"vector": as_column(encoder.encode(texts)), "text": texts, "thread_id": threads}
    pq.write_table(pa.table(stored), folder / "mail.parquet")
    ran = vestige_command("init", *flags)
    assert f"mail.parquet: made by '{encoder.name}'" in ran.err
    written = tomllib.loads((folder / "vestige.toml").read_text())["audit"]["mail"]
    assert (written["encoder"], written["document-column"]) == (encoder.name, "thread_id")


def test_a_folder_of_parquet_files_is_one_source(folder, vestige_command):
    texts = TEXTS.splitlines()
    (folder / "mail").mkdir()
    for part in range(2):
        rows = slice(75 * part, 75 * part + 75)
        stored = {"vector": as_column(np.eye(150, 4, dtype=np.float32)[rows]), "text": texts[rows]}
        pq.write_table(pa.table(stored), folder / "mail" / f"part-{part}.parquet")
    (folder / "notes").mkdir()
    pq.write_table(pa.table({"text": texts}), folder / "notes" / "part-0.parquet")
    vestige_command("init")
    audits = read_accepted(folder / "vestige.toml")["audit"]
    assert audits == {"preset": "standard", "mail": {"source": "mail", "fail-on": ["words>0.30"]}}


def test_a_column_of_names_is_not_taken_for_texts(folder, vestige_command):
    stored = {"vector": as_column(np.eye(150, 4, dtype=np.float32)), "thread": [f"t{row // 3}" for row in range(150)]}
    pq.write_table(pa.table(stored), folder / "mail.parquet")
    (folder / "letters.txt").write_text(TEXTS)
    vestige_command("init")
    written = tomllib.loads((folder / "vestige.toml").read_text())["audit"]["mail"]
    assert (written["texts"], written["document-column"]) == ("letters.txt", "thread")


def test_the_column_of_documents_may_be_in_the_file_of_texts(folder, vestige_command):
    np.save(folder / "v.npy", np.eye(150, 4, dtype=np.float32))
    rows = [f'{row // 3},"{text}"' for row, text in enumerate(TEXTS.splitlines())]
    (folder / "letters.csv").write_text("\n".join(["letter_id,body", *rows]))
    vestige_command("init")
    written = tomllib.loads((folder / "vestige.toml").read_text())["audit"]["v"]
    assert (written["texts"], written["document-column"]) == ("letters.csv", "letter_id")


def test_vectors_without_texts_have_no_gate(folder, vestige_command):
    np.save(folder / "v.npy", np.eye(150, 4, dtype=np.float32))
    vestige_command("init", "--encoder", "minilm", "--preset", "quick")
    assert read_accepted(folder / "vestige.toml")["audit"] == {
        "preset": "quick",
        "v": {"source": "v.npy", "encoder": "minilm"},
    }
    assert '# fail-on = ["words>0.30"]' in (folder / "vestige.toml").read_text()


def test_texts_alone_are_encoded_and_an_empty_folder_gives_an_example(folder, vestige_command):
    vestige_command("init", "--fail-on", "", "--config", "example.toml")
    audits = read_accepted(folder / "example.toml")["audit"]
    assert audits["example"] == {"texts": "complaints", "encoder": "minilm"}
    (folder / "letters.txt").write_text(TEXTS)
    vestige_command("init")
    assert read_accepted(folder / "vestige.toml")["audit"]["letters"]["encoder"] == "minilm"


def test_names_are_unique_and_none_is_that_of_an_option(folder, vestige_command):
    (folder / "a").mkdir()
    for path in ("texts.npy", "a/texts.npy"):
        np.save(folder / path, np.eye(3))
    vestige_command("init", "--source", "texts.npy", "--source", "a/texts.npy")
    audits = read_accepted(folder / "vestige.toml")["audit"]
    assert list(audits) == ["preset", "texts-2", "texts-3"]


def test_a_file_is_never_overwritten(folder, vestige_command):
    (folder / "vestige.toml").write_text("mine")
    ran = vestige_command("init")
    assert ran.code == 2
    assert "already exists" in ran.err
    assert (folder / "vestige.toml").read_text() == "mine"


def test_a_gate_that_no_audit_has_is_refused_and_nothing_is_written(folder, vestige_command):
    ran = vestige_command("init", "--fail-on", "wrods>0.3")
    assert ran.code == 2
    assert "wrods" in ran.err
    assert not (folder / "vestige.toml").exists()


class Answers:
    """Standard input of a person at a terminal."""

    def __init__(self, *answers):
        self.answers = iter(answers)

    def isatty(self):
        return True

    def readline(self, _limit=-1):
        return f"{next(self.answers)}\n"


def test_questions_are_asked_on_a_terminal_and_not_with_yes(folder, vestige_command, monkeypatch):
    for name in ("first.npy", "second.npy"):
        np.save(folder / name, np.eye(150, 4, dtype=np.float32))
    (folder / "letters.csv").write_text(f"text\n{TEXTS}")
    monkeypatch.setattr(sys, "stdin", Answers("n", "y", "", "st:model", "names>0.1"))
    assert vestige_command("init").code == 0
    assert read_accepted(folder / "vestige.toml")["audit"]["second"] == {
        "source": "second.npy",
        "texts": "letters.csv",
        "encoder": "st:model",
        "fail-on": ["names>0.1"],
    }
    monkeypatch.setattr(sys, "stdin", Answers())
    vestige_command("init", "--yes", "--config", "other.toml")
    assert list(tomllib.loads((folder / "other.toml").read_text())["audit"]) == ["preset", "first", "second"]


def test_questions_are_repeated_until_the_answer_can_be_used(folder, vestige_command, monkeypatch):
    np.save(folder / "v-.npy", np.eye(150, 4, dtype=np.float32))
    (folder / "letters-").write_text(TEXTS)
    monkeypatch.setattr(sys, "stdin", Answers("y", "gone.csv", "letters-", "minilmm", "minilm", "wrods>1", "-"))
    ran = vestige_command("init")
    assert "gone.csv does not exist" in ran.err
    assert "minilmm" in ran.err
    assert "wrods" in ran.err
    audits = read_accepted(folder / "vestige.toml")["audit"]
    assert audits["v"] == {"source": "v-.npy", "texts": "letters-", "encoder": "minilm"}


def test_choosing_no_audit_writes_nothing(folder, vestige_command, monkeypatch):
    np.save(folder / "v.npy", np.eye(150, 4, dtype=np.float32))
    monkeypatch.setattr(sys, "stdin", Answers("n"))
    ran = vestige_command("init")
    assert ran.code == 2
    assert "no audit was chosen" in ran.err
    assert not (folder / "vestige.toml").exists()


def test_an_encoder_of_no_known_family_is_refused(folder, vestige_command):
    np.save(folder / "v.npy", np.eye(150, 4, dtype=np.float32))
    ran = vestige_command("init", "--encoder", "minilmm")
    assert ran.code == 2
    assert "minilm" in ran.err
    assert not (folder / "vestige.toml").exists()


def test_texts_that_the_user_names_give_the_column_of_documents(folder, vestige_command, monkeypatch):
    np.save(folder / "v.npy", np.eye(150, 4, dtype=np.float32))
    rows = [f'{row // 3},"{text}"' for row, text in enumerate(TEXTS.splitlines())]
    (folder / "more").mkdir()
    (folder / "more" / "letters.csv").write_text("\n".join(["letter_id,body", *rows]))
    monkeypatch.setattr(sys, "stdin", Answers("y", "more/letters.csv", "-", ""))
    vestige_command("init")
    written = tomllib.loads((folder / "vestige.toml").read_text())["audit"]["v"]
    assert (written["texts"], written["document-column"]) == ("more/letters.csv", "letter_id")


def test_the_column_of_texts_is_written_if_its_name_does_not_say_so(folder, vestige_command):
    rows = [f"agent {row % 3},The bank took {row} dollars from us" for row in range(150)]
    (folder / "feedback.csv").write_text("\n".join(["agent,what", *rows]))
    ran = vestige_command("init", "--yes")
    assert "feedback.csv: texts are taken from column 'what'" in ran.err
    written = read_accepted(folder / "vestige.toml")["audit"]["feedback"]
    assert (written["texts"], written["text-column"]) == ("feedback.csv", "what")


def test_texts_that_cannot_be_used_are_named_before_the_example_is_proposed(folder, vestige_command):
    (folder / "feedback.csv").write_text("agent;what\nme;The bank took it\n")
    ran = vestige_command("init", "--yes")
    assert "passed over: feedback.csv appears to be separated by ';'" in ran.err
    assert list(read_accepted(folder / "vestige.toml")["audit"]) == ["preset", "example"]


def test_no_question_is_asked_while_bars_are_shown_which_would_erase_it(folder, vestige_command, monkeypatch):
    seen = []

    @contextmanager
    def record_bars(**_options):
        seen.append("bars shown")
        yield silent
        seen.append("bars gone")

    def record_question(_question, *, default):
        seen.append("question")
        return default

    np.save(folder / "first.npy", np.eye(150, 4, dtype=np.float32))
    (folder / "letters.csv").write_text(f"text\n{TEXTS}")
    monkeypatch.setattr(vestige.cli.progress, "progress_bars", record_bars)
    monkeypatch.setattr(typer, "prompt", record_question)
    monkeypatch.setattr(sys, "stdin", Answers("y"))
    assert vestige_command("init").code == 0
    assert seen == ["question", "bars shown", "bars gone", "question", "question"]
