"""The scores of an attack over repetitions."""

from dataclasses import replace

import pytest

from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.attacks import SadeVariant
from vestige.papers.chen2023.measured import average_repeats, measure_line, scores_at_five
from vestige.types import Score


def test_repetitions_are_averaged_and_widen_the_interval():
    scores = [Score(0.4, 0.3, 0.5, 10), Score(0.6, 0.5, 0.7, 10)]
    found = average_repeats(scores)
    # Half of the width is 0.1 over documents, and 1.96 times the standard error of 0.1 over repetitions.
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5 - 0.22, 0.5 + 0.22), abs=0.001)
    assert average_repeats(scores[:1]) is scores[0]


def test_what_is_trained_is_repeated(cached_run, documents_and_encoders):
    run = replace(cached_run, sizes=replace(cached_run.sizes, repeats=2))
    adversary = OpenWorldAdversary(run, *documents_and_encoders)
    line = measure_line(adversary, "MLP", OpenWorldAdversary.mlp, scores_at_five)
    assert len(line.logs) == 2
    closed = measure_line(adversary, "ours", SadeVariant.build(recipe="vestige"), scores_at_five)
    assert closed.logs == ()


def test_a_stopped_run_goes_on_after_its_last_repetition(cached_run, documents_and_encoders, monkeypatch, tmp_path):
    run = replace(cached_run, sizes=replace(cached_run.sizes, repeats=2), cache=tmp_path)
    documents, target, own = documents_and_encoders
    fitted, fit = [], OpenWorldAdversary.sade

    def stop_at_two(self, **settings):
        fitted.append(self.repetition)
        if len(fitted) == 2:
            raise KeyboardInterrupt
        return fit(self, **settings)

    monkeypatch.setattr(OpenWorldAdversary, "sade", stop_at_two)

    def measure():
        adversary = OpenWorldAdversary(run, documents, target, own, cache=run.cache)
        return measure_line(adversary, "SADE", SadeVariant(), scores_at_five)

    with pytest.raises(KeyboardInterrupt):
        measure()
    assert len(measure().logs) == 2
    assert fitted == [0, 1, 1]
    assert measure() == measure()
    assert len(fitted) == 3
