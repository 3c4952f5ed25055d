"""Notes state what a run used."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import PAN_SIZES
from vestige.papers.pan2020.figure3 import sequence_notes
from vestige.papers.pan2020.notes import describe_readout, model_notes
from vestige.papers.pan2020.setup import load_models
from vestige.papers.pan2020.table2 import record_notes
from vestige.papers.run import PaperRun


def all_of(sentences):
    return " ".join(sentences)


@pytest.mark.encoder
def test_notes_state_the_stand_ins_and_what_the_paper_does_not_attack(pan_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_MODELS", raising=False)
    bare = PaperRun(PAN_SIZES)
    said = all_of(model_notes(bare, load_models(bare, ("Bert", "GPT-2"), [])))
    assert "Stand-ins: 'minilm' (mean of all states, at unit length) for Bert." in said
    assert "GPT-2" not in said
    said = all_of(model_notes(pan_run, load_models(pan_run, ("Bert", "potion"), [])))
    assert "Stand-ins" not in said
    assert "does not attack" not in said
    assert "no stand-in: Bert is hf:roberta@mean, potion is hf:gpt2@mean" in said


@pytest.mark.parametrize(
    ("here", "readout"),
    [
        ("minilm", "mean of all states, at unit length"),
        ("hf:granite-30m-english@mean", "mean of all states"),
        ("hf:granite-30m-english@cls", "first state"),
        ("hf:gpt2@last", "last state"),
        ("use", "its own readout"),
    ],
)
def test_notes_state_the_readout_of_each_stand_in(here, readout):
    assert describe_readout(here) == readout


def test_notes_state_how_short_the_trainings_are():
    said = all_of(record_notes(PAN_SIZES))
    assert "40 citizen IDs (1,000 in the paper)" in said
    # 100,000 batches of 128 fresh texts.
    assert "train 20 iterations (100,000)" in said
    assert "12.8 million texts" in said
    assert "drawn from 200 generated texts; in the paper every batch is fresh" in said
    said = all_of(record_notes(replace(PAN_SIZES, fresh=True)))
    assert "of fresh texts, 2,560 in all (12.8 million texts)" in said
    assert "drawn from" not in said
    assert "skipped: the corpus 'splice' is not available" in all_of(sequence_notes(PAN_SIZES, None))
    assert "Human sequences: 70 of 'splice'" in all_of(sequence_notes(PAN_SIZES, 70))
