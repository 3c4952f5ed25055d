import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.unit.encoders.dual.conftest import SMALL, TEXTS, fit, mean_reciprocal_rank, scatter_sentences, topical
from vestige.encoders.dual.recipe import DualRecipe, add_adversaries, parse_dual
from vestige.encoders.dual.training import BatchPlan
from vestige.encoders.fitted import LearnedEncoder
from vestige.encoders.load import load_learned
from vestige.encoders.saved import load_saved, save_encoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus


def test_the_saved_recipe_includes_the_adversaries(fitted, tmp_path):
    encoder = fitted(against_words=0.1, against_attributes=(("author", 2.0),), epochs=1)
    save_encoder(encoder, tmp_path / "saved")
    recipe = json.loads((tmp_path / "saved" / "encoder.json").read_text())["settings"]["recipe"]
    assert (recipe["against_words"], recipe["against_attributes"], recipe["epochs"]) == (0.1, [["author", 2.0]], 1)
    again = load_saved(str(tmp_path / "saved"))
    assert again.identity == encoder.identity
    assert (again.encode(["A word."]) == encoder.encode(["A word."])).all()


def test_other_labels_make_another_encoder(corpora):
    swapped = replace(corpora[0], attributes={"author": corpora[0].attributes["author"][::-1]})
    recipe = replace(SMALL["lstm"], against_attributes=(("author", 1.0),))
    assert LearnedEncoder("a", recipe, corpora[0]).identity != LearnedEncoder("a", recipe, swapped).identity
    assert (
        LearnedEncoder("a", SMALL["lstm"], corpora[0]).identity == LearnedEncoder("a", SMALL["lstm"], swapped).identity
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"against_attributes": (("auther", 1.0),)}, "has no column 'auther'; did you mean 'author'"),
        ({"against_words": -1.0}, "the lambda of words must be a number, at least 0. Got -1 instead"),
        ({"against_attributes": (("author", float("nan")),)}, "the lambda of column 'author' must be a number"),
    ],
)
def test_lambdas_that_make_no_sense_are_refused(changed, message, fitted):
    with pytest.raises(InputError, match=message):
        fitted(**changed)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"author": ["one"]}, "holds 1 labels; expected two labels or more"),
        ({"author": [["one"]]}, "holds lists or records"),
        ({}, "has texts and no column 'author'; give a .csv"),
    ],
)
def test_a_column_without_two_labels_cannot_be_hidden(columns, message, corpora):
    other = replace(corpora[0], attributes={name: values * len(corpora[0]) for name, values in columns.items()})
    with pytest.raises(InputError, match=message):
        replace(SMALL["lstm"], against_attributes=(("author", 1.0),)).fit(other, rng=np.random.default_rng(0))


def test_only_dual_encoders_are_trained_against_adversaries(corpora):
    with pytest.raises(InputError, match="encoder 'tfidf' cannot be trained against an adversary"):
        add_adversaries(load_learned("tfidf", corpora[0]), words=1.0)
    assert add_adversaries(load_learned("dual:lstm", corpora[0]), words=1.0).recipe.against_words == 1.0


def test_the_next_sentence_of_unseen_documents_is_found_and_without_order_it_is_not(encoder, architecture):
    unseen = topical(100, seed=2)
    chance = float(np.mean(1 / np.arange(1, 101)))
    shuffled = fit(architecture, scatter_sentences(topical(80, seed=1), seed=3))
    assert mean_reciprocal_rank(encoder, unseen) > 4 * chance
    assert mean_reciprocal_rank(shuffled, unseen) < 2 * chance


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(architecture):
    before = torch.get_rng_state()
    first, again, other = (fit(architecture, topical(20, seed=1), seed, epochs=2) for seed in (5, 5, 6))
    assert first.identity == again.identity != other.identity
    assert (torch.get_rng_state() == before).all()


def test_progress_reaches_the_end():
    seen = []

    def progress(task, total):
        seen.append((task, total))
        return seen.append

    replace(SMALL["lstm"], epochs=2).fit(topical(40, seed=1), rng=np.random.default_rng(0), progress=progress)
    assert seen == [("training dual:lstm", 4), 1, 1, 1, 1]
    assert BatchPlan(2, 100, 8).batches([range(240)]) == 2


def test_sentences_in_documents_of_their_own_are_refused_with_the_remedy():
    with pytest.raises(InputError, match=r"2 sentences in 2 documents and no two in one.*name the column"):
        DualRecipe().fit(Corpus("loose", ["One.", "Two."]), rng=np.random.default_rng(0))


def test_the_published_recipe_trains(architecture):
    paper = replace(DualRecipe.paper(architecture), dimension=32, batch=100, epochs=2)
    encoder = paper.fit(topical(40, seed=1), rng=np.random.default_rng(0))
    assert not encoder.network.shape.normed
    assert encoder.recipe["clip"] is None
    assert np.isfinite(encoder.encode(TEXTS)).all()


@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_the_paper_has_a_spec_string(architecture):
    assert parse_dual(f"{architecture}:paper") == DualRecipe.paper(architecture)
    assert parse_dual(architecture, recipe="paper") == DualRecipe.paper(architecture)
    assert parse_dual(architecture) == DualRecipe.default(architecture)
    learned = load_learned(f"dual:{architecture}:paper", topical(4, seed=1))
    assert learned.name == f"dual:{architecture}:paper"
    with pytest.raises(InputError, match="expected dual:lstm or dual:transformer, with the settings of the paper"):
        parse_dual(f"{architecture}:papers")


@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_a_number_in_the_spec_changes_only_the_dimension(architecture):
    assert parse_dual(f"{architecture}:64") == replace(DualRecipe.default(architecture), dimension=64)
    learned = load_learned(f"dual:{architecture}:64", topical(4, seed=1))
    assert (learned.name, learned.encode(["a b"]).shape) == (f"dual:{architecture}:64", (1, 64))


@pytest.mark.parametrize(("argument", "recipe"), [("transformer:65", "default"), ("lstm:64", "paper")])
def test_a_dimension_that_cannot_be_is_refused(argument, recipe):
    with pytest.raises(InputError, match=r"expected a multiple of 4, and our recipe"):
        parse_dual(argument, recipe=recipe)


def test_the_encoder_says_how_its_training_ended(architecture, tmp_path):
    encoder = fit(architecture, topical(80, seed=1))
    log = encoder.log
    assert [step for step, _ in log.curve] == sorted({step for step, _ in log.curve})
    assert log.curve[-1][0] == log.steps
    assert log.converged, "the learning rate has declined to 0"
    save_encoder(encoder, tmp_path / "saved")
    assert load_saved(str(tmp_path / "saved")).encoder.log == log


def test_a_training_that_was_cut_off_has_not_converged(architecture):
    short = fit(architecture, topical(80, seed=1), epochs=1, warm_up=0, decline="none", learning_rate=1e-4)
    assert not short.log.converged
