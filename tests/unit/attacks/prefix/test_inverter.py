"""The decoder writes sentences of a tiny language back, and with shuffled vectors it does not."""

import numpy as np
import pytest

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.encoders.metered import Metered
from vestige.errors import InputError, NotFitted
from vestige.metrics.text_recovery import text_recovery

TARGETS = 36
SMALL = {"width": 64, "layers": 1, "epochs": 30}


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


def rank_true_words(decoder, pairs, targets):
    """The mean rank of the true word in the place of a wrong one, 0 being the likeliest."""
    outputs = decoder.list_outputs(decoder.lexicon_.words)[:-1]
    ranks = []
    for target, text in zip(targets, pairs[1], strict=False):
        words = text.split()
        wrong = [*words[:1], "key", *words[2:]]
        vector = OrderedSum().encode([" ".join(wrong)])
        features = decoder.edit(target[None], vector, [decoder.number(wrong)])[0]
        scores = outputs[:, :-1] @ features.replace[1] + outputs[:, -1]
        ranks.append(int((scores > scores[decoder.lexicon_.index[words[1]]]).sum()))
        assert features.insert.shape == (len(words) + 1, SMALL["width"])
    return np.mean(ranks)


def test_the_editor_finds_the_true_word_by_the_target(decoder, pairs):
    targets = pairs[0][:TARGETS]
    found, control = rank_true_words(decoder, pairs, targets), rank_true_words(decoder, pairs, np.roll(targets, 7, 0))
    assert found < 0.75 * control


def test_editing_is_learned_from_queries_alone(pairs):
    meter = Metered(OrderedSum())
    short = PrefixDecoder(**SMALL | {"epochs": 1})
    assert not short.fit(pairs[0][:60], pairs[1][:60], rng=np.random.default_rng(0)).edits
    assert short.fit(pairs[0][:60], pairs[1][:60], rng=np.random.default_rng(0), encoder=meter).edits
    assert 0 < meter.spent <= 60


def test_a_guess_depends_on_its_own_vector_alone(decoder, pairs):
    targets = pairs[0][:5]
    together = decoder.infer(targets).texts
    assert decoder.infer(targets[::-1]).texts == together[::-1]
    assert decoder.infer(20 * targets[3:4]).texts == together[3:4]
    assert decoder.infer(targets[:0]).texts == []


def test_another_encoder_is_connected_by_pairs_of_vectors(decoder, pairs):
    """The other encoder is a rotation: after alignment, its vectors give the same texts."""
    vectors, _ = pairs
    rotation = np.linalg.qr(np.random.default_rng(0).standard_normal((48, 48)))[0].astype(np.float32)
    aligned = decoder.align(vectors[60:200] @ rotation, vectors[60:200])
    same = np.mean(
        [
            one == other
            for one, other in zip(
                aligned.infer(vectors[:30] @ rotation).texts, decoder.infer(vectors[:30]).texts, strict=True
            )
        ]
    )
    assert same > 0.8
    with pytest.raises(InputError, match="expected one for each"):
        decoder.align(vectors[:20], vectors[:19])


@pytest.mark.parametrize("setting", [{"epochs": 0}, {"width": 8}, {"layers": 0}, {"samples": 0}])
def test_settings_out_of_range_are_refused(setting, pairs):
    (name,) = setting
    with pytest.raises(InputError, match=f"The '{name}' parameter must be at least"):
        PrefixDecoder(**setting).fit(*pairs, rng=np.random.default_rng(0))


def test_what_is_not_fitted_says_so(pairs):
    for call in (lambda d: d.infer(pairs[0]), lambda d: d.align(pairs[0], pairs[0])):
        with pytest.raises(NotFitted, match="call fit"):
            call(PrefixDecoder())
