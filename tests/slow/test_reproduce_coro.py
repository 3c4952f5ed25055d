"""Figure 5.1 of Corò 2022 at its small scale, on real text: word counts, and a real encoder."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.encoder

MODELS = ("Hashing", "Sentence-BERT")
"""The representations that are compared here; the others are in tests/unit/papers, at sizes for seconds.

The published training is cut to an epoch, since no test here judges it.
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    out = tmp_path_factory.mktemp("papers")
    code = "from vestige.cli.main import main; main()"
    chosen = ("--models", ",".join(MODELS), "--set", "epochs=1")
    command = [sys.executable, "-c", code, "reproduce", "coro2022", "figure5.1", *chosen, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert "Figure 5.1" in (out / "coro2022-figure5.1.html").read_text()
    return json.loads((out / "coro2022-figure5.1.json").read_text())


def f1_by_size(record, model, by):
    rows = [row for row in record["rows"] if row["model"].startswith(f"{model},")]
    return [next(line for line in row["lines"] if line["by"] == by)["scores"][2] for row in rows]


def test_more_pairs_recover_more_words_and_the_prior_gains_nothing(record):
    for model in MODELS:
        ours, guessing = (f1_by_size(record, model, by) for by in ("our default", "guessing"))
        assert len(ours) == 3
        assert ours[0]["high"] < ours[-1]["low"]
        assert ours[-1]["low"] > guessing[-1]["high"] + 0.05


def test_word_counts_leak_more_than_a_sentence_encoder(record):
    counts, sentences = (f1_by_size(record, model, "our default") for model in MODELS)
    assert all(one["low"] > other["high"] for one, other in zip(counts, sentences, strict=True))
