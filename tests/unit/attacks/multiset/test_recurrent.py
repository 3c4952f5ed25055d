"""The published recurrent decoders: training, steps, devices and sparse tables."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.multiset.recipes import RECIPES
from vestige.attacks.multiset.recurrent import _Training
from vestige.attacks.priors import FixedWords
from vestige.attacks.training_set import TrainingSet
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words, words

CPU = torch.device("cpu")
QUICK = {name: replace(recipe, units=48, batch=64, rate=1e-2) for name, recipe in RECIPES.items()}
"""The published networks, narrower and with longer steps, so that a test may wait for them."""


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:-200], texts[:-200], vectors[-200:], [content_words(text) for text in texts[-200:]]


def build_pairs(vectors, texts, rare_words=0.0):
    return TrainingSet.build(
        vectors, texts, None, vocabulary_size=8000, rare_words=rare_words, rng=np.random.default_rng(0)
    )


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, seed=0, single_words=None, **settings):
    return MultiSetInverter(**settings).fit(vectors, texts, rng=np.random.default_rng(seed), single_words=single_words)


def quick(name, **changed):
    return {"recipe": name, "training": replace(QUICK[name], **changed)}


@pytest.fixture(scope="module")
def prior(split):
    return f1_of(FixedWords().fit(split[1]).infer(split[2]), split[3])


def test_word_vectors_are_the_matrix_of_words_of_the_lstm(toy_pairs):
    vectors, texts = toy_pairs[0][:60], toy_pairs[1][:60]
    known = sorted(set().union(*(content_words(text) for text in texts)))
    single_words = {word: np.random.default_rng(row).normal(size=7) for row, word in enumerate(known)}
    pairs = build_pairs(vectors, texts)
    matrix = _Training(pairs, RECIPES["song"], single_words, False, CPU).model.words.detach().numpy()
    given = np.array([single_words[word] for word in pairs.vocabulary.words])
    assert matrix.shape == (len(known), 7)
    assert np.corrcoef(matrix[0], given[0] - given.mean(axis=0))[0, 1] > 0.999


@pytest.mark.parametrize(("recipe", "end_token", "rows"), [("song", False, 0), ("song", True, 1), ("coro", False, 1)])
def test_song_has_no_end_unless_asked_and_coro_always_has_one(toy_pairs, recipe, end_token, rows):
    pairs = build_pairs(toy_pairs[0][:60], toy_pairs[1][:60])
    training = _Training(pairs, RECIPES[recipe], None, end_token, CPU)
    assert len(training.model.words) == len(pairs.vocabulary) + rows
    wanted = training._left(np.arange(4)).words.eq(len(pairs.vocabulary)).sum(dim=1)
    assert wanted.tolist() == [int(end_token)] * 4


def test_song_rolls_out_each_text_for_its_words_and_coro_for_the_mean(toy_pairs):
    pairs = build_pairs(toy_pairs[0][:60], toy_pairs[1][:60])
    own = [len(content_words(text)) for text in toy_pairs[1][:4]]
    rows = np.arange(4)
    assert _Training(pairs, RECIPES["song"], None, False, CPU)._steps(rows).tolist() == own
    assert _Training(pairs, RECIPES["song"], None, True, CPU)._steps(rows).tolist() == [size + 1 for size in own]
    mean = round(np.mean([len(content_words(text)) for text in toy_pairs[1][:60]]))
    assert _Training(pairs, RECIPES["coro"], None, False, CPU)._steps(rows).tolist() == [mean] * 4


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
    assert max(len(found) for found in song.infer(split[2], steps=1).sets) == 1
    first, more = (song.infer(split[2][:1], steps=steps).sets[0] for steps in (1, 5))
    assert first <= more
    with pytest.raises(InputError, match="'steps' parameter must be at least 1"):
        song.infer(split[2], steps=0)


def test_every_target_can_have_steps_of_its_own(split, song):
    few = split[2][:6]
    mixed = song.infer(few, steps=[1, 3, 1, 3, 2, 3])
    short, long = song.infer(few, steps=1), song.infer(few, steps=3)
    assert [mixed.sets[row] for row in (0, 2)] == [short.sets[row] for row in (0, 2)]
    assert [mixed.sets[row] for row in (1, 3, 5)] == [long.sets[row] for row in (1, 3, 5)]
    with pytest.raises(InputError, match="6 targets but 2 steps"):
        song.infer(few, steps=[1, 2])
    with pytest.raises(InputError, match="'steps' parameter must be a whole number"):
        song.infer(few[:1], steps=[1.5])


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_published_networks_learn(recipe, split, prior):
    vectors, texts, targets, truth = split
    attack = fit(vectors, texts, **quick(recipe), epochs=12)
    assert f1_of(attack.infer(targets), truth) > prior + 0.05
    curve = [loss for _, loss in attack.log_.curve]
    assert min(curve) < curve[0]


def test_with_its_length_known_a_text_is_read_better(split):
    vectors, texts, targets, truth = split
    attack = fit(vectors, texts, **quick("song"), epochs=8)
    assert f1_of(attack.infer(targets, steps=[len(own) for own in truth]), truth) > f1_of(attack.infer(targets), truth)


def test_all_words_are_stop_words_too():
    rng = np.random.default_rng(0)
    verbs, subjects = ["was", "is", "will"], ["bank", "house", "river"]
    texts = [f"the {rng.choice(subjects)} {rng.choice(verbs)} here" for _ in range(200)]
    known = ["the", *verbs, *subjects, "here"]
    vectors = np.array([[word in words(text) for word in known] for text in texts], np.float32)
    every = fit(vectors, texts, **quick("song"), words="all", epochs=20)
    assert set(every.vocabulary_.words) == set(known)
    assert f1_of(every.infer(vectors[:50], steps=4), [frozenset(words(text)) for text in texts[:50]]) > 0.9
    assert set(fit(vectors, texts, **quick("song"), epochs=1).vocabulary_.words) == set(subjects)


def test_with_the_end_among_its_words_it_claims_fewer(split):
    vectors, texts, targets, _ = split

    def claimed(end_token):
        guesses = fit(vectors, texts, **quick("song"), epochs=4, end_token=end_token).infer(targets)
        return np.mean([len(found) for found in guesses.sets])

    assert claimed(True) < claimed(False) - 1


def test_training_ends_when_the_validation_loss_does_not_fall(toy_pairs):
    """Vectors of noise have nothing to validate, and the loss soon rises."""
    vectors = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
    log = fit(vectors, toy_pairs[1][:300], **quick("coro", patience=6)).log_
    losses = [loss for _, loss in log.curve]
    assert log.converged
    assert len(losses) == log.steps < 50
    assert len(losses) - 1 - int(np.argmin(losses)) == 6


def test_a_training_that_is_cut_off_is_logged_as_such(song, split):
    assert (song.log_.steps, song.log_.converged) == (1, False)
    assert fit(*split[:2]).log_ is None


def test_the_lstm_learns_from_given_word_vectors(split, encoder, prior):
    """Corò 2022, Section 6.1: the matrix of words starts from vectors of single words, which give its units."""
    vectors, texts, targets, truth = split
    known = sorted(set().union(*map(content_words, texts)))
    settings = quick("coro", patience=None, epochs=8)
    attack = fit(vectors, texts, single_words=(known, encoder.encode(known)), **settings)
    assert attack.decoder_.model.words.shape[1] == encoder.dimension
    assert f1_of(attack.infer(targets), truth) > prior + 0.05


def test_a_loss_weighted_towards_rare_words_predicts_rarer_ones(split):
    """Corò 2022, Section 6.1."""
    vectors, texts, targets, _ = split

    def typical_count(weight):
        attack = fit(vectors, texts, rare_words=weight, **quick("coro", patience=None, epochs=6))
        counts = dict(zip(attack.vocabulary_.words, attack.vocabulary_.counts, strict=True))
        return np.mean([counts[word] for found in attack.infer(targets).sets for word in found])

    assert typical_count(4.0) < 0.9 * typical_count(0.0)


def test_a_larger_vocabulary_finds_more_of_the_words(split):
    """Corò 2022, Section 6.1."""
    vectors, texts, targets, truth = split

    def recall(size):
        attack = fit(vectors, texts, vocabulary_size=size, **quick("coro", patience=None, epochs=8))
        return word_recovery(attack.infer(targets).sets, truth).recall.mean()

    assert recall(100) > recall(4) + 0.1


def hashed(texts, columns=2**18):
    """One column per word, far apart."""
    rows = [[crc32(word.encode()) % columns for word in words(text)] for text in texts]
    indices = np.concatenate(rows)
    bounds = np.cumsum([0, *map(len, rows)])
    return sparse.csr_array((np.full(len(indices), 0.3), indices, bounds), shape=(len(texts), columns))


@pytest.mark.parametrize("recipe", ["song", "coro"])
def test_a_sparse_table_is_read_and_never_made_dense(split, recipe, prior):
    vectors, texts, truth = hashed(split[1]), split[1], split[3]
    targets = hashed([" ".join(sorted(own)) for own in truth])
    before = vectors.copy()
    attack = fit(vectors, texts, **quick(recipe), epochs=15)
    assert f1_of(attack.infer(targets), truth) > prior + 0.2
    assert attack.decoder_.model.projection.shape[0] == len(set(vectors.indices.tolist()))
    assert (vectors != before).nnz == 0


def test_sparse_and_dense_tables_of_the_same_vectors_teach_the_same(split):
    """Up to rounding, which a few steps do not amplify; columns that are in use start alike."""
    texts, table = split[1][:200], hashed(split[1][:200], columns=97)
    used = np.flatnonzero(np.bincount(table.indices, minlength=97))
    table = sparse.csr_array(table.toarray()[:, used])
    dense, thin = (
        fit(given, texts, **quick("coro", dropout=0.0), epochs=2) for given in (table.toarray().astype("f4"), table)
    )
    assert [loss for _, loss in thin.log_.curve] == pytest.approx([loss for _, loss in dense.log_.curve], rel=1e-3)


def test_the_default_takes_the_columns_of_a_sparse_table_that_are_in_use(split, prior):
    vectors, texts, truth = hashed(split[1]), split[1], split[3]
    attack = fit(vectors, texts)
    assert attack.columns_.columns.tolist() == sorted(set(vectors.indices.tolist()))
    assert f1_of(attack.infer(hashed([" ".join(sorted(own)) for own in truth])), truth) > prior + 0.2


def test_tables_that_do_not_fit_are_refused(split):
    attack = fit(hashed(split[1][:60]), split[1][:60], **quick("coro"), epochs=1)
    with pytest.raises(InputError, match="have 64 columns, and fit was given 262144"):
        attack.infer(split[2])
    with pytest.raises(InputError, match="have 97 columns, and fit was given 262144"):
        attack.infer(hashed(split[1][:2], columns=97))
    with pytest.raises(InputError, match="NaN"):
        attack.infer(hashed(split[1][:2]) * np.nan)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"units": 0}, "'units' parameter must be at least 1"),
        ({"patience": 0}, "'patience' parameter must be at least 1"),
        ({"dropout": 1.0}, "'dropout' below 1"),
        ({"rate": 0.0}, "'rate' must be above 0"),
    ],
)
def test_settings_that_cannot_be_trained_are_refused(split, changed, message):
    with pytest.raises(InputError, match=message):
        fit(*split[:2], **quick("coro", **changed))
