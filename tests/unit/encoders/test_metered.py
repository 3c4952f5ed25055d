import pytest

from vestige.encoders.metered import Metered
from vestige.errors import BudgetExceeded


def test_it_counts_every_text_including_repeated_ones(encoder):
    meter = Metered(encoder)
    meter.encode(["a", "a", "b"])
    meter.encode(["c"])
    assert meter.spent == 4


def test_a_call_beyond_the_budget_is_refused_before_it_is_encoded(encoder):
    meter = Metered(encoder, budget=3)
    meter.encode(["a", "b"])
    with pytest.raises(BudgetExceeded, match="exceed the budget of 3"):
        meter.encode(["c", "d"])
    assert (meter.spent, encoder.calls) == (2, [2])
    meter.encode(["c"])
    assert meter.spent == 3
