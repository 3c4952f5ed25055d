import numpy as np
import pytest

from vestige.attacks.attributes.inference import BATCH, EPOCHS, RATE
from vestige.attacks.attributes.text_baselines import FILTERS, TextCNN, TextTfidf
from vestige.errors import InputError, NotFitted

BASELINES = {"tf-idf": TextTfidf, "TextCNN": lambda: TextCNN(epochs=12)}
HABITS = {"ann": "whilst", "bob": "reckon", "eve": "alas"}


def texts(each, seed):
    rng = np.random.default_rng(seed)
    common = [f"word{place}" for place in range(30)]
    labels = [name for name in HABITS for _ in range(each)]
    return [" ".join([*rng.choice(common, 4), HABITS[name], *rng.choice(common, 4)]) for name in labels], labels


@pytest.mark.parametrize("name", BASELINES)
def test_habits_are_inferred_from_the_text_and_shuffled_labels_teach_nothing(name):
    known, labels = texts(40, seed=0)
    targets, truth = texts(40, seed=1)

    def accuracy(taught):
        guesses = BASELINES[name]().fit(known, taught, rng=np.random.default_rng(0)).infer(targets)
        assert guesses.labels == ("ann", "bob", "eve")
        assert guesses.probabilities.sum(axis=1) == pytest.approx(1)
        return float((np.asarray(guesses.labels)[guesses.probabilities.argmax(axis=1)] == truth).mean())

    assert accuracy(labels) > 0.9
    assert accuracy(list(np.random.default_rng(0).permutation(labels))) < 0.55


@pytest.mark.parametrize("name", BASELINES)
def test_two_classes_missing_labels_empty_texts_and_seeds(name):
    known, labels = texts(10, seed=0)
    labels = [None if label == "eve" else label for label in labels]
    once, again = (BASELINES[name]().fit(known, labels, rng=np.random.default_rng(0)) for _ in range(2))
    assert once.missing_ == 10
    assert once.infer(["", "whilst"]).probabilities.shape == (2, 2)
    assert once.infer([]).probabilities.shape == (0, 2)
    assert once.infer(known).probabilities.tobytes() == again.infer(known).probabilities.tobytes()
    best = once.infer(known[:20]).probabilities.argmax(axis=1)
    assert (best == np.repeat([0, 1], 10)).mean() > 0.9


@pytest.mark.parametrize("name", BASELINES)
def test_what_cannot_be_read_is_refused(name):
    with pytest.raises(NotFitted, match="fit"):
        BASELINES[name]().infer(["whilst"])
    with pytest.raises(InputError, match="2 texts but 1 labels"):
        BASELINES[name]().fit(["a", "b"], ["x"], rng=np.random.default_rng(0))


def test_the_network_is_the_published_one():
    network = TextCNN(epochs=1).fit(*texts(4, seed=0), rng=np.random.default_rng(0)).network_
    assert (FILTERS, EPOCHS, RATE, BATCH) == (128, 30, 1e-3, 128)
    assert [layer.weight.shape for layer in network.convolutions] == [(128, 100, 3), (128, 100, 4), (128, 100, 5)]
    assert network.output.weight.shape == (3, 384)


def test_texts_without_a_letter_in_common_are_refused():
    with pytest.raises(InputError, match="3 labelled texts have no word or letters in common"):
        TextTfidf().fit(["aa", "bb", "cc"], ["x", "y", "x"], rng=np.random.default_rng(0))
