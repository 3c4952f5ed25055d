"""Adversaries by hand, and what they hide at the shipped settings; each test has a positive control."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tests.unit.encoders.dual.conftest import gossip, mean_reciprocal_rank
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.encoders.dual.adversaries import (
    CappedAdversary,
    DependenceAdversary,
    LinearAdversary,
    NetworkAdversary,
    build_adversary,
)
from vestige.encoders.dual.recipe import add_adversaries
from vestige.encoders.dual.secrets import ClassSecret, WordSecret
from vestige.encoders.dual.settings import PUBLISHED_ADVERSARY, AdversarySettings
from vestige.encoders.fitted import LearnedEncoder
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


def author_accuracy(encoder, known, unknown):
    """The accuracy of a linear classifier of authors, fitted on the vectors, on unseen documents."""
    splits = [corpus.sentences() for corpus in (known, unknown)]
    vectors = [encoder.encode(split.texts) for split in splits]
    classifier = LogisticRegression(max_iter=500).fit(vectors[0], splits[0].attributes["author"])
    return classifier.score(vectors[1], splits[1].attributes["author"])


def word_f1(encoder, known, unknown):
    """F1 of an inverter that is fitted on the vectors of this encoder, on unseen documents."""
    splits = [corpus.sentences(1, 100) for corpus in (known, unknown)]
    vectors = [encoder.encode(split.texts) for split in splits]
    attack = MultiLabelInverter(vocabulary_size=200)
    attack.fit(vectors[0], splits[0].texts, rng=np.random.default_rng(0), documents=splits[0].documents)
    truth = [content_words(text) for text in splits[1].texts]
    return word_recovery(attack.infer(vectors[1]).sets, truth).f1.mean()


def set_weights(adversary, weight, bias=None):
    with torch.no_grad():
        adversary.classifier.weight.copy_(torch.tensor(weight))
        adversary.classifier.bias.copy_(torch.tensor(bias or [0.0] * len(weight)))


def test_the_loss_of_words_by_hand():
    secret = WordSecret([[1, 3, 3, 0], [0], [2]], 4)
    adversary = LinearAdversary(secret, 2.0, 2, 0.01)
    set_weights(adversary, [[1.0, 0], [0, 1], [1, 1]])
    vectors = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
    chances = 1 / (1 + np.exp(-np.array([[1.0, -1, 0], [0.5, 2, 2.5]])))
    present = np.array([[1, 0, 1], [0, 1, 0]])
    loss = -(present * np.log(chances) + (1 - present) * np.log(1 - chances)).sum(axis=1).mean()
    assert adversary.penalty(vectors, [0, 2]).item() == pytest.approx(-2 * loss, rel=1e-6)


def test_the_loss_of_a_class_skips_missing_labels():
    adversary = LinearAdversary(ClassSecret(["b", None, "a"]), 1.0, 1, 0.01)
    set_weights(adversary, [[1.0], [-1.0]])
    vectors = torch.tensor([[2.0], [5.0], [1.0]])
    loss = (np.log(1 + np.exp(4)) + np.log(1 + np.exp(-2))) / 2
    assert adversary.penalty(vectors, [0, 1, 2]).item() == pytest.approx(-loss, rel=1e-6)
    assert adversary.penalty(vectors[1:2], [1]).item() == 0


def test_the_gradient_of_the_vectors_is_reversed_and_the_adversary_descends():
    adversary = LinearAdversary(ClassSecret(["a", "b"]), 0.5, 3, 0.01)
    vectors = torch.randn(2, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)
    adversary.penalty(vectors, [0, 1]).backward()
    reversed_, vectors.grad = vectors.grad.clone(), None
    torch.nn.functional.cross_entropy(adversary.classifier(vectors), torch.tensor([0, 1])).backward()
    torch.testing.assert_close(reversed_, -0.5 * vectors.grad)
    before = adversary.penalty(vectors, [0, 1]).item()
    for _ in range(20):
        adversary.study(vectors, [0, 1])
    assert adversary.penalty(vectors, [0, 1]).item() > before


def test_a_network_learns_what_no_linear_classifier_can():
    """An exclusive or of the signs of two columns; the other columns are zero and widen the hidden layer."""
    vectors = torch.zeros(200, 16)
    vectors[:, :2] = torch.tensor([[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]] * 50)
    secret = ClassSecret(["a", "b", "b", "a"] * 50)

    def penalty(kind):
        torch.manual_seed(0)
        adversary = kind(secret, 1.0, 16, 0.02)
        for _ in range(200):
            adversary.study(vectors, range(200))
        adversary.classifier.eval()
        return adversary.penalty(vectors, range(200)).item()

    assert penalty(LinearAdversary) == pytest.approx(-np.log(2), abs=0.01)
    assert penalty(NetworkAdversary) > -0.3


def test_a_capped_adversary_starts_as_the_best_guess_and_rewards_nothing_beyond_it():
    adversary = CappedAdversary(ClassSecret(["a", "b", "b", "b"]), 1.0, 1, 0.01)
    vectors = torch.tensor([[1.0], [1.0], [-9.0], [-9.0]], requires_grad=True)
    guess = -(np.log(0.25) + 3 * np.log(0.75)) / 4
    assert adversary.penalty(vectors, [0, 1, 2, 3]).item() == pytest.approx(-guess)
    set_weights(adversary, [[0.0], [1.0]], [float(np.log(0.25)), float(np.log(0.75))])
    adversary.penalty(vectors, [0, 1, 2, 3]).backward()
    assert (vectors.grad[:, 0] != 0).tolist() == [False, True, False, False], (
        "only row 1 is inferred better than before"
    )


def test_the_dependence_by_hand_excludes_pairs_of_a_sentence_with_itself():
    dependence = DependenceAdversary(ClassSecret(["a", "b", "b", None]), 2.0)
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [3.0, 1.0]])
    known = vectors[:3].numpy()
    share, columns = np.array([1 / 3, 2 / 3]), np.array([[1, 0], [0, 1], [0, 1]])
    scaled = (columns - share) / np.sqrt(share)
    scaled -= scaled.mean(axis=0)
    centred = known - known.mean(axis=0)
    covariance = centred.T @ centred / 3
    whitening = np.linalg.inv(covariance + 0.01 * np.trace(covariance) / 2 * np.eye(2))
    alike = (centred @ whitening @ centred.T / 2) * (scaled @ scaled.T / (scaled**2).sum(axis=1).mean())
    expected = 2 * (alike.sum() - np.trace(alike)) / 2
    assert dependence.penalty(vectors, [0, 1, 2, 3]).item() == pytest.approx(expected, rel=1e-5)


def test_the_dependence_is_zero_on_average_without_any_and_large_with_some():
    rng = np.random.default_rng(0)
    labels = ["ab"[one] for one in rng.integers(2, size=4000)]
    dependence = DependenceAdversary(ClassSecret(labels), 1.0)
    noise = torch.from_numpy(rng.normal(size=(4000, 8)).astype(np.float32))
    tied = noise.clone()
    tied[:, 0] += torch.tensor([2.0 * (label == "a") for label in labels])
    rows = [range(start, start + 40) for start in range(0, 4000, 40)]
    free, bound = (np.mean([float(dependence.penalty(v[list(some)], some)) for some in rows]) for v in (noise, tied))
    assert abs(free) < 0.1 * bound


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("linear", LinearAdversary),
        ("network", NetworkAdversary),
        ("capped", CappedAdversary),
        ("dependence", DependenceAdversary),
    ],
)
def test_every_kind_is_built(kind, expected):
    built = build_adversary(ClassSecret(["a", "b"]), 1.0, 3, AdversarySettings(kind))
    assert type(built) is expected


@pytest.fixture(scope="module")
def trained():
    """Encoders trained on two authors, or on gossip, with everything else as shipped."""

    def train(corpus, learner, **adversaries):
        opposed = add_adversaries(LearnedEncoder("small", learner, corpus), **adversaries)
        return opposed.recipe.fit(corpus, rng=np.random.default_rng(0))

    return train


@pytest.mark.parametrize("kind", ["lstm", "transformer"])
def test_the_attribute_is_hidden_and_the_utility_remains(kind, trained, corpora, small):
    """Knowing the author halves the candidates for the next sentence, so hiding it costs some utility."""
    plain = trained(corpora[0], small[kind])
    hidden = trained(corpora[0], small[kind], attributes={"author": 1.0})
    assert author_accuracy(plain, *corpora) > 0.95, "positive control: without the adversary the author leaks"
    assert author_accuracy(hidden, *corpora) < 0.65
    assert mean_reciprocal_rank(hidden, corpora[1]) > 0.6 * mean_reciprocal_rank(plain, corpora[1])


def test_words_are_hidden_the_more_the_larger_lambda_is(trained, small):
    known, unknown = gossip(150, 1), gossip(60, 2)
    encoders = [trained(known, small["transformer"], words=strength) for strength in (0.0, 3.0, 10.0)]
    plain, some, most = (word_f1(encoder, known, unknown) for encoder in encoders)
    assert plain > 0.4, "positive control: without the adversary words leak"
    assert some < 0.8 * plain
    assert most < 0.5 * plain
    ranks = [mean_reciprocal_rank(encoder, unknown) for encoder in encoders[:2]]
    assert ranks[1] > 0.8 * ranks[0], "words that the task does not need are hidden at little cost"


def test_the_published_adversary_hides_it_too_if_it_learns_fast(trained, corpora, small):
    fast = replace(PUBLISHED_ADVERSARY, learning_rate=0.1)
    published = trained(corpora[0], small["lstm"], attributes={"author": 30.0}, adversary=fast)
    assert author_accuracy(published, *corpora) < 0.9


def test_without_a_lambda_nothing_changes(fitted):
    encoders = [fitted(against_words=strength, epochs=1) for strength in (0.0, 0.1)]
    plain = fitted(epochs=1).encode(["t1a1 t2b1"])
    assert [(encoder.encode(["t1a1 t2b1"]) == plain).all() for encoder in encoders] == [True, False]


def test_a_grid_rounds_the_vectors_of_an_encoder_that_hides_something(fitted):
    hidden, plain = fitted(against_words=1.0, epochs=1), fitted(epochs=1)
    steps = hidden.encode(["t1a1 t2b1 filler3"]) / 0.1
    assert steps == pytest.approx(np.round(steps), abs=1e-4)
    assert plain.network.shape.grid == 0
