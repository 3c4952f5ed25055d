"""`vestige redact`: a new file of texts with the other columns."""

import csv
import tempfile

from typer.testing import CliRunner

from vestige.cli.main import app
from vestige.errors import InputError


def test_texts_are_redacted_and_other_columns_kept(tmp_path):
    (tmp_path / "in.csv").write_text("id,text,label\n1,I met Anna Smith on 5 May,good\n2,nothing here,bad\n")
    out = tmp_path / "out.csv"
    done = CliRunner().invoke(app, ["redact", str(tmp_path / "in.csv"), str(out), "--detector", "lists"])
    assert done.exit_code == 0, done.output
    assert "2 texts, 1 of them changed" in done.output
    rows = list(csv.DictReader(out.open()))
    assert [row["text"] for row in rows] == ["I met [NAME] on [NUMBER] May", "nothing here"]
    assert [row["label"] for row in rows] == ["good", "bad"]


def test_pseudonyms_have_a_secret_key_that_queries_are_redacted_with(tmp_path):
    (tmp_path / "in.csv").write_text("text\nI met Anna Smith\n")
    texts, options = str(tmp_path / "in.csv"), ["--detector", "lists", "--mode", "pseudonym"]
    for name in ("one", "two"):
        done = CliRunner().invoke(app, ["redact", texts, str(tmp_path / f"{name}.csv"), *options])
        assert done.exit_code == 0, done.output
    key = tmp_path / "one.csv.redactor.json"
    done = CliRunner().invoke(app, ["redact", texts, str(tmp_path / "again.csv"), "--redactor", str(key)])
    assert done.exit_code == 0, done.output
    one, two, again = ((tmp_path / f"{name}.csv").read_text() for name in ("one", "two", "again"))
    assert one == again != two


def test_a_key_is_neither_lost_nor_replaced(tmp_path, monkeypatch):
    """Texts and their key appear together, also on a full disk, and a key that is there is not overwritten."""
    (tmp_path / "in.csv").write_text("text\nI met Anna Smith\n")
    out, key = tmp_path / "out.csv", tmp_path / "out.csv.redactor.json"
    command = ["redact", str(tmp_path / "in.csv"), str(out), "--detector", "lists", "--mode", "pseudonym"]
    real = tempfile.mkstemp

    def fail(*args, **options):
        if "redactor" in options["prefix"]:
            raise OSError(28, "No space left on device")
        return real(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr("vestige.files.tempfile.mkstemp", fail)
        assert CliRunner().invoke(app, command).exit_code != 0
    assert not out.exists()
    key.write_text("the key of texts that were moved away")
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, InputError)
    assert "out.csv.redactor.json already exists" in str(done.exception)
    assert key.read_text() == "the key of texts that were moved away"
    assert not out.exists()


def test_saved_rules_are_not_mixed_with_others(tmp_path):
    (tmp_path / "in.csv").write_text("text\nI met Anna Smith\n")
    texts = str(tmp_path / "in.csv")
    saved = ["--detector", "lists", "--mode", "pseudonym"]
    assert CliRunner().invoke(app, ["redact", texts, str(tmp_path / "out.csv"), *saved]).exit_code == 0
    again = ["redact", texts, str(tmp_path / "again.csv"), "--redactor", str(tmp_path / "out.csv.redactor.json")]
    done = CliRunner().invoke(app, [*again, "--kinds", "links", "--seed", "3"])
    assert isinstance(done.exception, InputError)
    assert "--kinds, --seed would contradict" in str(done.exception)
    assert not (tmp_path / "again.csv").exists()
