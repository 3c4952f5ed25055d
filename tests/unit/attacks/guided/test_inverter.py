"""Guided inversion: on an encoder that leaks by construction it writes the words back, and never asks one text more."""

from functools import cache

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.priors import NearestText
from vestige.encoders.metered import Metered
from vestige.errors import InputError, NotFitted
from vestige.metrics.text_recovery import text_recovery


@cache
def alone(word):
    return WordSum().encode([word])[0]


class Places(WordSum):
    """The toy encoder, with each word's vector turned by its place, so that order counts."""

    name = identity = "word-sum with places"

    def encode(self, texts, *, progress=None):  # noqa: ARG002
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for place, word in enumerate(text.lower().replace(".", "").split()):
                rows[row] += np.roll(alone(word), place // 2)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture(scope="module")
def fitted(toy_pairs):
    vectors, texts = toy_pairs
    return GuidedInverter(queries=400).fit(vectors[:-60], texts[:-60], encoder=WordSum())


def test_words_are_written_back(fitted, toy_pairs):
    targets, truth = toy_pairs[0][-12:], toy_pairs[1][-12:]
    nearest = NearestText().fit(toy_pairs[0][:-60], toy_pairs[1][:-60]).infer(targets)
    written = fitted.infer(targets)
    assert text_recovery(written.texts, truth).rouge_1.mean() > 0.95
    assert text_recovery(nearest.texts, truth).rouge_1.mean() < 0.8


def test_where_order_counts_it_comes_back_in_order(toy_pairs):
    texts = toy_pairs[1]
    encoder = Places()
    vectors = encoder.encode(texts)
    attack = GuidedInverter(queries=400).fit(vectors[:-60], texts[:-60], encoder=encoder)
    written = text_recovery(attack.infer(vectors[-4:]).texts, texts[-4:])
    nearest = text_recovery(NearestText().fit(vectors[:-60], texts[:-60]).infer(vectors[-4:]).texts, texts[-4:])
    assert written.rouge_l.mean() > nearest.rouge_l.mean() + 0.05


def test_every_query_is_counted_and_the_budget_kept(toy_pairs):
    vectors, texts = toy_pairs
    meter = Metered(WordSum())
    attack = GuidedInverter(queries=50).fit(vectors[:300], texts[:300], encoder=meter)
    assert meter.spent == len(attack.lexicon_.words)
    before = meter.spent
    trails = attack.infer(vectors[-5:]).trails
    assert sum(trail[-1].queries for trail in trails) == meter.spent - before
    assert all(trail[-1].queries <= 50 for trail in trails)


def test_when_the_time_is_over_no_further_round_begins(toy_pairs, monkeypatch):
    """The clock advances by a second whenever it is read."""
    ticks = iter(range(1000))
    monkeypatch.setattr("vestige.attacks.guided.inverter.process_time", lambda: float(next(ticks)))
    texts, encoder = toy_pairs[1], Places()
    vectors = encoder.encode(texts)
    attack = GuidedInverter(queries=400).fit(vectors[:300], texts[:300], encoder=encoder)
    assert min(len(trail) for trail in attack.infer(vectors[-3:]).trails) > 4
    attack.seconds = 1
    assert [len(trail) for trail in attack.infer(vectors[-3:]).trails] == [3, 3, 3]
    assert len(list(attack.follow(vectors[-1]))) == 1
    attack.seconds = 0
    assert [len(trail) for trail in attack.infer(vectors[-3:]).trails] == [1, 1, 1]


def test_a_trail_only_gets_better_and_says_what_the_encoder_says(fitted, toy_pairs):
    guesses = fitted.infer(toy_pairs[0][-5:])
    for trail, text, target in zip(guesses.trails, guesses.texts, toy_pairs[0][-5:], strict=True):
        assert [trial.queries for trial in trail] == sorted({trial.queries for trial in trail})
        assert trail[-1].text == text
        assert trail[-1].similarity == pytest.approx(float(WordSum().encode([text])[0] @ target), abs=1e-5)
        assert trail[-1].similarity >= trail[0].similarity


def test_a_search_can_be_followed_round_by_round(fitted, toy_pairs):
    target = toy_pairs[0][-1]
    steps = list(fitted.follow(target))
    assert steps == fitted.infer(target[None]).trails[0]
    assert len(steps) > 1
    with pytest.raises(NotFitted, match="follow was called before fit"):
        next(GuidedInverter().follow(target))


def test_a_guess_depends_on_its_own_vector_alone(fitted, toy_pairs):
    targets = toy_pairs[0][-5:]
    together = fitted.infer(targets).texts
    assert fitted.infer(targets[::-1]).texts == together[::-1]
    assert fitted.infer(targets[3:4]).texts == together[3:4]
    assert fitted.infer(targets[:0]).texts == []


class Louder(WordSum):
    """The toy encoder, its vectors sixteen times as long: a power of two rounds nothing."""

    def encode(self, texts, *, progress=None):  # noqa: ARG002
        return 16 * super().encode(texts)


def test_only_the_direction_of_vectors_counts(toy_pairs):
    vectors, texts = toy_pairs
    found = [
        GuidedInverter(queries=100).fit(size * vectors[:300], texts[:300], encoder=encoder).infer(size * vectors[-6:])
        for size, encoder in ((np.float32(1), WordSum()), (np.float32(16), Louder()))
    ]
    assert found[0].texts == found[1].texts


def test_long_and_wordless_neighbours_are_no_trouble(toy_pairs):
    vectors, texts = toy_pairs
    long = [" ".join(texts[row : row + 12]) for row in range(100)]
    encoder = WordSum()
    attack = GuidedInverter(queries=60).fit(encoder.encode(long), long, encoder=encoder)
    assert attack.infer(vectors[-3:]).trails[0][-1].queries > 40
    wordless = [*texts[:50], *["*"] * 50]
    rows = np.vstack([vectors[:50], np.tile(vectors[-1], (50, 1))])
    assert GuidedInverter(queries=60).fit(rows, wordless, encoder=encoder).infer(vectors[-1:]).texts[0]


def test_fluency_counts_by_its_weight(toy_pairs):
    vectors, texts = toy_pairs
    similarity = [
        np.mean(
            [
                trail[-1].similarity
                for trail in GuidedInverter(queries=150, fluency=fluency)
                .fit(vectors[:300], texts[:300], encoder=WordSum())
                .infer(vectors[-5:])
                .trails
            ]
        )
        for fluency in (0.0, 0.1)
    ]
    assert similarity[0] > similarity[1]


@pytest.mark.parametrize(
    "setting",
    [{"queries": 0}, {"seconds": -1}, {"beam": 0}, {"fluency": -0.1}, {"vocabulary_size": 0}, {"restarts": -1}],
)
def test_settings_out_of_range_are_refused(setting, toy_pairs):
    (name,) = setting
    with pytest.raises(InputError, match=f"The '{name}' parameter must be at least"):
        GuidedInverter(**setting).fit(toy_pairs[0][:30], toy_pairs[1][:30], encoder=WordSum())


def test_pairs_that_do_not_match_are_refused(toy_pairs):
    with pytest.raises(InputError, match="one text per vector"):
        GuidedInverter().fit(toy_pairs[0][:30], toy_pairs[1][:29], encoder=WordSum())
    with pytest.raises(InputError, match="too few"):
        GuidedInverter().fit(toy_pairs[0][:5], toy_pairs[1][:5], encoder=WordSum())
    with pytest.raises(NotFitted):
        GuidedInverter().infer(toy_pairs[0][:1])


def test_with_a_decoder_it_recovers_more_from_as_few_queries():
    """Sentences of a tiny language in which order counts; the decoder was trained on the same pairs."""
    texts, encoder = sentences(), OrderedSum()
    vectors = encoder.encode(texts)
    known, truth = (vectors[24:], texts[24:]), texts[:24]
    decoder = PrefixDecoder(width=64, layers=1, epochs=15).fit(*known, rng=np.random.default_rng(0), encoder=encoder)
    meter = Metered(encoder)
    scores = []
    for given in (None, decoder):
        attack = GuidedInverter(queries=9).fit(*known, encoder=meter, decoder=given)
        before = meter.spent
        guesses = attack.infer(vectors[:24])
        assert sum(trail[-1].queries for trail in guesses.trails) == meter.spent - before
        assert all(trail[-1].queries <= 9 for trail in guesses.trails)
        assert attack.infer(vectors[3:4]).texts == guesses.texts[3:4]
        scores.append(text_recovery(guesses.texts, truth).rouge_l.mean())
    assert scores[1] > scores[0] + 0.1


def test_words_of_a_public_list_come_back_though_no_pair_has_them(toy_pairs):
    vectors, texts = toy_pairs
    encoder = WordSum()
    targets = encoder.encode(["zebra " + text for text in texts[-6:]])
    found = [
        GuidedInverter(queries=200).fit(vectors[:300], texts[:300], encoder=encoder, further_words=words).infer(targets)
        for words in ((), ("zebra", "yacht"))
    ]
    without, given = (sum("zebra" in text for text in guesses.texts) for guesses in found)
    assert without == 0
    assert given >= 4
