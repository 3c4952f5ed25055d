"""A finished row is measured once, in every table."""

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.case.codec import dumps


@pytest.mark.parametrize(
    "table",
    [
        "table2",
        "figure3",
        "figure6",
        "table3",
        "figure7",
        "table4",
        "table5",
        "fingerprint",
        "figure8",
        "figure10",
        "table8",
    ],
)
def test_a_second_run_measures_no_row_again(cached_run, monkeypatch, table):
    first = reproduce("pan2020", table, cached_run)
    attacks = "table2.PatternReconstructor", "attacks.KeywordInference", "fingerprint.Fingerprinter"
    for attack in (*attacks, "figure10.DecoderInverter", "defended.MlpProbe"):
        monkeypatch.setattr(
            f"vestige.papers.pan2020.{attack}.fit", lambda *_, **__: pytest.fail("an attack was fitted")
        )
    monkeypatch.setattr(DomainAdversarialKeyword, "fit", lambda *_, **__: pytest.fail("a network was trained"))
    assert dumps(reproduce("pan2020", table, cached_run).rows) == dumps(first.rows)
