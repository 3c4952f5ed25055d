"""Notes state what a run used."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.papers.run import PaperRun
from vestige.papers.song2020.notes import text_notes
from vestige.papers.song2020.setup import MODELS as SONG_MODELS
from vestige.papers.song2020.texts import read_texts
from vestige.papers.victims import load_victims


@pytest.fixture(scope="module")
def song_texts():
    return read_texts(PaperRun(SONG_SIZES))


def all_of(sentences):
    return " ".join(sentences)


def test_notes_state_the_corpora_and_how_the_dual_encoders_were_trained(song_texts):
    run = PaperRun(SONG_SIZES)
    said = all_of(text_notes(run, song_texts, load_victims(run, SONG_MODELS, [], song_texts.study)))
    assert "from 'complaints' in place of BookCorpus, and from 'speeches' in place of Wikipedia" in said
    assert "40 targets (100,000 in the paper), 100 auxiliary" in said
    sentences = len(song_texts.study.sentences())
    assert f"LSTM is 'dual:lstm', trained here by our recipe on {sentences:,} sentences of 'complaints'" in said
    assert "300 dimensions (1,200), 3 epochs (1) in batches of 200 (808)" in said
    # 40 million sentences in batches of 808, once for the LSTM and five times for the Transformer.
    assert "updates (49,505)" in said
    assert "updates (247,525)" in said
    assert "precision 0" in said
    assert "0.8 times as much auxiliary text as the same domain, four times in the paper" in said


def test_notes_say_nothing_of_stand_ins_that_were_not_used(song_texts, song_run):
    said = all_of(text_notes(song_run, song_texts, load_victims(song_run, SONG_MODELS, [], song_texts.study)))
    assert "trained here" not in said
    assert "Pretrained transformers stand in" not in said
    assert "no stand-in: LSTM is saved:lstm, Transformer is saved:transformer" in said


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("dual:transformer:64", ["'dual:transformer:64', trained here by our recipe", ": 64 dimensions (600)"]),
        ("dual:transformer:paper", ["trained here by the published recipe on", ": 600 dimensions (600)"]),
    ],
)
def test_notes_say_how_a_named_encoder_was_trained(song_texts, spec, says):
    run = PaperRun(SONG_SIZES, encoders={"Transformer": spec}, models=("transformer",))
    said = all_of(text_notes(run, song_texts, load_victims(run, SONG_MODELS, [], song_texts.study)))
    for part in (*says, f"no stand-in: Transformer is {spec}"):
        assert part in said
    other = replace(run, encoders={"Transformer": f"{spec}@speeches"})
    assert "trained here" not in all_of(
        text_notes(other, song_texts, load_victims(other, SONG_MODELS, [], song_texts.study))
    )


def test_notes_are_about_the_models_that_were_asked_for(song_texts):
    run = PaperRun(SONG_SIZES, models=("lstm",))
    said = all_of(text_notes(run, song_texts, load_victims(run, SONG_MODELS, [], song_texts.study)))
    assert "LSTM is 'dual:lstm'" in said
    assert "dual:transformer" not in said
    assert "Pretrained transformers stand in" not in said
