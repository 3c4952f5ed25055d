from dataclasses import replace

import numpy as np
import pytest

from tests.alike import assert_alike
from tests.toy_box import ToyBox
from vestige.attacks.priors import FixedWords
from vestige.attacks.relaxed import RATES, TEMPERATURES, RelaxedInverter
from vestige.encoders.dual.recipe import DualRecipe
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import load_corpus
from vestige.text.words import content_words
from vestige.types import WordGuesses


@pytest.fixture(scope="module")
def box():
    return ToyBox(turned=True)


@pytest.fixture(scope="module")
def split(toy_pairs, box):
    texts = toy_pairs[1][:460]
    vectors = box.encode(texts)
    return vectors[:-50], texts[:-50], vectors[-50:], texts[-50:]


def f1_of(guesses, texts):
    return word_recovery(guesses.sets, [content_words(text) for text in texts]).f1.mean()


def fit(split, box, **settings):
    return RelaxedInverter(**settings).fit(split[0], split[1], box=box, rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def default(split, box):
    return fit(split, box)


@pytest.fixture(scope="module")
def prior(split):
    """0.42, by guessing."""
    return f1_of(FixedWords().fit(split[1]).infer(split[2]), split[3])


def test_it_reads_nearly_every_word_at_the_output(split, default, prior):
    reached = f1_of(default.infer(split[2]), split[3])
    assert reached == pytest.approx(0.949, abs=0.015)
    assert reached > prior + 0.5


def test_it_reads_words_at_a_lower_layer_through_the_map(split, box):
    assert f1_of(fit(split, box, layer=0).infer(split[2]), split[3]) == pytest.approx(0.929, abs=0.02)
    at_one = fit(split, box, layer=1, guess="pieces").infer(split[2])
    assert f1_of(at_one, split[3]) == pytest.approx(0.949, abs=0.015)


def test_the_paper_recipe_with_known_lengths_reads_more_than_guessing(split, box, prior):
    """Positive control: through an encoder that turns the other way, it reads nothing."""
    wrong = ToyBox(turned=True)
    wrong.rotation = box.rotation.flip(1)
    lengths = [len(box.word_ids(text)) for text in split[3][:16]]

    def reads(box):
        attack = fit(split, box, recipe="paper", steps=1500)
        return f1_of(attack.infer(split[2][:16], lengths=lengths), split[3][:16])

    assert reads(box) > prior + 0.1
    assert reads(wrong) < 0.1


@pytest.fixture(scope="module")
def alone(box):
    """The paper's adversary: the encoder, and nothing else."""
    return RelaxedInverter(recipe="paper", guess="pieces").fit(box=box, rng=np.random.default_rng(0))


def test_the_paper_recipe_needs_no_pairs_and_searches_the_whole_vocabulary(split, box, alone, prior):
    lengths = [len(box.word_ids(text)) for text in split[3][:8]]
    guesses = alone.infer(split[2][:8], lengths=lengths)
    assert {alone.box_.words[piece] for piece in alone.pieces_} == set(box.words)
    assert f1_of(guesses, split[3][:8]) > prior + 0.1
    assert guesses.log.converged
    assert "8 of 8 targets did" in guesses.log.rule
    assert guesses.log.curve[-1][1] < 0.1 * guesses.log.curve[0][1]


def test_a_descent_that_is_cut_off_is_logged_as_such(split, box):
    cut = RelaxedInverter(recipe="paper", guess="pieces", steps=60).fit(box=box, rng=np.random.default_rng(0))
    log = cut.infer(split[2][:2], lengths=[6, 7]).log
    assert (log.converged, log.steps, len(log.curve)) == (False, 60, 2)


def test_without_pairs_the_lengths_must_be_given(split, alone):
    with pytest.raises(InputError, match="give infer one length per target"):
        alone.infer(split[2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "only recipe 'paper' with guess 'pieces'"),
        ({"recipe": "paper"}, "only recipe 'paper' with guess 'pieces'"),
        ({"recipe": "paper", "guess": "pieces", "layer": 0}, "without a layer"),
        ({"recipe": "paper", "guess": "pieces", "temperature": "tuned"}, "with a given temperature"),
        ({"recipe": "paper", "guess": "pieces", "vocabulary_size": 9}, "'vocabulary_size' parameter must be omitted"),
    ],
)
def test_what_needs_pairs_is_said(box, settings, message):
    with pytest.raises(InputError, match=message):
        RelaxedInverter(**settings).fit(box=box, rng=np.random.default_rng(0))


def test_the_noise_of_the_start_can_be_set(box):
    def spread(**settings):
        attack = RelaxedInverter(recipe="paper", guess="pieces", **settings).fit(box=box, rng=np.random.default_rng(0))
        start = attack.start_.start(np.zeros(100, np.float32), 50)
        return float(start.min()), float(start.max()), float(start.mean())

    assert spread() == pytest.approx((-0.1, 0.1, 0), abs=0.005)
    assert spread(noise=1.0) == pytest.approx((-1, 1, 0), abs=0.05)


def test_half_of_a_pair_is_refused(split, box):
    with pytest.raises(InputError, match="give both, or neither"):
        RelaxedInverter(recipe="paper").fit(split[0], box=box, rng=np.random.default_rng(0))


