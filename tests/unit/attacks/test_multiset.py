from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.lesson import Lesson
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.additive import Pairs, Shape, additive, best_shape
from vestige.attacks.multiset.closed_form import _held_out
from vestige.attacks.multiset.greedy import Greedy
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.multiset.published import RECIPES, _Training
from vestige.attacks.multiset.recurrent import SetDecoder, multiset_loss, rolled_out, rolled_out_loss
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:-200], texts[:-200], vectors[-200:], [content_words(text) for text in texts[-200:]]


def taught(vectors, texts):
    return Lesson.of(vectors, texts, None, vocabulary_size=8000, rare_words=0.0, rng=np.random.default_rng(0))


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, seed=0, **settings):
    return MultiSetInverter(**settings).fit(vectors, texts, rng=np.random.default_rng(seed))


def test_it_reads_more_than_one_classifier_a_word(split):
    vectors, texts, truth = split[0][:, :24], split[1], split[3]
    alone = MultiLabelInverter().fit(vectors, texts, rng=np.random.default_rng(0)).infer(split[2][:, :24])
    assert f1_of(fit(vectors, texts).infer(split[2][:, :24]), truth) > f1_of(alone, truth) + 0.05


def test_fitted_on_shuffled_pairs_it_reads_no_more_than_guessing(split):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    shuffled = np.random.default_rng(1).permutation(vectors)
    assert f1_of(fit(shuffled, texts).infer(targets), truth) == pytest.approx(prior, abs=0.02)


def test_its_probabilities_are_calibrated(split):
    vectors, texts, targets, truth = split
    rng = np.random.default_rng(3)
    blurred, seen = (part + rng.normal(scale=0.1, size=part.shape).astype(np.float32) for part in (vectors, targets))
    ranked = fit(blurred, texts).infer(seen).ranked
    pairs = np.array([(p, word in words) for row, words in zip(ranked, truth, strict=True) for word, p in row])
    bins = [pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < low + 0.2)] for low in (0.0, 0.2, 0.4, 0.6, 0.8)]
    full = [inside for inside in bins if len(inside) > 100]
    assert len(full) >= 3
    for inside in full:
        assert inside[:, 1].mean() == pytest.approx(inside[:, 0].mean(), abs=0.1)


def test_the_claimed_words_lead_the_ranked_list(split):
    guesses = fit(*split[:2]).infer(split[2])
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        assert {word for word, _ in ranked[: len(claimed)]} == claimed


def sums(exponent, seed=0, texts=1200, words=25, width=40):
    """Vectors that are exactly sums of contributions, scaled by size, and a little noise."""
    rng = np.random.default_rng(seed)
    columns = (rng.random((texts, words)) < rng.uniform(0.05, 0.6, (texts, 1))).astype(np.float32)
    columns[columns.sum(axis=1) == 0, 0] = 1
    sizes = columns.sum(axis=1).astype(np.int64)
    loud = np.exp(-exponent * (np.log(sizes) - np.log(sizes).mean()))
    truth = rng.normal(size=(words, width))
    vectors = loud[:, None] * (columns @ truth) + rng.normal(scale=0.1, size=(texts, width))
    return Pairs(vectors.astype(np.float32), sparse.csr_array(columns), sizes, None), truth


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_the_exponent_of_the_encoder_is_found(exponent):
    pairs, _ = sums(exponent)
    kept, held = pairs.take(np.arange(1000)), pairs.take(np.arange(1000, 1200))
    assert best_shape(kept, held, np.random.default_rng(0)).exponent == exponent


def test_a_row_is_as_loud_as_its_size_beside_a_typical_text():
    """By hand: sizes 2 and 8, a typical text of 4. With exponent one half a word counts √(4/2) and √(4/8)."""
    pairs = Pairs(np.zeros((2, 1), np.float32), sparse.csr_array(np.eye(2)), np.array([2, 8]), None)
    assert pairs.typical == pytest.approx(np.log(4))
    assert pairs.design(0.5, np.log(4)).toarray() == pytest.approx(np.diag([2**0.5, 2**-0.5]))


