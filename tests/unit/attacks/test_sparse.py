import numpy as np
import pytest

from tests.alike import assert_alike
from tests.toy_box import ToyBox
from vestige.attacks.priors import FixedWords
from vestige.attacks.sparse import SparseInverter
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words
from vestige.types import WordGuesses


@pytest.fixture(scope="module")
def box():
    return ToyBox()


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:700], texts[:700], vectors[-60:], [content_words(text) for text in texts[-60:]]


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, box, **settings):
    return SparseInverter(**settings).fit(vectors, texts, box=box, rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def default(split, box):
    return fit(*split[:2], box)


@pytest.fixture(scope="module")
def paper(split, box):
    return fit(*split[:2], box, recipe="paper")


def test_it_reads_nearly_every_word_of_a_mean_of_words(split, default):
    assert f1_of(default.infer(split[2]), split[3]) == pytest.approx(0.957, abs=0.01)


def test_pieces_that_are_words_are_read_as_well(split, box):
    assert f1_of(fit(*split[:2], box, guess="pieces").infer(split[2]), split[3]) == pytest.approx(0.957, abs=0.01)


def test_fitted_on_shuffled_pairs_it_reads_no_more_than_guessing(split, box):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    shuffled = fit(np.random.default_rng(1).permutation(vectors), texts, box)
    assert f1_of(shuffled.infer(targets), truth) == pytest.approx(prior, abs=0.05)


def test_the_word_matrix_reads_words_that_few_texts_hold(toy_pairs, box):
    """Positive control of the white box: with few pairs, a word matrix that belongs to other words helps less."""
    vectors, texts = toy_pairs
    truth = [content_words(text) for text in texts[-100:]]
    wrong = ToyBox()
    wrong.word_matrix = wrong.word_matrix.flip(0)
    ours, theirs = (
        f1_of(fit(vectors[:150], texts[:150], any_box).infer(vectors[-100:]), truth) for any_box in (box, wrong)
    )
    assert ours > theirs + 0.03


def test_the_paper_recipe_claims_coefficients_above_the_threshold_that_it_chose(split, paper):
    guesses = paper.infer(split[2])
    assert f1_of(guesses, split[3]) > 0.95
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        assert claimed == {word for word, coefficient in ranked if coefficient > paper.settings_.threshold}


def test_the_paper_recipe_logs_that_every_descent_converged(split, paper):
    log = paper.infer(split[2]).log
    assert log.converged
    assert "60 of 60 targets did" in log.rule
    assert log.curve[-1][1] < log.curve[0][1]


def test_the_settings_of_the_paper_can_be_had_as_they_are(split, box):
    stated = fit(*split[:2], box, recipe="paper", penalty=0.1, threshold=0.01)
    assert (stated.settings_.penalty, stated.settings_.threshold) == (0.1, 0.01)
    assert f1_of(stated.infer(split[2]), split[3]) == pytest.approx(0.936, abs=0.01)
    assert fit(*split[:2], box, recipe="paper", penalty=0.1).settings_.penalty == 0.1
    assert fit(*split[:2], box, recipe="paper", threshold=0.02).settings_.threshold == 0.02


def test_cut_off_after_a_few_steps_the_paper_recipe_reads_less(split, box, paper):
    """What its convergence is for: the words of the toy are eight long, and far from zero at a thousandth a step."""
    stated = {"penalty": paper.settings_.penalty, "threshold": paper.settings_.threshold}
    few = fit(*split[:2], box, recipe="paper", steps=50, **stated).infer(split[2])
    assert f1_of(few, split[3]) < f1_of(paper.infer(split[2]), split[3]) - 0.2
    assert not few.log.converged
    assert "0 of 60 targets did" in few.log.rule


def test_its_probabilities_are_calibrated(split, box):
    vectors, texts, targets, truth = split
    rng = np.random.default_rng(3)
    blurred, seen = (part + rng.normal(scale=0.1, size=part.shape).astype(np.float32) for part in (vectors, targets))
    ranked = fit(blurred, texts, box).infer(seen).ranked
    pairs = np.array([(p, word in words) for row, words in zip(ranked, truth, strict=True) for word, p in row])
    bins = [pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < low + 0.25)] for low in (0.0, 0.25, 0.5, 0.75)]
    full = [inside for inside in bins if len(inside) > 60]
    assert len(full) >= 3
    for inside in full:
        assert inside[:, 1].mean() == pytest.approx(inside[:, 0].mean(), abs=0.12)


def test_fit_leaves_the_box_alone(split, box):
    matrix = box.word_matrix.clone()
    fit(*split[:2], box)
    assert (box.word_matrix == matrix).all()


def test_vectors_that_do_not_vary_are_no_trouble(box):
    texts = ["Bacox duponex bafex." if row % 2 else "Bacox bafex gibax." for row in range(60)]
    guesses = fit(np.ones((60, 4), np.float32), texts, box).infer(np.ones((2, 4), np.float32))
    assert "bacox" in guesses.sets[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "papier"}, "'recipe' parameter must be 'default' or 'paper'. Got 'papier'"),
        ({"guess": "letters"}, "'guess' parameter must be"),
        ({"vocabulary_size": 0}, "'vocabulary_size' parameter must be at least 1. Got 0"),
        ({"steps": 300}, "'steps' parameter must be omitted with recipe 'default'"),
        ({"penalty": 0.1}, "'penalty' parameter must be omitted with recipe 'default'"),
        ({"recipe": "paper", "steps": 0}, "'steps' parameter must be at least 1"),
        ({"recipe": "paper", "threshold": -1.0}, "'threshold' parameter must be at least 0"),
    ],
)
def test_what_cannot_be_fitted_is_said(box, settings, message):
    with pytest.raises(InputError, match=message):
        fit(np.zeros((30, 4), np.float32), ["bacox"] * 30, box, **settings)


def test_pieces_depend_on_their_own_vector_alone(split, box):
    attack = fit(*split[:2], box, guess="pieces")
    together = attack.infer(split[2][:6])
    backwards = attack.infer(split[2][:6][::-1])
    assert_alike(WordGuesses(backwards.sets[::-1], backwards.ranked[::-1]), together)
    assert_alike(attack.infer(split[2][4:5]), WordGuesses(together.sets[4:5], together.ranked[4:5]))
