"""Film reviews with a real encoder: 8,000 auxiliary sentences, 1,000 targets of other reviews."""

import pytest

import vestige
from vestige.text.corpora import is_available

pytestmark = [
    pytest.mark.encoder,
    pytest.mark.skipif(not is_available("imdb"), reason="imdb.parquet is not in VESTIGE_DATA"),
]


SETTINGS = vestige.Settings(queries=0, probes=("words",))


@pytest.fixture(scope="module")
def finding():
    return vestige.audit(texts="imdb", encoder="minilm", settings=SETTINGS).findings[0]


def test_the_attack_recovers_four_in_ten_words_and_the_prior_almost_none(finding):
    f1 = finding.measure("f1")
    assert f1.attack.low > 0.41
    assert f1.prior.value == pytest.approx(0.07, abs=0.01)
    assert finding.warnings == ()


def test_the_control_is_within_the_interval_of_the_prior(finding):
    f1 = finding.measure("f1")
    assert f1.prior.low <= f1.control.value <= f1.prior.high


def test_it_is_more_than_copying(finding):
    everything, without_copies = finding.charts[-1].bars
    assert without_copies.score.value > everything.score.value - 0.02
