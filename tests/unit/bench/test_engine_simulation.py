"""The simulated cluster, by hand."""

import numpy as np
import pytest
from bench.engine_simulation import VirtualPool, simulate


def make(workers, **options):
    return VirtualPool(workers, 10.0, np.random.default_rng(0), **options)


def test_equal_machines_take_the_ideal_time():
    assert simulate(40, make(4)).ratio == pytest.approx(1, abs=0.1)


def test_a_slow_machine_holds_up_the_end_unless_its_part_is_repeated():
    without, with_repeats = (
        simulate(40, make(8, slow_share=0.2, slow_factor=30.0), repeats=repeats) for repeats in (False, True)
    )
    assert without.ratio == pytest.approx(30 * 10 / 50, rel=0.15), "one part on the slow machine: 300 s instead of 50"
    assert with_repeats.ratio < 2
    assert with_repeats.started > 40


def test_every_part_is_finished_though_machines_die():
    found = simulate(200, make(8, lifetime=60.0, startup=5.0))
    assert found.deaths > 10
    assert not found.failed
    assert found.ratio < 2