def test_held_out_texts_are_scaled_beside_the_texts_that_were_learned_from():
    """An encoder that averages, and held-out texts longer than all others."""
    pairs, _ = sums(1.0)
    order = np.argsort(pairs.sizes, kind="stable")
    kept, held = pairs.take(order[:1000]), pairs.take(order[1000:])
    assert best_shape(kept, held, np.random.default_rng(0)).exponent == 1.0


def test_what_a_chosen_word_explains_is_taken_away():
    """Two words with one contribution: each alone explains the vector, so that one is claimed and not both."""
    pairs, _ = sums(0.0, width=150)
    fitted = additive(pairs, Shape(0.0, 3.0))
    twins = np.concatenate([fitted.contributions, fitted.contributions[[3]]])
    model = replace(fitted, contributions=twins, log_odds=np.append(fitted.log_odds, fitted.log_odds[3]))
    holds = pairs.columns[:, [3]].toarray().ravel() > 0
    (scores,) = Greedy(model, 20).scores(pairs.vectors[holds][:100], 1.0, 0.0)
    assert ((scores[:, 3] > 0) ^ (scores[:, 25] > 0)).mean() > 0.95


def test_wide_vocabularies_are_decoded_alike(monkeypatch):
    pairs, _ = sums(0.5)
    model = additive(pairs, Shape(0.5, 3.0))
    near = np.concatenate(list(Greedy(model, 20).scores(pairs.vectors[:150], 0.7, -1.0)))
    monkeypatch.setattr("vestige.attacks.multiset.greedy.MOST_COLUMNS", 3)
    far = np.concatenate(list(Greedy(model, 20).scores(pairs.vectors[:150], 0.7, -1.0)))
    assert near.shape == (150, 25)
    assert np.allclose(near, far, rtol=1e-2, atol=1e-2)


def test_a_large_tenth_is_sampled_and_not_cut_off(split, monkeypatch):
    monkeypatch.setattr("vestige.attacks.multiset.closed_form.MOST_TEXTS", 20)
    lesson = taught(split[0], split[1])
    judged = _held_out(lesson, np.random.default_rng(0)).vectors
    places = [lesson.vectors[lesson.held].tolist().index(row) for row in judged.tolist()]
    assert len(places) == 20
    assert max(places) > len(lesson.held) / 2


def test_word_vectors_help_with_words_seldom_seen(toy_pairs, encoder):
    vectors, texts = toy_pairs[0][:, :32], toy_pairs[1]
    truth = [content_words(text) for text in texts[-200:]]
    known = sorted(set().union(*map(content_words, texts)))
    matrix = encoder.encode(known)[:, :32]

    def reads(**given):
        return f1_of(fit(vectors[:120], texts[:120], **given).infer(vectors[-200:]), truth)

    told = reads(word_vectors=dict(zip(known, matrix, strict=True)))
    assert told > reads() + 0.05
    assert reads(word_vectors=(known, matrix)) == told


def test_word_vectors_are_the_matrix_of_words_of_the_lstm(toy_pairs):
    vectors, texts = toy_pairs[0][:60], toy_pairs[1][:60]
    words = sorted(set().union(*(content_words(text) for text in texts)))
    told = {word: np.random.default_rng(row).normal(size=7) for row, word in enumerate(words)}
    lesson = taught(vectors, texts)
    matrix = _Training(lesson, RECIPES["song"], told, 1, False).model.words.detach().numpy()
    given = np.array([told[word] for word in lesson.vocabulary.words])
    assert matrix.shape == (len(words), 7)
    assert np.corrcoef(matrix[0], given[0] - given.mean(axis=0))[0, 1] > 0.999


def test_rare_words_can_be_made_to_count_more(split):
    vectors, texts, targets, _ = split
    rng = np.random.default_rng(3)
    blurred, seen = (part + rng.normal(scale=0.1, size=part.shape).astype(np.float32) for part in (vectors, targets))

    def typical_count(weight):
        attack = fit(blurred, texts, rare_words=weight)
        counts = dict(zip(attack.vocabulary_.words, attack.vocabulary_.counts, strict=True))
        return np.mean([counts[word] for words in attack.infer(seen).sets for word in words])

    assert typical_count(3.0) < typical_count(0.0)


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
    assert rolled_out_loss(_Scripted(script), torch.zeros(1, 2), left, 3).item() == pytest.approx(expected, rel=1e-5)
    drawn, claimed = rolled_out(_Scripted(script), torch.zeros(1, 2), 3)
    assert claimed.tolist() == [[True, False]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.5 * 0.75, 1 - 0.75 * 0.75], rel=1e-5)


