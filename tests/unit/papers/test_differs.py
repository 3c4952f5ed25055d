"""What is said to differ, beside what was used."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import CORO_SIZES, PAN_SIZES, SONG_SIZES
from vestige.papers.coro2022 import differs as coro
from vestige.papers.coro2022.representations import MODELS as CORO_MODELS
from vestige.papers.coro2022.representations import elsewhere, representations
from vestige.papers.coro2022.texts import read_sides
from vestige.papers.pan2020 import differs as pan
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.studies import read_elsewhere, read_external, read_study
from vestige.papers.run import Run
from vestige.papers.song2020 import differs as song
from vestige.papers.song2020.texts import MODELS as SONG_MODELS
from vestige.papers.song2020.texts import read_texts
from vestige.papers.told import updates
from vestige.papers.victims import victims


@pytest.fixture(scope="module")
def song_texts():
    return read_texts(Run(SONG_SIZES))


def all_of(sentences):
    return " ".join(sentences)


def coro_told(run):
    study = elsewhere(run)
    return all_of(coro.differs(run, study, representations(run, CORO_MODELS, [], study, 64), 64))


def test_updates_by_hand():
    # 200,000 sentences are 782 batches of 256, the last of them short; 30 times.
    assert updates(200_000, 30, 256) == 23_460
    assert updates(1, 5, 256) == 5


def test_song_tells_the_corpora_and_how_the_dual_encoders_learned(song_texts):
    run = Run(SONG_SIZES)
    said = all_of(song.differs(run, song_texts, victims(run, SONG_MODELS, [], song_texts.study)))
    assert "from 'complaints' in place of BookCorpus, and from 'speeches' in place of Wikipedia" in said
    assert "40 targets (100,000 in the paper), 100 auxiliary" in said
    sentences = len(song_texts.study.sentences())
    assert f"LSTM is 'dual:lstm', trained here by our recipe on {sentences:,} sentences of 'complaints'" in said
    assert "300 dimensions (1,200), 3 epochs (1) in batches of 200 (808)" in said
    # 40 million sentences in batches of 808, once for the LSTM and five times for the Transformer.
    assert "updates (49,505)" in said
    assert "updates (247,525)" in said
    assert "precision 0" in said


def test_song_says_nothing_of_stand_ins_that_were_not_used(song_texts, song_run):
    said = all_of(song.differs(song_run, song_texts, victims(song_run, SONG_MODELS, [], song_texts.study)))
    assert "trained here" not in said
    assert "Pretrained transformers stand in" not in said
    assert "no stand-in: LSTM is saved:lstm, Transformer is saved:transformer" in said


def test_song_tells_how_short_the_trainings_are(song_texts):
    said = all_of(song.black_box_differs(SONG_SIZES, song_texts))
    # 100 and 80 sentences fit one batch of 256: an update an epoch.
    assert "trains 1 epochs (30): 1 updates with the same domain and 1 with the other (23,460 and 93,750" in said
    assert "trains all 30 epochs, on fewer sentences: 30 updates" in said
    assert said.count("no verdict on the recipe") == 2
    white = all_of(song.white_box_differs(SONG_SIZES))
    assert "takes at most 3 steps" in white
    assert "until they converge" in white
    assert "no verdict on the recipe" in white
    assert "ridge regression" in white


def test_coro_tells_the_corpus_from_elsewhere_and_the_representations():
    said = coro_told(Run(CORO_SIZES))
    assert "'speeches', 300 paragraphs" in said
    assert "'tfidf:64' and 'hashing:64': 64 columns (262,144 in the thesis)" in said
    assert "'lsa:tfidf:16' and 'lsa:hashing:16': 16 directions (1,000 in the thesis)" in said
    assert "unit length" in said


def test_coro_says_nothing_of_stand_ins_that_were_not_used(coro_run):
    named = dict.fromkeys(CORO_MODELS, coro_run.encoders["Sentence-BERT"])
    said = coro_told(replace(coro_run, encoders=named))
    assert "columns" not in said
    assert "directions" not in said
    assert "unit length" not in said
    assert "Hashing is hf:bert@mean" in said


def test_coro_tells_how_short_the_training_is():
    sides = read_sides(Run(CORO_SIZES))
    said = all_of(coro.inversion_differs(CORO_SIZES, sides))
    # Nine tenths of 166,377 are 2,340 batches of 64, a hundred times.
    assert "at most 100 epochs, 234,000 and 1,194,900 updates" in said
    assert "no verdict on the recipe" in said
    assert "leaves General and World out" in said
    assert "both sides of the in-domain split" in said
    assert "does not state the number of steps" in all_of(coro.paragraphs_differ(CORO_SIZES, sides))


@pytest.mark.encoder
def test_pan_tells_the_stand_ins_and_what_the_paper_does_not_attack(pan_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_MODELS", raising=False)
    bare = Run(PAN_SIZES)
    said = all_of(pan.differs(bare, models(bare, ("Bert", "GPT-2"), [])))
    assert "Stand-ins: 'minilm' for Bert." in said
    assert "GPT-2" not in said
    said = all_of(pan.differs(pan_run, models(pan_run, ("Bert", "potion"), [])))
    assert "Stand-ins" not in said
    assert "does not attack" not in said
    assert "no stand-in: Bert is hf:roberta@mean, potion is hf:gpt2@mean" in said


def test_pan_tells_how_short_the_trainings_are():
    said = all_of(pan.citizens_differ(PAN_SIZES))
    assert "40 citizen IDs (1,000 in the paper)" in said
    # 100,000 batches of 128 fresh texts.
    assert "train 20 iterations (100,000)" in said
    assert "12.8 million texts" in said
    assert "no verdict on the recipe" in said
    assert "left out: the corpus 'splice' is not here" in all_of(pan.sequences_differ(PAN_SIZES, None))
    assert "Human sequences: 70 of 'splice'" in all_of(pan.sequences_differ(PAN_SIZES, 70))


def test_pan_tells_the_texts_the_keywords_and_the_external_corpus():
    run = Run(PAN_SIZES)
    study = read_study(run, "Medical")
    external = read_external(run, read_elsewhere(run), study.keywords, 20)
    said = all_of(pan.keywords_differ(run, [study], external))
    assert "Medical: sentences of 4 to 25 words from 'complaints'; keywords: " in said
    assert ", ".join(study.keywords) in said
    assert "20 sentences of 'speeches' (2,000 of restaurant reviews in the paper)" in said
    assert "in the place of 'government'" in said
    # Twenty sentences with and twenty without a keyword are one batch of 64; twice 2,000 are 63.
    assert "An epoch of DANN is 1 updates here and 63 in the paper" in said
    assert "chosen by one who knows the truth" in said
