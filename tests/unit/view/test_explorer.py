"""From words to stored texts to documents, with nothing that the vectors do not reveal."""

import numpy as np
import pytest

from tests.sample_view import fitted_model
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import words
from vestige.view.evidence_pages import WORDS_BY_FREQUENCY


def test_a_word_is_counted_in_texts_and_claims(model):
    explorer = model.explorer
    row = explorer.words[0]
    pairs = list(zip(explorer.truth, explorer.claimed, strict=True))
    assert row.present == sum(row.word in truth for truth, _ in pairs)
    assert row.recovered == sum(row.word in truth & claimed for truth, claimed in pairs) > 0
    assert row.wrong == sum(row.word in claimed - truth for truth, claimed in pairs)
    assert len(explorer.list_targets(row.word)) == row.recovered


def test_words_that_were_never_recovered_are_counted_and_not_named(model):
    explorer = model.explorer
    recovered = {
        word for truth, claimed in zip(explorer.truth, explorer.claimed, strict=True) for word in truth & claimed
    }
    assert {row.word for row in explorer.words} == recovered
    every = {word for truth in explorer.truth for word in truth}
    assert sum(explorer.list_unseen(band) for band in range(len(explorer.bands))) == len(every - recovered)


def test_the_leakage_is_the_mean_gain_over_the_prior(model):
    explorer = model.explorer
    f1 = word_recovery(explorer.claimed, explorer.truth).f1
    prior = word_recovery([explorer.attacker.prior] * len(explorer.truth), explorer.truth).f1
    assert explorer.leakage.value == pytest.approx(float((f1 - prior).mean()), abs=1e-6)
    assert explorer.leakage.low > 0.2


def test_bands_of_words_are_a_chart_whose_bars_lead_to_words(model):
    """The report of an audit has the same chart, whose bars are found by its title."""
    assert model.explorer.charts[0].title == WORDS_BY_FREQUENCY
    assert {bar.label for bar in model.explorer.charts[0].bars} <= set(model.explorer.bands)


def test_documents_are_numbered_in_their_order(model):
    explorer = model.explorer
    names = list(dict.fromkeys(explorer.attacker.truth.documents))
    for number, rows in explorer.documents.items():
        assert {explorer.attacker.truth.documents[row] for row in rows} == {names[number]}
    first, *_, last = explorer.rank_documents()
    assert first[1] == pytest.approx(float(explorer.gains[explorer.documents[first[0]]].mean()))
    assert first[1] >= last[1]


def test_a_stored_text_shows_recovered_words_only(model):
    explorer = model.explorer
    for row in range(10):
        leak = explorer.describe(row)
        shown = {token.text for token in leak.text.tokens if token.text is not None}
        assert shown == explorer.truth[row] & explorer.claimed[row]
        assert leak.gain == pytest.approx(float(explorer.gains[row]))
        (attribute, label, chance, right) = leak.labels[0]
        assert attribute == "half"
        assert right == (label == explorer.attacker.truth.attributes["half"][row])
        assert 0.5 <= chance <= 1


def test_keywords_that_are_claimed_are_compared_with_the_text(model):
    explorer = model.explorer
    claimed = [each for row in range(len(explorer.truth)) for each in explorer.describe(row).keywords]
    assert claimed
    assert np.mean([right for *_, right in claimed]) > 0.5


def test_with_show_text_everything_is_shown(tmp_path):
    explorer = fitted_model(tmp_path, show_text=True, keywords=(), pairs=200).explorer
    leak = explorer.describe(0)
    assert [token.text for token in leak.text.tokens] == words(explorer.attacker.truth.texts[0])
    assert {row.word for row in explorer.words} == {word for truth in explorer.truth for word in truth}
