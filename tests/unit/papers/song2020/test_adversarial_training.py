from dataclasses import replace
from functools import wraps

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.encoders.dual.recipe import DualRecipe
from vestige.errors import InputError
from vestige.papers.catalogue import PAPERS
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.run import PaperRun
from vestige.papers.song2020 import figure6
from vestige.papers.song2020.adversarial_training import (
    CLASSIFIER,
    GIVEN,
    NOBODY,
    SECTIONS,
    list_trials,
    load_learners,
)
from vestige.papers.song2020.setup import SCALES
from vestige.text.corpus import Corpus


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """Small encoders, and one task of the four."""
    small = classmethod(lambda cls, architecture: cls(architecture, dimension=16, vocabulary_size=400, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", small)
    kinds = np.random.default_rng(0).integers(2, size=120)
    texts = [["a fine account", "no loan again"][kind] for kind in kinds]
    pq.write_table(pa.table({"text": texts, "label": list(map(str, kinds))}), tmp_path / "subj.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))


@pytest.fixture
def tiny_run(tmp_path):
    """As few texts and authors as the attacks can do with; rows are stored, as by the command line."""
    sizes = replace(SONG_SIZES, documents=110, same=40, targets=24, authors=8, draws=1)
    return PaperRun(sizes, cache=tmp_path / "cache")


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("figure", ["figure6", "figure7"])
def test_every_opponent_and_lambda_has_a_row_with_attacks_and_tasks(figure, tiny_run, monkeypatch):
    monkeypatch.setattr("vestige.attacks.sparse.STEPS", 20)
    few = {"linear": (0.5,), "dependence": (0.5,)}
    monkeypatch.setattr(f"vestige.papers.song2020.{figure}.LAMBDAS", few)
    seen = []
    fit = DualRecipe.fit

    @wraps(fit)
    def watched(self, *given, **more):
        seen.append(self)
        return fit(self, *given, **more)

    monkeypatch.setattr(DualRecipe, "fit", watched)
    record = PAPERS["song2020"].load().reproduce(figure, "test", tiny_run)
    assert len([*(tiny_run.cache / "rows").iterdir()]) == len(record.rows)
    wanted = [(NOBODY, ""), *((SECTIONS[kind], ", lambda 0.5") for kind in few)]
    assert [(row.section, row.model) for row in record.rows] == [(section, f"LSTM{name}") for section, name in wanted]
    hidden = [(recipe.against_words, *recipe.against_attributes) for recipe in seen]
    assert len(hidden) == len(record.rows)
    hides = (0.5,) if figure == "figure6" else (0.0, ("author", 0.5))
    assert hidden == [(0.0,), *[hides] * len(few)]
    for row in record.rows:
        there = {line.by: [score is not None for score in line.scores] for line in row.lines}
        attacks = 4 if figure == "figure6" else 2
        tasks = [False, False, True, False]
        used = {CLASSIFIER: [False] * attacks + tasks, PRIOR: [True] * attacks + tasks}
        assert there == _list_attacked(figure) | used
    assert {len(row.published) for row in record.rows} == {len(record.columns)} == {attacks + 4}
    assert [plot.title for plot in record.plots] == [*record.columns[:attacks], "SUBJ"]
    assert [point.at for point in record.plots[0].curves[0].points] == [0, 0.5]
    assert any("--encoder Transformer=dual:transformer" in note for note in record.differs)


def _list_attacked(figure):
    """Relaxation has a line of its own."""
    if figure == "figure7":
        return {by: [True] * 2 + [False] * 4 for by in (PAPER, OURS)}
    whole = {by: [True] * 3 + [False] * 5 for by in (PAPER, OURS)}
    return whole | {f"{by}, Equation 5": [False] * 3 + [True] + [False] * 4 for by in (PAPER, OURS)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epochs": 40}, "train at most 40 epochs (30); those of the white box descend for at most"),
        ({"steps": None}, "descend until they converge, relaxation over all words"),
        ({"patience": 5, "searched": 9}, "multi-set prediction until 5 without a lower loss"),
        ({"searched": 9}, "relaxation over the 9 most frequent words"),
    ],
)
def test_the_notes_of_figure_6_say_how_long_the_attacks_train(changes, said):
    (note,) = figure6._attack_notes(replace(SCALES["small"], **changes))
    assert said in note
    assert not figure6._attack_notes(replace(SCALES["small"], published=False))


@pytest.mark.usefixtures("tiny")
def test_the_papers_recipes_can_be_left_out(tiny_run, monkeypatch):
    """They take minutes per lambda; our attacks are in closed form, so that a whole curve takes as long as one row."""
    monkeypatch.setattr("vestige.papers.song2020.figure6.LAMBDAS", {})
    run = replace(tiny_run, sizes=replace(tiny_run.sizes, published=False))
    (row,) = PAPERS["song2020"].load().reproduce("figure6", "test", run).rows
    assert [line.by for line in row.lines] == [OURS, f"{OURS}, Equation 5", CLASSIFIER, PRIOR]


def test_a_small_scale_trains_the_first_encoder_and_those_that_are_named():
    study = Corpus("study", ["One. Two."])
    named = {"Transformer": "dual:transformer"}
    runs = PaperRun(SCALES["small"]), PaperRun(SCALES["small"], encoders=named), PaperRun(SCALES["full"])
    found = [[target.model for target in load_learners(run, study, [study])] for run in runs]
    assert found == [["LSTM"], ["LSTM", "Transformer"], ["LSTM", "Transformer"]]


def test_a_larger_scale_tries_every_lambda():
    small, full = (list_trials(SCALES[scale], figure6.LAMBDAS) for scale in ("small", "full"))
    assert len(small) < len(full) == 1 + sum(map(len, figure6.LAMBDAS.values()))


def test_the_lambdas_of_a_run_replace_those_of_the_figure():
    trials = list_trials(replace(SCALES["small"], lambdas=(5.0, 7.0)), figure6.LAMBDAS)
    assert [(trial.adversary, trial.strength) for trial in trials[1:]] == [
        (kind, value) for kind in figure6.LAMBDAS for value in (5.0, 7.0)
    ]


@pytest.mark.usefixtures("tiny")
def test_an_encoder_that_has_learned_already_is_attacked_as_it_is(duals, tiny_run, monkeypatch):
    monkeypatch.setattr("vestige.attacks.sparse.STEPS", 20)
    run = replace(tiny_run, encoders={"LSTM": f"saved:{duals / 'lstm'}"})
    record = PAPERS["song2020"].load().reproduce("figure6", "test", run)
    assert [(row.section, row.model, row.here) for row in record.rows] == [(GIVEN, "LSTM", "saved:lstm")]
    assert any("'saved:lstm', which has learned already: it is attacked as it is" in note for note in record.differs)


def test_the_published_recipe_can_be_named():
    study = Corpus("study", ["One. Two."])
    run = PaperRun(SCALES["small"], encoders={"LSTM": "dual:lstm:paper"})
    (target,) = load_learners(run, study, [study])
    assert target.encoder.recipe == DualRecipe.paper("lstm")


def test_an_encoder_that_cannot_be_trained_against_an_adversary_is_refused():
    study = Corpus("study", ["One. Two."])
    with pytest.raises(InputError, match="'tfidf' cannot be trained against an adversary"):
        load_learners(PaperRun(SCALES["small"], encoders={"LSTM": "tfidf"}), study, [study])