def test_without_an_end_token_no_word_ends_a_roll_out():
    """By hand: two words, no end. All three steps are taken, and both words are claimed."""
    script = [[0.25, 0.75], [0.25, 0.75], [0.9, 0.1]]
    expected = (np.log(4) + np.log(4 / 3)) / 2 + np.log(4) + np.log(10 / 9)
    left = torch.tensor([[1.0, 1]])
    assert rolled_out_loss(_Scripted(script), torch.zeros(1, 2), left, 3).item() == pytest.approx(expected, rel=1e-5)
    drawn, claimed = rolled_out(_Scripted(script), torch.zeros(1, 2), 3)
    assert claimed.tolist() == [[True, True]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.75 * 0.75 * 0.1, 1 - 0.25 * 0.25 * 0.9], rel=1e-5)


@pytest.mark.parametrize(("recipe", "end_token", "rows"), [("song", False, 0), ("song", True, 1), ("coro", False, 1)])
def test_song_has_no_end_unless_asked_and_coro_always_has_one(toy_pairs, recipe, end_token, rows):
    lesson = taught(toy_pairs[0][:60], toy_pairs[1][:60])
    training = _Training(lesson, RECIPES[recipe], None, 1, end_token)
    assert len(training.model.words) == len(lesson.vocabulary) + rows
    left = training._left(np.arange(4))
    assert left.shape[1] == len(training.model.words)
    assert left[:, len(lesson.vocabulary) :].tolist() == [[float(end_token)] * rows] * 4


@pytest.fixture(scope="module")
def song(split):
    """The published network, hardly trained, of a vocabulary that has half of the words of a text."""
    return fit(*split[:2], recipe="song", epochs=1, vocabulary_size=8)


def test_it_takes_as_many_steps_as_the_mean_text_has_words_of_the_vocabulary(split, song):
    known = frozenset(song.vocabulary_.words)
    within = np.mean([len(content_words(text) & known) for text in split[1]])
    assert song.decoder_.steps == round(within)
    assert song.decoder_.steps < round(np.mean([len(content_words(text)) for text in split[1]]))


def test_the_number_of_steps_can_be_told(split, song):
    usual = song.decoder_.steps
    assert song.infer(split[2], steps=usual) == song.infer(split[2])
    assert max(len(words) for words in song.infer(split[2], steps=1).sets) == 1
    first, more = (song.infer(split[2][:1], steps=steps).sets[0] for steps in (1, 5))
    assert first <= more
    with pytest.raises(InputError, match="'steps' parameter must be at least 1"):
        song.infer(split[2], steps=0)


def test_the_default_reads_the_size_and_takes_no_steps(split):
    with pytest.raises(InputError, match="'steps' parameter must be left out"):
        fit(*split[:2]).infer(split[2], steps=3)


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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "songs"}, "'recipe' parameter must be"),
        ({"epochs": 3}, "must be left out with recipe 'default'"),
        ({"recipe": "song", "epochs": 0}, "'epochs' parameter must be at least 1"),
        ({"rare_words": -1.0}, "'rare_words' parameter must be at least 0"),
        ({"word_vectors": {"cow": np.ones(3)}}, "Got none of them"),
        ({"word_vectors": (["bank"], np.ones((2, 3)))}, "Got 1 words and 2 rows"),
        ({"word_vectors": {"bank": np.full(3, np.nan)}}, "finite"),
    ],
)
def test_what_cannot_be_fitted_is_said(settings, message):
    with pytest.raises(InputError, match=message):
        fit(np.zeros((30, 2), np.float32), ["a bank"] * 30, **settings)


def test_texts_of_stop_words_have_nothing_to_read():
    with pytest.raises(InputError, match="none of 30 texts has a content word"):
        fit(np.zeros((30, 2), np.float32), ["and this is it"] * 30)


def test_vectors_that_do_not_vary_are_no_trouble():
    texts = [f"word{row % 5} common" for row in range(60)]
    guesses = fit(np.ones((60, 4), np.float32), texts).infer(np.ones((2, 4), np.float32))
    assert "common" in guesses.sets[0]
