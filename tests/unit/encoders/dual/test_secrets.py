"""What an encoder is trained to hide, by hand."""

import numpy as np
import pytest
import torch

from vestige.encoders.dual.secrets import NO_LABEL, ClassSecret, WordSecret, number_labels


def test_the_words_of_a_sentence_by_hand():
    """Row 0 stands for unknown words and is no word to infer; a word counts once."""
    secret = WordSecret([[1, 3, 3, 0], [0], [2, 1]], 4)
    assert secret.count == 3
    assert secret.known([2, 0]) == [0, 1]
    assert secret.columns([2, 0]).tolist() == [[1, 1, 0], [1, 0, 1]]
    assert secret.shares().tolist() == pytest.approx([2.5 / 4, 1.5 / 4, 1.5 / 4])
    assert secret.prior().tolist() == pytest.approx(np.log([2.5 / 1.5, 1.5 / 2.5, 1.5 / 2.5]))
    logits = torch.zeros(1, 3)
    assert secret.losses(logits, secret.columns([0])).tolist() == pytest.approx([3 * np.log(2)])


def test_the_classes_of_sentences_by_hand():
    secret = ClassSecret(["b", None, "a", "b"])
    assert secret.count == 2
    assert secret.known([1, 2, 3]) == [1, 2]
    assert secret.columns([2, 3]).tolist() == [[1, 0], [0, 1]]
    assert secret.shares().tolist() == pytest.approx([1 / 3, 2 / 3])
    assert secret.prior().tolist() == pytest.approx(np.log([1 / 3, 2 / 3]))
    assert secret.losses(torch.zeros(1, 2), secret.columns([2])).tolist() == pytest.approx([np.log(2)])


def test_labels_are_numbered_in_alphabetical_order():
    assert number_labels(["b", None, "a"]).tolist() == [1, NO_LABEL, 0]
