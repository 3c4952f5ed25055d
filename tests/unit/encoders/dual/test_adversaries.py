import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tests.unit.encoders.dual.conftest import mean_reciprocal_rank
from vestige.encoders.dual.adversaries import AttributeAdversary, DependenceLoss, WordAdversary


def author_accuracy(encoder, known, unknown):
    """The accuracy of a linear classifier of authors, fitted on the vectors, on unseen documents."""
    splits = [corpus.sentences() for corpus in (known, unknown)]
    vectors = [encoder.encode(split.texts) for split in splits]
    classifier = LogisticRegression(max_iter=500).fit(vectors[0], splits[0].attributes["author"])
    return classifier.score(vectors[1], splits[1].attributes["author"])


def test_the_loss_of_a_word_adversary_by_hand():
    adversary = WordAdversary(2, 4, 1.0, [[1, 3, 3, 0], [0], [2]])
    with torch.no_grad():
        adversary.classifier.weight.copy_(torch.tensor([[9.0, 9], [1, 0], [0, 1], [1, 1]]))
        adversary.classifier.bias.zero_()
    vectors = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
    logits = np.array([[1.0, -1, 0], [0.5, 2, 2.5]])
    present = np.array([[1, 0, 1], [0, 1, 0]])
    chances = 1 / (1 + np.exp(-logits))
    expected = -(present * np.log(chances) + (1 - present) * np.log(1 - chances)).sum(axis=1).mean()
    assert adversary.loss(vectors, [0, 2]).item() == pytest.approx(expected, rel=1e-6)


def test_the_loss_of_an_attribute_adversary_skips_missing_labels():
    adversary = AttributeAdversary(1, ["b", None, "a"], 1.0)
    with torch.no_grad():
        adversary.classifier.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        adversary.classifier.bias.zero_()
    vectors = torch.tensor([[2.0], [5.0], [1.0]])
    expected = (np.log(1 + np.exp(4)) + np.log(1 + np.exp(-2))) / 2
    assert adversary.loss(vectors, [0, 1, 2]).item() == pytest.approx(expected, rel=1e-6)
    assert adversary.loss(vectors[1:2], [1]).item() == 0


def test_the_gradient_of_the_vectors_is_reversed():
    adversary = AttributeAdversary(3, ["a", "b"], 0.5)
    vectors = torch.randn(2, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)
    adversary.loss(vectors, [0, 1]).backward()
    reversed_ = vectors.grad.clone()
    vectors.grad = None
    torch.nn.functional.cross_entropy(adversary.classifier(vectors), torch.tensor([0, 1])).backward()
    torch.testing.assert_close(reversed_, -0.5 * vectors.grad)


def test_the_attribute_is_hidden_and_the_utility_remains(fitted, corpora):
    """Knowing the author halves the candidates for the next sentence, so hiding it costs some utility."""
    plain, hidden = fitted(), fitted(against_attributes=(("author", 10.0),))
    assert author_accuracy(plain, *corpora) > 0.95, "positive control: without the adversary the author leaks"
    assert author_accuracy(hidden, *corpora) < 0.65
    assert mean_reciprocal_rank(hidden, corpora[1]) > 0.65 * mean_reciprocal_rank(plain, corpora[1])


def test_the_published_adversary_hides_it_too_if_it_learns_fast(fitted, corpora, monkeypatch):
    monkeypatch.setattr("vestige.encoders.dual.training.ADVERSARY_RATE", 0.1)
    published = fitted(against_attributes=(("author", 30.0),), opponent="reader")
    assert author_accuracy(published, *corpora) < 0.85


def test_the_dependence_by_hand_excludes_pairs_of_a_sentence_with_itself():
    dependence = DependenceLoss(["a", "b", "b", None], 2.0)
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [3.0, 1.0]])
    like = [[2, -1, -1, 0], [-1, 0.5, 0.5, 0], [-1, 0.5, 0.5, 0], [0, 0, 0, 0]]
    torch.testing.assert_close(dependence.class_similarity([0, 1, 2, 3]), torch.tensor(like))
    centred = vectors.numpy() - vectors.numpy().mean(axis=0)
    expected = sum(centred[a] @ centred[b] * like[a][b] for a in range(4) for b in range(4) if a != b)
    expected *= 2.0 / 12 / (centred**2).sum(axis=1).mean()
    assert dependence.loss(vectors, [0, 1, 2, 3]).item() == pytest.approx(expected, rel=1e-5)


def test_without_a_lambda_nothing_changes(fitted):
    encoders = [fitted(against_words=strength, epochs=1) for strength in (0.0, 0.1)]
    plain = fitted(epochs=1).encode(["t1a1 t2b1"])
    assert [(encoder.encode(["t1a1 t2b1"]) == plain).all() for encoder in encoders] == [True, False]
