"""Low false positive rates and bounds on epsilon, in words."""

from vestige.metrics.membership.advantage import EpsilonBound
from vestige.metrics.membership.roc import OperatingPoint
from vestige.probes.membership_evidence import describe_bound, describe_realised
from vestige.types import Score


def test_a_rate_is_realised_or_cannot_be_measured():
    point = OperatingPoint(0.01, Score(0.008, 0.002, 0.02, 500), Score(0.5, 0.4, 0.6, 500))
    assert describe_realised(point) == "The threshold for 1.0% realises 0.8% (95% interval 0.2% to 2.0%)."
    refused = OperatingPoint(0.001, None, None, "500 non-members are too few")
    assert describe_realised(refused) == "0.1% cannot be measured: 500 non-members are too few."


def test_a_bound_disproves_claims_of_privacy_and_proves_none():
    def bound(at_least, reason=None):
        return EpsilonBound(at_least, 3.0, 1e-5, 0.95, 20, 20, reason)

    assert "with an epsilon below 1.50 is true" in describe_bound(bound(1.5), "such a search")
    assert "which is no proof of it" in describe_bound(bound(0.0), "such a search")
    assert describe_bound(bound(None, "too few"), "x") == "No bound on epsilon can be given: too few."
