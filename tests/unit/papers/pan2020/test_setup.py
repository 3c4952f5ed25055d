"""Strengths of defenses as specs."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import PAN_SIZES
from vestige.papers.pan2020.setup import defense_sweeps, keyword_sweeps


def test_strengths_become_specs():
    first, laplace, published, ours = defense_sweeps(replace(PAN_SIZES.strengths, epsilons=(0.1, 1000)))
    assert first.specs == {0: "rounding:0", 9: "rounding:9"}
    assert laplace.specs == pytest.approx({-1: "laplace:0.1", 3: "laplace:1000"})
    assert published.specs == {-1.0: "ppm:0.1,rounds=2,recipe=pan"}
    assert ours.specs == {-1.0: "ppm:0.1,rounds=2"}
    written, between, *singly = keyword_sweeps(PAN_SIZES.strengths)
    assert written.specs == {0.5: "subspace:0.5,scatter=within,norm=true"}
    assert list(between.specs.values()) == ["subspace"]
    assert [sweep.name for sweep in singly] == [
        f"{name}, one keyword at a time" for name in ("subspace, as written", "subspace, between the means", "PPM")
    ]
    assert all(sweep.singly for sweep in singly)
    assert not written.singly
