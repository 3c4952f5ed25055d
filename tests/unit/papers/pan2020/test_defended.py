"""Defended encoders and downstream systems, by hand."""

import numpy as np
import pytest

from vestige.papers.pan2020.defended import DefendingOwner, DownstreamSystem, LabelledSentences
from vestige.papers.pan2020.table4 import ChangedSentences
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus


class Toy:
    """Two columns: how often a text has an a, and a b."""

    name, identity, dimension = "toy", "toy", 2

    def encode(self, texts, *, progress=None):  # noqa: ARG002
        return np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)


def toy_victim():
    return Victim("Bert", Toy(), "toy")


def test_an_owner_defends_every_answer_and_fits_on_its_own_texts():
    texts = Corpus("toy", ["a", "ab", "aab", "b"])
    changed = ChangedSentences(Corpus("toy", ["a", "aa"]), Corpus("toy", ["b", "aab"]))
    own = LabelledSentences(texts, np.array([[True], [True], [True], [False]]))
    targets = LabelledSentences(Corpus("toy", ["aa", "b"]), np.array([[True], [False]]))
    owner = DefendingOwner(own, targets, changed, seed=0)
    rounded = owner.defend(toy_victim(), "rounding:0")
    assert rounded.vectors(texts).tolist() == [[1, 0], [1, 1], [2, 1], [0, 1]]
    # The means of the two classes differ by (4/3, -1/3): what lies along that is gone.
    flat = owner.defend(toy_victim(), "subspace").vectors(texts) @ np.array([4, -1]) / 3
    assert np.ptp(flat) == pytest.approx(0, abs=1e-5)
    # Fitted on the targets, the means differ by (2, -1).
    flat = owner.defend_on_targets(toy_victim(), "subspace").vectors(texts) @ np.array([2, -1])
    assert np.ptp(flat) == pytest.approx(0, abs=1e-5)
    assert owner.defend_on_targets(toy_victim(), "rounding:0") is None
    noisy = owner.defend(toy_victim(), "laplace:1")
    # "a" to "b" moves by 2, "aa" to "aab" by 1: the larger is the scale of the noise.
    assert float(noisy.encoder.defense.scale_) == 2
    same = [noisy.encoder.encode(["a"])[0] for _ in range(2)]
    assert not np.array_equal(*same)


def test_a_system_trained_without_the_defense_fails_when_columns_change_places():
    letters = ["a" * 9 if row % 2 else "b" * 9 for row in range(60)]
    corpus = Corpus("toy", letters, attributes={"letter": [text[0] for text in letters]})
    system = DownstreamSystem(corpus.take(range(40)), corpus.take(range(40, 60)), "letter", seed=0)

    class Turned(Toy):
        def encode(self, texts, *, progress=None):  # noqa: ARG002
            return super().encode(texts)[:, ::-1].copy()

    unaware, aware = system.scores(toy_victim(), Victim("Bert", Turned(), "toy")).both
    assert (unaware.value, aware.value) == (0, 1)
    assert system.scores(toy_victim(), toy_victim()).as_it_was.value == 1


def test_noise_in_a_column_without_information_costs_a_system_nothing(monkeypatch):
    letters = ["a" * 9 if row % 2 else "b" * 9 for row in range(60)]
    corpus = Corpus("toy", letters, attributes={"letter": [text[0] for text in letters]})
    system = DownstreamSystem(corpus.take(range(40)), corpus.take(range(40, 60)), "letter", seed=0)

    class Dead(Toy):
        """A third column of rounding errors, as MiniLM has some; `noise` is on all columns."""

        dimension, noise = 3, 0.0

        def encode(self, texts, *, progress=None):  # noqa: ARG002
            rng = np.random.default_rng(len(texts))
            dead = 1e-9 * rng.standard_normal((len(texts), 1))
            found = np.hstack([super().encode(texts), dead])
            return (found + self.noise * rng.standard_normal(found.shape)).astype(np.float32)

    class Noisy(Dead):
        noise = 0.01

    plain, noisy = Victim("Bert", Dead(), "toy"), Victim("Bert", Noisy(), "toy")
    assert system.scores(plain, noisy).as_it_was.value == 1
    # The control: stretched like the others, the dead column alone makes the same noise ruinous.
    with monkeypatch.context() as patch:
        patch.setattr("vestige.utility.mlp_probe.DEAD", 0.0)
        assert system.scores(plain, noisy).as_it_was.value < 0.9


def test_a_system_separates_the_ten_most_frequent_labels_and_ignores_texts_without_one():
    labels = [*"abcdefghijk" * 2, *"abcdefghij", "", "z"]
    corpus = Corpus("toy", ["text"] * len(labels), attributes={"kind": labels})
    system = DownstreamSystem(corpus, corpus, "kind", seed=0)
    assert system.classes == set("abcdefghij")
    assert len(system._select(corpus)) == 30
