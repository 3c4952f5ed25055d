"""The published recurrent decoders: losses by hand, and training."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.multiset.recurrent import RECIPES, SetDecoder, _Training, multiset_loss, roll_out, roll_out_loss
from vestige.attacks.priors import FixedWords
from vestige.attacks.training_set import TrainingSet
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:-200], texts[:-200], vectors[-200:], [content_words(text) for text in texts[-200:]]


def taught(vectors, texts):
    return TrainingSet.build(vectors, texts, None, vocabulary_size=8000, rare_words=0.0, rng=np.random.default_rng(0))


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, seed=0, **settings):
    return MultiSetInverter(**settings).fit(vectors, texts, rng=np.random.default_rng(seed))


def test_word_vectors_are_the_matrix_of_words_of_the_lstm(toy_pairs):
    vectors, texts = toy_pairs[0][:60], toy_pairs[1][:60]
    words = sorted(set().union(*(content_words(text) for text in texts)))
    single_words = {word: np.random.default_rng(row).normal(size=7) for row, word in enumerate(words)}
    pairs = taught(vectors, texts)
    matrix = _Training(pairs, RECIPES["song"], single_words, 1, False).model.words.detach().numpy()
    given = np.array([single_words[word] for word in pairs.vocabulary.words])
    assert matrix.shape == (len(words), 7)
    assert np.corrcoef(matrix[0], given[0] - given.mean(axis=0))[0, 1] > 0.999


def test_the_loss_of_one_step_by_hand():
    """P = softmax(0, ln 2, ln 5) = 1/8, 2/8, 5/8; words 0 and 1 are left: (ln 8 + ln 4) / 2."""
    logits = torch.tensor([[0.0, np.log(2), np.log(5)]] * 3, dtype=torch.float32)
    left = torch.tensor([[1.0, 1, 0], [0, 0, 0], [3, 1, 0]])
    expected = [(np.log(8) + np.log(4)) / 2, 0.0, (3 * np.log(8) + np.log(4)) / 4]
    assert multiset_loss(logits, left).tolist() == pytest.approx(expected, rel=1e-5)


class _Scripted(SetDecoder):
    """Gives the logits of the script, step by step, whatever it is fed."""

    def __init__(self, script):
        super().__init__(2, 2, 4, 0.0, ends=len(script[0]) > 2)
        self.script, self.now = script, 0

    def step(self, inputs, state):
        self.now += 1
        return torch.tensor([self.script[self.now - 1]] * len(inputs), dtype=torch.float32).log(), state


def test_the_loss_of_a_roll_out_by_hand():
    """Two words and an end. Step 1 has both left and predicts word 0; step 2 has word 1 left and predicts the end."""
    script = [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.1, 0.8, 0.1]]
    left = torch.tensor([[1.0, 1, 0]])
    expected = (np.log(2) + np.log(4)) / 2 + np.log(4)
    assert roll_out_loss(_Scripted(script), torch.zeros(1, 2), left, 3).item() == pytest.approx(expected, rel=1e-5)
    drawn, claimed = roll_out(_Scripted(script), torch.zeros(1, 2), 3)
    assert claimed.tolist() == [[True, False]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.5 * 0.75, 1 - 0.75 * 0.75], rel=1e-5)


def test_without_an_end_token_no_word_ends_a_roll_out():
    """By hand: two words, no end. All three steps are taken, and both words are claimed."""
    script = [[0.25, 0.75], [0.25, 0.75], [0.9, 0.1]]
    expected = (np.log(4) + np.log(4 / 3)) / 2 + np.log(4) + np.log(10 / 9)
    left = torch.tensor([[1.0, 1]])
    assert roll_out_loss(_Scripted(script), torch.zeros(1, 2), left, 3).item() == pytest.approx(expected, rel=1e-5)
    drawn, claimed = roll_out(_Scripted(script), torch.zeros(1, 2), 3)
    assert claimed.tolist() == [[True, True]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.75 * 0.75 * 0.1, 1 - 0.25 * 0.25 * 0.9], rel=1e-5)


@pytest.mark.parametrize(("recipe", "end_token", "rows"), [("song", False, 0), ("song", True, 1), ("coro", False, 1)])
def test_song_has_no_end_unless_asked_and_coro_always_has_one(toy_pairs, recipe, end_token, rows):
    pairs = taught(toy_pairs[0][:60], toy_pairs[1][:60])
    training = _Training(pairs, RECIPES[recipe], None, 1, end_token)
    assert len(training.model.words) == len(pairs.vocabulary) + rows
    left = training._left(np.arange(4))
    assert left.shape[1] == len(training.model.words)
    assert left[:, len(pairs.vocabulary) :].tolist() == [[float(end_token)] * rows] * 4


@pytest.fixture(scope="module")
def song(split):
    """The published network, hardly trained, of a vocabulary that has half of the words of a text."""
    return fit(*split[:2], recipe="song", epochs=1, vocabulary_size=8)


def test_it_takes_as_many_steps_as_the_mean_text_has_words_of_the_vocabulary(split, song):
    known = frozenset(song.vocabulary_.words)
    within = np.mean([len(content_words(text) & known) for text in split[1]])
    assert song.decoder_.steps == round(within)
    assert song.decoder_.steps < round(np.mean([len(content_words(text)) for text in split[1]]))


def test_the_number_of_steps_can_be_set(split, song):
    usual = song.decoder_.steps
    assert song.infer(split[2], steps=usual) == song.infer(split[2])
    assert max(len(words) for words in song.infer(split[2], steps=1).sets) == 1
    first, more = (song.infer(split[2][:1], steps=steps).sets[0] for steps in (1, 5))
    assert first <= more
    with pytest.raises(InputError, match="'steps' parameter must be at least 1"):
        song.infer(split[2], steps=0)


@pytest.fixture
def quick(monkeypatch):
    """The published networks, narrower and with longer steps, so that a test may wait for them."""
    for name, recipe in RECIPES.items():
        narrow = replace(recipe, units=48, batch=64, rate=1e-2, patience=recipe.patience and 6)
        monkeypatch.setitem(RECIPES, name, narrow)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("recipe", ["song", "coro"])
def test_the_published_networks_learn(recipe, split):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    assert f1_of(fit(vectors, texts, recipe=recipe, epochs=15).infer(targets), truth) > prior + 0.05


@pytest.mark.usefixtures("quick")
def test_with_the_end_among_its_words_it_claims_fewer(split):
    vectors, texts, targets, _ = split

    def claimed(end_token):
        guesses = fit(vectors, texts, recipe="song", epochs=4, end_token=end_token).infer(targets)
        return np.mean([len(words) for words in guesses.sets])

    assert claimed(True) < claimed(False) - 1


@pytest.mark.usefixtures("quick")
def test_training_ends_when_the_validation_loss_does_not_fall(toy_pairs):
    """Vectors of noise have nothing to validate, and the loss soon rises."""
    vectors = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
    losses = fit(vectors, toy_pairs[1][:300], recipe="coro").decoder_.losses
    assert len(losses) < 50
    assert len(losses) - 1 - int(np.argmin(losses)) == 6
