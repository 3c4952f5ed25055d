import numpy as np
import pytest

from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.closed_form import _held_out
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.priors import FixedWords
from vestige.attacks.training_set import TrainingSet
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:-200], texts[:-200], vectors[-200:], [content_words(text) for text in texts[-200:]]


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, seed=0, single_words=None, **settings):
    return MultiSetInverter(**settings).fit(vectors, texts, rng=np.random.default_rng(seed), single_words=single_words)


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


def test_word_vectors_help_with_words_seldom_seen(toy_pairs, encoder):
    vectors, texts = toy_pairs[0][:, :32], toy_pairs[1]
    truth = [content_words(text) for text in texts[-200:]]
    known = sorted(set().union(*map(content_words, texts)))
    matrix = encoder.encode(known)[:, :32]

    def reads(**given):
        return f1_of(fit(vectors[:120], texts[:120], **given).infer(vectors[-200:]), truth)

    with_vectors = reads(single_words=dict(zip(known, matrix, strict=True)))
    assert with_vectors > reads() + 0.05
    assert reads(single_words=(known, matrix)) == with_vectors


def test_rare_words_can_be_made_to_count_more(split):
    vectors, texts, targets, _ = split
    rng = np.random.default_rng(3)
    blurred, seen = (part + rng.normal(scale=0.1, size=part.shape).astype(np.float32) for part in (vectors, targets))

    def typical_count(weight):
        attack = fit(blurred, texts, rare_words=weight)
        counts = dict(zip(attack.vocabulary_.words, attack.vocabulary_.counts, strict=True))
        return np.mean([counts[word] for words in attack.infer(seen).sets for word in words])

    assert typical_count(3.0) < typical_count(0.0)


def test_the_default_reads_the_size_and_takes_no_steps(split):
    with pytest.raises(InputError, match="'steps' parameter must be omitted"):
        fit(*split[:2]).infer(split[2], steps=3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "songs"}, "'recipe' parameter must be"),
        ({"epochs": 3}, "must be omitted with recipe 'default'"),
        ({"recipe": "song", "epochs": 0}, "'epochs' parameter must be at least 1"),
        ({"rare_words": -1.0}, "'rare_words' parameter must be at least 0"),
        ({"single_words": {"cow": np.ones(3)}}, "Got none of them"),
        ({"single_words": (["bank"], np.ones((2, 3)))}, "Got 1 words and 2 rows"),
        ({"single_words": {"bank": np.full(3, np.nan)}}, "finite"),
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


def taught(vectors, texts):
    return TrainingSet.build(vectors, texts, None, vocabulary_size=8000, rare_words=0.0, rng=np.random.default_rng(0))


def test_a_large_tenth_is_sampled_and_not_cut_off(split, monkeypatch):
    monkeypatch.setattr("vestige.attacks.multiset.closed_form.MOST_TEXTS", 20)
    pairs = taught(split[0], split[1])
    judged = _held_out(pairs, np.random.default_rng(0)).vectors
    places = [pairs.vectors[pairs.held_out].tolist().index(row) for row in judged.tolist()]
    assert len(places) == 20
    assert max(places) > len(pairs.held_out) / 2
