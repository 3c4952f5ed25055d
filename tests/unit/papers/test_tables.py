"""Every table, once, at a size for tests."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from tests.unit.papers.conftest import SONG_SIZES
from vestige.attacks.attributes.text_cnn import TextCNN
from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.codec import dumps
from vestige.encoders.dual.recipe import DualRecipe
from vestige.errors import InputError
from vestige.papers.catalogue import PAPERS
from vestige.papers.coro2022.contest import contest
from vestige.papers.coro2022.texts import read_sides
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.run import Run
from vestige.papers.song2020 import authors
from vestige.papers.song2020.pair_membership import ALL, BY_EPOCHS, BY_FREQUENCY, TRAINED
from vestige.papers.song2020.pair_scores import LEFT_OUT, LEFT_OUT_PAPER, REFERENCE, SHUFFLED
from vestige.papers.song2020.word_membership import DEALT, REFERRED, UNTAUGHT
from vestige.papers.victims import victim, victims
from vestige.text.words import content_words

SCHEMA = json.loads(files("vestige.papers").joinpath("reproduction-1.schema.json").read_text(encoding="utf-8"))


def reproduced(paper, table, run):
    record = PAPERS[paper].load().reproduce(table, "test", run)
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(dumps(record)))) == []
    for row in record.rows:
        assert len(row.published) == len(record.columns)
        assert all(len(line.scores) == len(record.columns) for line in row.lines)
    assert record.differs
    return record


def asked(record):
    """Which figures are there, by row and line."""
    return {
        (row.section, row.model, line.by): [score is not None for score in line.scores]
        for row in record.rows
        for line in row.lines
    }


@pytest.mark.parametrize(("table", "alone"), [("table1", ["Equation 5"]), ("table2", [])])
def test_song_tables_have_the_rows_of_the_paper(song_run, checkpoints, table, alone):
    record = reproduced("song2020", table, song_run)
    rows = published("song2020", table)
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    for (section, _, _), there in asked(record).items():
        assert there == [True] * 3 + [section not in alone] * 3
    assert {by for _, _, by in asked(record)} == {PAPER, OURS, PRIOR}
    assert [row.here for row in record.rows[:4]] == [
        "saved:lstm",
        "saved:transformer",
        "hf:bert@mean",
        "hf:albert@mean",
    ]
    assert str(checkpoints["bert"].parent) not in dumps(record)
    assert any("Named for this run, and no stand-in: LSTM is saved:lstm," in told for told in record.differs)
    assert record.encoders[2:] == ("BERT=hf:bert@mean", "ALBERT=hf:albert@mean")


def test_song_figure_goes_through_the_layers_and_leaves_out_what_is_not_here(song_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_MODELS", raising=False)
    record = reproduced("song2020", "figure2", replace(song_run, encoders={"BERT": song_run.encoders["BERT"]}))
    measured = [row for row in record.rows if row.lines]
    assert [row.model for row in measured] == 2 * [f"BERT, layer {layer}" for layer in range(4)]
    assert [row.model for row in measured if row.published[2] is not None] == 2 * ["BERT, layer 3"]
    assert [plot.up for plot in record.plots] == ["precision", "recall", "F1"]
    assert {len(plot.curves) for plot in record.plots} == {6}
    assert [len(curve.points) for curve in record.plots[0].curves] == [4] * 6
    assert {point.at for curve in record.plots[0].curves for point in curve.points} == {0, 1, 2, 3}
    left_out = [row for row in record.rows if not row.lines]
    assert [row.model for row in left_out] == ["ALBERT", "ALBERT"]
    assert "'granite-30m-english' is not here; name the folder that holds it" in left_out[0].note


def test_song_tells_authors_by_labels_and_by_authors(song_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    monkeypatch.setattr(authors, "MODELS", {"LSTM": "dual:lstm", "BERT": "minilm@mean"})
    monkeypatch.setattr(authors, "RAW", {"TextCNN": lambda: TextCNN(epochs=1), "tf-idf": TextTfidf})
    record = reproduced("song2020", "figure3", song_run)
    measured = [row for row in record.rows if row.lines]
    assert [row.model for row in measured] == ["LSTM", "BERT", "Raw text"]
    assert [line.by for line in measured[0].lines] == [PAPER, OURS, PRIOR]
    assert [line.by for line in measured[-1].lines] == ["TextCNN", "tf-idf"]
    guessing = [score.value for score in measured[0].lines[-1].scores]
    assert guessing == pytest.approx([5 / 18] * 5 + [5 / 9, 5 / 6, 1 / 18])
    words = measured[-1].lines[1].scores
    assert words[4].low > guessing[4]
    left_out = [row for row in record.rows if not row.lines]
    assert {row.section for row in left_out} == {"Newsgroups"}
    assert "corpus 'newsgroups' is not here" in left_out[0].note
    by_labels, by_authors = record.plots
    assert [point.at for point in by_labels.curves[0].points] == [10, 20, 30, 40, 50]
    assert [point.at for point in by_authors.curves[0].points] == [18, 9, 6]
    assert any("never share a speech" in told for told in record.differs)


def test_song_figure_of_membership_has_a_column_a_decile_and_its_controls():
    pytest.importorskip("gensim")
    record = reproduced("song2020", "figure4", Run(SONG_SIZES))
    assert [(row.model, row.here) for row in record.rows] == [
        ("Word2Vec", "word2vec"),
        ("FastText", "fasttext"),
        ("GloVe", "glove"),
    ]
    for row in record.rows:
        assert [line.by for line in row.lines] == [PAPER, OURS, REFERRED, UNTAUGHT, DEALT]
        assert all(None not in line.scores for line in row.lines)
    assert [plot.up for plot in record.plots] == ["advantage"] * 3
    assert [point.at for point in record.plots[0].curves[0].points] == list(range(1, 11))
    assert "at least 5 times in each of the three parts" in " ".join(record.differs)


def test_song_figure_of_membership_asks_only_vectors_that_learn_here():
    with pytest.raises(InputError, match="encoder 'hashing:64' has no word vectors that are trained here"):
        reproduced("song2020", "figure4", Run(SONG_SIZES, encoders={"GloVe": "hashing:64"}))


def test_song_membership_has_every_attack_and_control_by_frequency_and_by_epochs(song_run, monkeypatch):
    tiny = classmethod(lambda cls, architecture: cls(architecture, dimension=16, vocabulary_size=400, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", tiny)
    record = reproduced("song2020", "figure5", replace(song_run, encoders={}))
    whole, by_tenth, by_epochs = (
        [row for row in record.rows if row.section == section] for section in (ALL, BY_FREQUENCY, BY_EPOCHS)
    )
    assert [row.model for row in whole] == ["LSTM", "Transformer"]
    assert [row.here for row in whole] == ["dual:lstm", "dual:transformer"]
    assert [row.model for row in by_epochs] == ["LSTM, 1 epochs"]
    assert len(by_tenth) == 20
    assert [row.model for row in by_tenth if row.published[3]] == [f"{model}, tenth 10, rarest" for model in TRAINED]
    found = {line.by: line.scores for line in whole[0].lines}
    asked_of = {by: [score is not None for score in scores] for by, scores in found.items()}
    both, alone = [True] * 4, [False, True] * 2
    assert asked_of == {
        PAPER: both,
        OURS: both,
        REFERENCE: alone,
        LEFT_OUT_PAPER: both,
        LEFT_OUT: both,
        SHUFFLED: alone,
    }
    assert all(score.baseline == 0 for scores in found.values() for score in scores if score is not None)
    assert {score.n for score in found[OURS][2:]} == {80}
    assert [plot.across for plot in record.plots][-1] == "epochs"


def test_song_membership_is_not_asked_of_an_encoder_whose_training_nobody_knows(song_run):
    with pytest.raises(InputError, match="'saved:lstm' does not learn from the books of figure5"):
        reproduced("song2020", "figure5", song_run)
    elsewhere = replace(song_run, encoders={"LSTM": "dual:lstm@speeches"})
    with pytest.raises(InputError, match="does not learn from the books of figure5"):
        reproduced("song2020", "figure5", elsewhere)


@pytest.mark.parametrize("table", ["table5.2", "table5.4"])
def test_coro_inversions_have_the_rows_of_the_thesis(coro_run, table):
    record = reproduced("coro2022", table, coro_run)
    rows = published("coro2022", table)
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    assert all(all(there) for there in asked(record).values())
    assert {by for _, _, by in asked(record)} == {PAPER, OURS, PRIOR}


def test_paragraphs_are_read_in_as_many_steps_as_training_paragraphs_have_words(coro_run, monkeypatch):
    asked = []
    infer = MultiSetInverter.infer

    def watched(self, vectors, *, steps=None):
        asked.append((self.recipe, steps))
        return infer(self, vectors, steps=steps)

    monkeypatch.setattr(MultiSetInverter, "infer", watched)
    here = contest(coro_run, read_sides(coro_run), "In-domain")
    target = victim(coro_run, "Hashing", "hashing:64", here.training.sentences)
    fitted = here.inverter(target, "coro", here.training.sentences)
    claimed = {}
    for kind in ("paragraphs", "sentences"):
        alike, attacked = getattr(here.training, kind), getattr(here.test, kind)
        here.guessed(fitted, target, attacked, alike)
        known = set(fitted.vocabulary_.words)
        sizes = [len(content_words(text) & known) for text in alike.texts]
        assert asked[-1] == ("coro", round(sum(sizes) / len(sizes)))
        claimed[kind] = asked[-1][1]
    assert claimed["paragraphs"] > 3 * claimed["sentences"]
    here.guessed(here.inverter(target, "default", here.training.sentences), target, here.test.paragraphs, alike)
    assert asked[-1] == ("default", None)


def test_coro_figure_builds_only_what_it_attacks(coro_run, monkeypatch):
    built = []

    def watched(run, specs, texts, study):
        built.extend(specs)
        return victims(run, specs, texts, study)

    monkeypatch.setattr("vestige.papers.coro2022.representations.victims", watched)
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()))
    reproduced("coro2022", "figure5.1", short)
    assert built == ["Hashing", "Sentence-BERT"]


def test_a_second_run_makes_no_row_again(coro_run, tmp_path, monkeypatch):
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()), cache=tmp_path)
    first = reproduced("coro2022", "figure5.1", short)
    monkeypatch.setattr(MultiSetInverter, "fit", lambda *_, **__: pytest.fail("an inverter was trained"))
    assert dumps(reproduced("coro2022", "figure5.1", short).rows) == dumps(first.rows)


def test_coro_figure_goes_through_the_sizes(coro_run):
    record = reproduced("coro2022", "figure5.1", coro_run)
    assert [row.model.split(",")[0] for row in record.rows] == 2 * ["Hashing"] + 2 * ["Sentence-BERT"]
    assert record.rows[0].published == (None, None, None)
    assert record.rows[1].published == (94.72, 87.27, 89.33)
    assert [plot.up for plot in record.plots] == ["F1", "F1"]
    assert record.plots[0].curves[0].points[0].at == 60


def test_coro_probes_have_no_titles_where_the_corpus_has_none(coro_run):
    record = reproduced("coro2022", "table5.1", coro_run)
    assert set(map(tuple, asked(record).values())) == {(False, True, True)}
    unasked = [row.model for row in record.rows if not row.lines]
    assert unasked == ["Doc2Vec", "Sentence-BERT"]
    in_domain = next(row for row in record.rows if row.model == "Reduced bag-of-words")
    probed, guessed = (line.scores[2] for line in in_domain.lines)
    assert probed.low > guessed.high


def test_the_same_seed_gives_the_same_record(coro_run):
    paper = PAPERS["coro2022"].load()
    short = replace(coro_run, sizes=replace(coro_run.sizes, steps=()))
    one, again = (replace(paper.reproduce("figure5.1", "test", short), minutes=0.0) for _ in range(2))
    assert dumps(one) == dumps(again)
