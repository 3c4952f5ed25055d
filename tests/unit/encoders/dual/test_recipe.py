import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.unit.encoders.dual.conftest import SMALL, TEXTS, fit, mean_reciprocal_rank, scatter_sentences, topical
from vestige.encoders.dual.recipe import DualRecipe, add_adversaries
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


def test_the_published_settings():
    lstm, transformer = DualRecipe.paper("lstm"), DualRecipe.paper("transformer")
    assert (lstm.dimension, lstm.epochs, lstm.learning_rate, lstm.batch) == (1200, 1, 5e-4, 808)
    assert (transformer.dimension, transformer.layers, transformer.epochs, transformer.batch) == (600, 3, 5, 808)


def test_the_published_recipe_trains(architecture):
    paper = replace(DualRecipe.paper(architecture), dimension=32, batch=100, epochs=2)
    encoder = paper.fit(topical(40, seed=1), rng=np.random.default_rng(0))
    assert not encoder.network.shape.normed
    assert np.isfinite(encoder.encode(TEXTS)).all()
