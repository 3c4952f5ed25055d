"""Threads that share an encoder wait for each other."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import numpy as np
import pytest

from tests.conftest import WordSum
from vestige.encoders.memoized import Memoized
from vestige.encoders.metered import Metered
from vestige.encoders.one_at_a_time import OneAtATime, can_share
from vestige.types import silent


class Busy(WordSum):
    """Notices if it is called while it encodes."""

    any_thread = True

    def __init__(self):
        super().__init__()
        self.running, self.most = 0, 0

    def encode(self, texts, *, progress=silent):
        self.running += 1
        self.most = max(self.most, self.running)
        sleep(0.002)
        try:
            return super().encode(texts, progress=progress)
        finally:
            self.running -= 1


def test_calls_come_one_after_another_and_are_counted():
    busy = Busy()
    meter = Metered(busy)
    shared = OneAtATime(meter)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda row: shared.encode([f"text {row}"]), range(12)))
    assert busy.most == 1
    assert meter.spent == 12
    assert np.array_equal(np.concatenate(found), busy.encode([f"text {row}" for row in range(12)]))


def test_a_stopped_encoder_refuses():
    shared = OneAtATime(Busy())
    shared.encode(["one"])
    shared.stop()
    with pytest.raises(RuntimeError, match="stopped"):
        shared.encode(["two"])


def test_whether_an_encoder_can_be_shared_is_declared_by_the_innermost():
    assert can_share(Memoized(Busy()))
    assert not can_share(Memoized(WordSum()))
