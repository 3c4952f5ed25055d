"""Notes state what a run used."""

from dataclasses import replace

from tests.unit.papers.conftest import CORO_SIZES
from vestige.papers.coro2022.notes import inversion_notes, representation_notes
from vestige.papers.coro2022.setup import MODELS as CORO_MODELS
from vestige.papers.coro2022.setup import load_public_corpus, load_representations
from vestige.papers.coro2022.table5_4 import paragraph_notes
from vestige.papers.coro2022.texts import read_split
from vestige.papers.run import PaperRun


def all_of(sentences):
    return " ".join(sentences)


def describe(run):
    study = load_public_corpus(run)
    return all_of(representation_notes(run, study, load_representations(run, CORO_MODELS, [], study, 64), 64))


def test_notes_state_the_public_corpus_and_the_representations():
    said = describe(PaperRun(CORO_SIZES))
    assert "'speeches', 300 paragraphs" in said
    assert "'tfidf:64' and 'hashing:64': 64 columns (262,144 in the thesis)" in said
    assert "'lsa:tfidf:16' and 'lsa:hashing:16': 16 directions (1,000 in the thesis)" in said
    assert "unit length" in said


def test_notes_say_nothing_of_stand_ins_that_were_not_used(coro_run):
    named = dict.fromkeys(CORO_MODELS, coro_run.encoders["Sentence-BERT"])
    said = describe(replace(coro_run, encoders=named))
    assert "columns" not in said
    assert "directions" not in said
    assert "unit length" not in said
    assert "Hashing is hf:bert@mean" in said


def test_notes_state_how_short_the_training_is():
    split = read_split(PaperRun(CORO_SIZES))
    said = all_of(inversion_notes(CORO_SIZES, split))
    # Nine tenths of 166,377 are 2,340 batches of 64, a hundred times.
    assert "at most 1 (100), at most 3 updates (234,000 in the thesis)" in said
    assert "across domains until its held-out loss has not fallen for 10 epochs" in said
    assert "(1,194,900 in the thesis)" in said
    assert "excludes General and World" in said
    assert "both sides of the in-domain split" in said
    assert "does not state the number of steps" in all_of(paragraph_notes(CORO_SIZES, split))
