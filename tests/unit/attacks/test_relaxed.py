import numpy as np
import pytest

from tests.toy_box import ToyBox
from vestige.attacks.relaxed import RelaxedInverter
from vestige.errors import InputError, NotFitted
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words
from vestige.types import WordGuesses


@pytest.fixture(scope="module")
def box():
    return ToyBox(turned=True)


@pytest.fixture(scope="module")
def split(toy_pairs, box):
    texts = toy_pairs[1][:420]
    vectors = box.encode(texts)
    return vectors[:-10], texts[:-10], vectors[-10:], texts[-10:]


def f1_of(guesses, texts):
    return word_recovery(guesses.sets, [content_words(text) for text in texts]).f1.mean()


def fit(split, box, **settings):
    return RelaxedInverter(**settings).fit(split[0], split[1], box=box, rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def default(split, box):
    return fit(split, box)


def test_it_reads_nearly_every_word_at_the_output(split, default):
    assert f1_of(default.infer(split[2]), split[3]) > 0.9


def test_it_reads_words_at_a_lower_layer_through_the_map(split, box):
    assert f1_of(fit(split, box, layer=0).infer(split[2]), split[3]) > 0.8
    assert f1_of(fit(split, box, layer=1, guess="pieces").infer(split[2]), split[3]) > 0.8


def test_the_paper_recipe_with_known_lengths(split, box):
    lengths = [len(box.word_ids(text)) for text in split[3][:4]]
    paper = fit(split, box, recipe="paper", steps=400).infer(split[2][:4], lengths=lengths)
    assert f1_of(paper, split[3][:4]) > 0.5


def test_a_length_is_how_many_words_are_claimed_at_most(split, default):
    assert max(len(words) for words in default.infer(split[2], lengths=[2] * 10).sets) <= 2


def test_with_other_weights_than_the_encoders_it_reads_less(split, default, box):
    """Positive control of the descent: through an encoder that turns the other way, it leaves the words."""
    wrong = ToyBox(turned=True)
    wrong.rotation = box.rotation.flip(1)
    assert f1_of(fit(split, wrong).infer(split[2]), split[3]) < f1_of(default.infer(split[2]), split[3]) - 0.2


@pytest.mark.parametrize("settings", [{}, {"guess": "pieces", "layer": 0}, {"recipe": "paper", "steps": 5}])
def test_guesses_are_ranked_probable_and_each_its_own(split, box, settings):
    attack, targets = fit(split, box, **settings), split[2][:6]
    guesses = attack.infer(targets)
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        words, chances = [word for word, _ in ranked], [chance for _, chance in ranked]
        assert len(set(words)) == len(words)
        assert claimed <= set(words)
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
    assert attack.infer(targets[::-1]).sets == guesses.sets[::-1]
    assert attack.infer(targets[3:4]).sets == guesses.sets[3:4]
    assert attack.infer(targets[:0]) == WordGuesses([], [])
    assert fit(split, box, **settings).infer(targets) == guesses


def test_fit_and_infer_leave_what_they_were_given_alone(toy_pairs, split, box):
    vectors, matrix = split[0].copy(), box.word_matrix.clone()
    fit(split, box).infer(split[2][:2])
    assert (vectors == split[0]).all()
    assert split[1] == toy_pairs[1][:410]
    assert (box.word_matrix == matrix).all()
    assert box.word_matrix.grad is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "papier"}, "'recipe' parameter must be 'default' or 'paper'. Got 'papier'"),
        ({"guess": "letters"}, "'guess' parameter must be"),
        ({"steps": 0}, "'steps' parameter must be at least 1. Got 0"),
        ({"layer": 2}, "'layer' parameter must be between 0 and 1. Got 2"),
        ({"vocabulary_size": 0}, "'vocabulary_size' parameter must be at least 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(split, box, settings, message):
    with pytest.raises(InputError, match=message):
        fit(split, box, **settings)


def test_lengths_must_be_one_a_target_and_at_least_one(split, default):
    with pytest.raises(InputError, match="10 targets but 3 lengths"):
        default.infer(split[2], lengths=[4, 4, 4])
    with pytest.raises(InputError, match="'lengths' parameter must be at least 1"):
        default.infer(split[2][:1], lengths=[0])


def test_infer_before_fit_says_so():
    with pytest.raises(NotFitted, match="fit"):
        RelaxedInverter().infer(np.zeros((2, 5), np.float32))
