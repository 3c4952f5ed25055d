"""The command `fingerprint`."""

import json

import pytest

from vestige.errors import InputError
from vestige.types import EncoderGuess


@pytest.fixture
def two_columns(tmp_path):
    lines = [{"a": [1.0, row], "b": [1.0, 2.0, row]} for row in range(40)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path / "v.jsonl"


def test_it_reads_the_named_column(vestige_command, monkeypatch, two_columns):
    def fingerprint(vectors, *_, **__):
        raise InputError(f"{vectors.shape[1]} dimensions")

    monkeypatch.setattr("vestige.case.encoder_fingerprint.fingerprint", fingerprint)
    assert "name the column to read with --vector-column" in vestige_command("fingerprint", two_columns).err
    assert "3 dimensions" in vestige_command("fingerprint", two_columns, "--vector-column", "b").err


def test_the_candidates_are_printed_with_probabilities_and_reasons(vestige_command, monkeypatch, two_columns):
    guess = EncoderGuess("toy", ("toy", "other"), (0.9, 0.06), ("The lengths agree.",))
    monkeypatch.setattr("vestige.case.encoder_fingerprint.fingerprint", lambda *_, **__: guess)
    read = ("fingerprint", two_columns, "--vector-column", "a")
    assert vestige_command(*read).out == "v.jsonl: toy\n    90.0%  toy\n     6.0%  other\nThe lengths agree.\n"
    assert json.loads(vestige_command(*read, "--json").out)["probabilities"] == [0.9, 0.06]
