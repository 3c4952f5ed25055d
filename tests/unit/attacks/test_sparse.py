import numpy as np
import pytest
import torch
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from tests.alike import assert_alike
from tests.toy_box import ToyBox
from vestige.attacks.priors import FixedWords
from vestige.attacks.sparse import SparseInverter, projected_adam
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


def test_the_paper_recipe_claims_coefficients_above_its_threshold(split, paper):
    guesses = paper.infer(split[2])
    assert f1_of(guesses, split[3]) == pytest.approx(0.936, abs=0.01)
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        assert claimed == {word for word, coefficient in ranked if coefficient > 0.01}


def test_cut_off_after_a_few_steps_the_paper_recipe_reads_less(split, box, paper):
    """What its convergence is for: the words of the toy are eight long, and far from zero at a thousandth a step."""
    few = fit(*split[:2], box, recipe="paper", steps=300)
    assert f1_of(few.infer(split[2]), split[3]) < f1_of(paper.infer(split[2]), split[3]) - 0.5


def test_it_is_at_least_as_good_as_the_paper_recipe(split, paper, default):
    assert f1_of(default.infer(split[2]), split[3]) >= f1_of(paper.infer(split[2]), split[3])


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
        ({"recipe": "paper", "steps": 0}, "'steps' parameter must be at least 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(box, settings, message):
    with pytest.raises(InputError, match=message):
        fit(np.zeros((30, 4), np.float32), ["bacox"] * 30, box, **settings)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(12, 8))
    codes = np.where(rng.random((5, 12)) < 0.3, rng.random((5, 12)), 0)
    return atoms, codes @ atoms + 0.05 * rng.normal(size=(5, 8))


def test_orthogonal_atoms_give_the_soft_threshold():
    """By hand: |z - t|² + 0.5·z is least at t - 0.25, and at 0 where that is negative."""
    codes = projected_adam(torch.eye(3), torch.tensor([[1.0, 0.2, -1.0]]), penalty=0.5, rate=0.01, steps=2000)
    assert codes.numpy() == pytest.approx(np.array([[0.75, 0, 0]]), abs=1e-3)


@pytest.fixture
def to_the_end(monkeypatch):
    """Nothing is little enough to stop at."""
    monkeypatch.setattr("vestige.attacks.convergence.TOLERANCE", 0.0)


def lasso_of(atoms, targets, penalty):
    """scikit-learn halves the mean of squares."""
    lasso = Lasso(alpha=penalty / (2 * atoms.shape[1]), positive=True, fit_intercept=False, tol=1e-10, max_iter=100_000)
    return np.array([lasso.fit(atoms.T, target).coef_ for target in targets])


@pytest.mark.usefixtures("to_the_end")
def test_projected_adam_finds_the_lasso_of_scikit_learn(problem):
    atoms, targets = problem
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.4, rate=3e-3, steps=6000)
    assert codes.numpy() == pytest.approx(lasso_of(atoms, targets, 0.4), abs=2e-3)


@pytest.mark.usefixtures("to_the_end")
def test_without_a_penalty_it_is_non_negative_least_squares(problem):
    atoms, targets = problem[0][:6], problem[1]
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.0, rate=3e-3, steps=6000)
    for code, target in zip(codes.numpy(), targets, strict=True):
        assert code == pytest.approx(nnls(atoms.T, target)[0], abs=2e-3)


def test_as_published_it_stops_where_the_lasso_is_as_good_as_reached():
    """Adam 1e-3 and penalty 0.1, as the paper has it, and the stop as it is."""
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(40, 60)) / 8
    targets = np.where(rng.random((20, 40)) < 0.15, rng.random((20, 40)), 0) @ atoms
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.1).numpy()
    best = lasso_of(atoms, targets, 0.1)
    reached, least = (np.square(z @ atoms - targets).sum(axis=1) + 0.1 * z.sum(axis=1) for z in (codes, best))
    assert reached == pytest.approx(least, rel=1e-3)
    assert codes == pytest.approx(best, abs=0.02)
    assert ((codes > 0.01) == (best > 0.01)).all()


def test_a_target_stops_by_itself(problem):
    """One that is soon reached gets the same code beside one that is far."""
    atoms, near, far = torch.tensor(problem[0]), torch.tensor(problem[1][:1]), torch.tensor(9 * problem[1][1:2])
    beside, twice = (projected_adam(atoms, torch.cat([near, other]), penalty=0.4) for other in (far, near))
    assert beside[0].numpy() == pytest.approx(twice[0].numpy(), abs=1e-9)


def test_pieces_depend_on_their_own_vector_alone(split, box):
    attack = fit(*split[:2], box, guess="pieces")
    together = attack.infer(split[2][:6])
    backwards = attack.infer(split[2][:6][::-1])
    assert_alike(WordGuesses(backwards.sets[::-1], backwards.ranked[::-1]), together)
    assert_alike(attack.infer(split[2][4:5]), WordGuesses(together.sets[4:5], together.ranked[4:5]))