def test_the_temperature_can_be_set_or_chosen_on_known_texts(split, box):
    assert fit(split, box, recipe="paper", temperature=0.3).descent_.temperature == 0.3
    tuned = fit(split, box, recipe="paper", temperature="tuned", steps=100)
    assert tuned.descent_.temperature in TEMPERATURES
    assert tuned.descent_.steps == 100


def test_the_rate_is_chosen_on_known_texts_with_the_temperature(split, box):
    """At the stated rate, a hundred steps leave every position a mixture."""
    stated, tuned = (fit(split, box, recipe="paper", steps=100, **each) for each in ({}, {"temperature": "tuned"}))
    assert tuned.descent_.rate in RATES
    assert tuned.descent_.rate > stated.descent_.rate == 1e-3
    found = tuned.infer(split[2])
    assert f1_of(found, split[3]) > f1_of(stated.infer(split[2]), split[3]) + 0.2
    assert found.log is not None
    assert f"rate {tuned.descent_.rate:g}, temperature {tuned.descent_.temperature:g}" in found.log.rule


def test_a_length_is_how_many_words_are_claimed_at_most(split, default):
    assert max(len(words) for words in default.infer(split[2], lengths=[2] * 50).sets) <= 2


def test_with_other_weights_than_the_encoders_it_reads_less(split, default, box):
    """Positive control of the descent: through an encoder that turns the other way, it leaves the words."""
    wrong = ToyBox(turned=True)
    wrong.rotation = box.rotation.flip(1)
    assert f1_of(fit(split, wrong).infer(split[2]), split[3]) < f1_of(default.infer(split[2]), split[3]) - 0.2


def test_fit_and_infer_leave_the_box_alone(split, box):
    matrix = box.word_matrix.clone()
    fit(split, box).infer(split[2][:2])
    assert (box.word_matrix == matrix).all()
    assert box.word_matrix.grad is None


@pytest.mark.parametrize("layer", [None, 0, 1])
def test_texts_without_a_piece_are_left_out(split, box, layer):
    """With a layer, their state would be the mean of nothing."""
    vectors, texts = split[0][:100], [text if row % 3 else "Zebra!" for row, text in enumerate(split[1][:100])]
    attack = RelaxedInverter(layer=layer).fit(vectors, texts, box=box, rng=np.random.default_rng(0))
    spoken = [row for row in range(100) if row % 3]
    without = RelaxedInverter(layer=layer).fit(
        vectors[spoken], [texts[row] for row in spoken], box=box, rng=np.random.default_rng(0)
    )
    pairs = zip(attack.infer(split[2]).sets, without.infer(split[2]).sets, strict=True)
    # The statistics are summed over other rows: a near tie may end otherwise on some processors.
    assert np.mean([one == other for one, other in pairs]) > 0.9
    with pytest.raises(InputError, match="16 of 24 texts have a word that the encoder knows"):
        RelaxedInverter().fit(vectors[:24], texts[:24], box=box, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "papier"}, "'recipe' parameter must be 'default' or 'paper'. Got 'papier'"),
        ({"guess": "letters"}, "'guess' parameter must be"),
        ({"steps": 0}, "'steps' parameter must be at least 1. Got 0"),
        ({"layer": 2}, "'layer' parameter must be between 0 and 1. Got 2"),
        ({"temperature": 0.0}, "'temperature' parameter must be a number above 0"),
        ({"vocabulary_size": 0}, "'vocabulary_size' parameter must be at least 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(split, box, settings, message):
    with pytest.raises(InputError, match=message):
        fit(split, box, **settings)


def test_lengths_must_be_one_a_target_and_at_least_one(split, default):
    with pytest.raises(InputError, match="50 targets but 3 lengths"):
        default.infer(split[2], lengths=[4, 4, 4])
    with pytest.raises(InputError, match="'lengths' parameter must be at least 1"):
        default.infer(split[2][:1], lengths=[0])


def test_pieces_at_a_lower_layer_depend_on_their_own_vector_alone(split, box):
    attack = fit(split, box, guess="pieces", layer=0, steps=10)
    together = attack.infer(split[2][:6])
    backwards = attack.infer(split[2][:6][::-1])
    assert_alike(WordGuesses(backwards.sets[::-1], backwards.ranked[::-1]), together)
    assert_alike(attack.infer(split[2][4:5]), WordGuesses(together.sets[4:5], together.ranked[4:5]))


@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_targets_of_several_lengths_descend_together_as_each_would_alone(architecture):
    """A dual encoder maps several lengths at once; neither neighbours nor places past its end move a text."""
    speeches = load_corpus("speeches").take(range(3))
    encoder = replace(DualRecipe.default(architecture), dimension=16, epochs=1).fit(
        speeches, rng=np.random.default_rng(0)
    )
    box, texts = encoder.white_box(), ["The people of the nation.", "No.", "We have made a treaty of peace with them."]
    attack = RelaxedInverter(recipe="paper", guess="pieces", steps=100).fit(box=box, rng=np.random.default_rng(0))
    lengths, vectors = [len(box.word_ids(text)) for text in texts], encoder.encode(texts)
    together = attack.infer(vectors, lengths=lengths)
    alone = [attack.infer(vectors[[row]], lengths=lengths[row : row + 1]) for row in range(3)]
    assert together.sets == [one.sets[0] for one in alone]
    assert together.log.curve[-1][1] == pytest.approx(np.mean([one.log.curve[-1][1] for one in alone]), rel=1e-3)
