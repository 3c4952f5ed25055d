"""The decoder of Chen's attacks: its held-out pairs, and the epoch that is chosen on them."""

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.word_decoder import WeighedPairs, WordDecoder, init_seeded, train_best_epoch


@pytest.fixture
def pairs():
    weights = sparse.csr_array(np.eye(10, dtype=np.float32))
    return WeighedPairs.build(np.arange(20, dtype=np.float32).reshape(10, 2), weights, np.random.default_rng(0))


def test_a_fifth_of_the_pairs_is_held_out(pairs):
    assert pairs.train == 8
    rows = np.concatenate(list(pairs.batches(np.random.default_rng(1))))
    assert sorted(rows.tolist()) == list(range(8))


def test_precision_by_hand(pairs):
    """The decoder ranks the same words for every document; each document has one word."""
    decoder = WordDecoder(2, 10)
    held_out = pairs.weights[8:].argmax(dim=1)
    with torch.no_grad():
        for parameter in decoder.parameters():
            parameter.zero_()
        decoder.words.bias[held_out] = 1.0
    assert pairs.precision(decoder) == pytest.approx(1 / 5)


def test_the_best_epoch_on_held_out_pairs_is_taken():
    decoder, epochs = WordDecoder(2, 10), iter([3.0, 1.0, 2.0])
    scores = {3.0: 0.2, 1.0: 0.9, 2.0: 0.9}

    class Scripted:
        vectors, train = range(7), 4

        def precision(self, decoder):
            return scores[decoder.words.bias[0].item()]

    def epoch():
        torch.nn.init.constant_(decoder.words.bias, next(epochs))

    log = train_best_epoch(decoder, Scripted(), epoch, 3)
    assert decoder.words.bias.tolist() == [1.0] * 10
    assert [loss for _, loss in log.curve] == pytest.approx([0.8, 0.1, 0.1])
    assert "on 3 held-out pairs" in log.rule
    assert not log.converged


def test_weights_depend_on_the_generator_alone():
    torch.manual_seed(1)
    one = init_seeded(lambda: WordDecoder(2, 3), np.random.default_rng(0))
    torch.manual_seed(2)
    other = init_seeded(lambda: WordDecoder(2, 3), np.random.default_rng(0))
    assert (one.hidden.weight == other.hidden.weight).all()


def test_a_training_ends_when_the_precision_has_not_risen_for_long():
    decoder, scores = WordDecoder(2, 10), iter([0.1, 0.5, 0.5, 0.4, 0.3, 0.2, 0.9])

    class Scripted:
        vectors, train = range(7), 4

        def precision(self, _decoder):
            return next(scores)

    log = train_best_epoch(decoder, Scripted(), lambda: None, 100, patience=4)
    assert log.converged
    assert log.steps == 6


@pytest.mark.parametrize(("patience", "converged"), [(200, False), (None, True)])
def test_a_training_that_was_cut_off_has_not_converged_however_flat_it_was(patience, converged):
    """The precision of a decoder that has learned nothing yet does not rise either."""

    class Flat:
        vectors, train = range(7), 4

        def precision(self, _decoder):
            return 0.1

    log = train_best_epoch(WordDecoder(2, 10), Flat(), lambda: None, 20, patience=patience)
    assert (log.converged, log.steps) == (converged, 20)


def test_all_pairs_are_learned_from_if_others_are_held_out():
    weights = sparse.csr_array(np.eye(10, dtype=np.float32))
    vectors = np.arange(20, dtype=np.float32).reshape(10, 2)
    pairs = WeighedPairs.build(vectors, weights, np.random.default_rng(0), (vectors[:3] + 100, weights[:3]))
    assert pairs.train == 10
    assert pairs.vectors[10:].tolist() == (vectors[:3] + 100).tolist()
    assert pairs.weights[10:].argmax(dim=1).tolist() == [0, 1, 2]
