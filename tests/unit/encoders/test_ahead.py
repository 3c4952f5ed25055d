"""Texts are encoded ahead of time in the background, and whoever asks for one goes first."""

import os
import sys
import threading
import time

import numpy as np
import pytest

from vestige.encoders import ahead
from vestige.encoders.ahead import Turns, encode_ahead
from vestige.encoders.cached import CachedEncoder
from vestige.types import silent


class Lengths:
    """Encodes a text as its length, and records in which thread each text was encoded."""

    name, identity, dimension, any_thread = "lengths", "lengths 1", 1, True

    def __init__(self, broken=()):
        self.seen, self.broken = [], broken

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        self.seen += [(text, threading.current_thread() is threading.main_thread()) for text in texts]
        if set(self.broken) & set(texts):
            raise RuntimeError("cannot encode")
        return np.array([[len(text)] for text in texts], dtype=np.float32)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(ahead, "count_cores", lambda: 2)


def wait_for(condition):
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    assert condition()


def test_texts_are_encoded_before_anybody_asks_and_never_twice(tmp_path):
    plain = Lengths()
    encoder = CachedEncoder(plain, tmp_path)
    with encode_ahead(encoder, [["a", "bb"], ["ccc", "a"]]):
        wait_for(lambda: len(plain.seen) == 3)
        assert encoder.encode(["ccc", "a", "dddd"]).ravel().tolist() == [3, 1, 4]
    assert sorted(plain.seen) == [("a", False), ("bb", False), ("ccc", False), ("dddd", True)]
    assert encoder.encode(["bb"]).tolist() == [[2]]


def test_nothing_more_is_encoded_after_the_end(tmp_path):
    plain, gate = Lengths(), threading.Event()

    def groups():
        yield ["a"]
        gate.wait(5)
        yield ["b"]

    with encode_ahead(CachedEncoder(plain, tmp_path), groups()):
        wait_for(lambda: plain.seen)
        threading.Timer(0.05, gate.set).start()
    assert [text for text, _ in plain.seen] == ["a"]


def test_an_error_is_met_by_whoever_needs_the_text(tmp_path):
    plain = Lengths(broken=["b"])
    encoder = CachedEncoder(plain, tmp_path)
    with encode_ahead(encoder, [["a"], ["b"], ["c"]]):
        wait_for(lambda: len(plain.seen) == 2)
        assert encoder.encode(["a"]).tolist() == [[1]]
        with pytest.raises(RuntimeError, match="cannot encode"):
            encoder.encode(["b"])


@pytest.mark.parametrize("case", ["no cache", "one core", "one thread", "no encoder"])
def test_where_it_cannot_help_nothing_is_done(tmp_path, monkeypatch, case):
    plain = Lengths()
    encoder = plain if case == "no cache" else CachedEncoder(plain, tmp_path)
    if case == "one core":
        monkeypatch.setattr(ahead, "count_cores", lambda: 1)
    if case == "one thread":
        monkeypatch.setattr(Lengths, "any_thread", False)
    with encode_ahead(None if case == "no encoder" else encoder, [["a"]]):
        assert threading.active_count() == 1 or not any("_work" in each.name for each in threading.enumerate())
    assert not plain.seen


def test_what_is_done_ahead_waits_for_all_others():
    turns, order = Turns(), []

    def work(name, *, idle):
        with turns.take(idle=idle):
            order.append(name)

    with turns.take():
        threads = [threading.Thread(target=work, args=("ahead",), kwargs={"idle": True})]
        threads += [threading.Thread(target=work, args=(name,), kwargs={"idle": False}) for name in ("one", "two")]
        for thread in threads:
            thread.start()
        wait_for(lambda: turns._waiting == 2)
    for thread in threads:
        thread.join()
    assert sorted(order[:2]) == ["one", "two"]
    assert order[2] == "ahead"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux only")
def test_work_ahead_of_time_yields_its_core_and_the_caller_keeps_its_priority(tmp_path):
    before, found = os.getpriority(os.PRIO_PROCESS, 0), []

    class Watching(Lengths):
        def encode(self, texts, *, progress=silent):
            found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            return super().encode(texts, progress=progress)

    with encode_ahead(CachedEncoder(Watching(), tmp_path), [["a"]]):
        wait_for(lambda: found)
    assert found == [min(before + ahead.NICENESS, 19)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
