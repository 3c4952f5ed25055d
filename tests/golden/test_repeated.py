"""The mean over runs, by hand."""

import pytest

from vestige.errors import InputError
from vestige.metrics.repeated import mean_of_runs
from vestige.types import Score


def run(value):
    return Score(value, value - 0.1, value + 0.1, 50, 0.0)


def test_the_interval_is_students_over_the_runs():
    # Mean 0.2, standard deviation 0.1, three runs: t at 0.975 with 2 degrees is 4.3027; 4.3027 * 0.1 / sqrt(3).
    score = mean_of_runs([run(0.1), run(0.2), run(0.3)])
    assert (score.value, score.n, score.baseline) == (0.2, 50, 0.0)
    assert score.high - score.value == pytest.approx(0.24841, abs=1e-5)
    assert score.value - score.low == pytest.approx(0.24841, abs=1e-5)


def test_two_runs_have_no_interval():
    with pytest.raises(InputError, match="2 runs are too few"):
        mean_of_runs([run(0.1), run(0.2)])
