"""The decoder writes sentences of a tiny language back, and with shuffled vectors it does not."""

import numpy as np
import pytest

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.metrics.text_recovery import text_recovery

TARGETS = 36
SMALL = {"width": 64, "layers": 1, "epochs": 40}


@pytest.fixture(scope="module")
def pairs():
    texts = sentences()
    return OrderedSum().encode(texts), texts


@pytest.fixture(scope="module")
def decoder(pairs):
    vectors, texts = pairs
    known = vectors[TARGETS:], texts[TARGETS:]
    return PrefixDecoder(**SMALL).fit(*known, rng=np.random.default_rng(0), encoder=OrderedSum())


def recovered(decoder, pairs):
    written = decoder.infer(pairs[0][:TARGETS]).texts
    return text_recovery(written, pairs[1][:TARGETS]).rouge_l.mean()


def test_sentences_never_seen_are_written_back(decoder, pairs):
    assert recovered(decoder, pairs) > 0.8


def test_with_shuffled_vectors_they_are_not(decoder, pairs):
    vectors, texts = pairs
    shuffled = np.random.default_rng(1).permutation(vectors[TARGETS:])
    control = PrefixDecoder(**SMALL | {"epochs": 10}).fit(shuffled, texts[TARGETS:], rng=np.random.default_rng(0))
    assert recovered(control, pairs) < 0.5 < recovered(decoder, pairs)


def test_a_text_with_a_mistake_is_corrected(decoder, pairs):
    """The word that the editor finds likeliest in the place of a wrong one is mostly the true one."""
    vectors, texts = pairs
    hits = []
    for target, text in zip(vectors[:TARGETS], texts[:TARGETS], strict=True):
        words = text.split()
        wrong = [*words[:1], "key" if words[1] != "key" else "tea", *words[2:]]
        vector = OrderedSum().encode([" ".join(wrong)])
        features = decoder.edit(target[None], vector, [decoder.number(wrong)])[0]
        scores = features.replace @ decoder.network_.words.weight.detach().numpy().T
        scores += decoder.network_.bias.detach().numpy()
        hits.append(scores[1].argmax() == decoder.number([words[1]])[0])
        assert features.insert.shape == (len(words) + 1, 64)
    assert np.mean(hits) > 0.6
