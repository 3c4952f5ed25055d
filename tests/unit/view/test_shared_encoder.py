"""Whoever types comes before the background, and nobody uses the encoder twice at once."""

from threading import Event, Thread

import numpy as np

from tests.conftest import WordSum
from vestige.types import silent
from vestige.view.shared_encoder import AT_ONCE, SearchEncoder, SharedEncoder, UrgentEncoder


class Slow(WordSum):
    """Waits in its first call until the test lets it go, and records the order of texts."""

    def __init__(self):
        super().__init__()
        self.order, self.entered, self.go, self.inside, self.most = [], Event(), Event(), 0, 0

    def encode(self, texts, *, progress=silent):
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.order.append(texts[0])
        self.entered.set()
        self.go.wait(10)
        self.inside -= 1
        return super().encode(texts, progress=progress)


def test_vectors_are_those_of_the_encoder():
    texts = [f"word{number}" for number in range(AT_ONCE * 2 + 5)]
    shared = SharedEncoder(WordSum())
    np.testing.assert_array_equal(shared.encode(texts), WordSum().encode(texts))
    np.testing.assert_array_equal(UrgentEncoder(shared).encode(texts[:3]), WordSum().encode(texts[:3]))
    np.testing.assert_array_equal(SearchEncoder(shared).encode(texts[:40]), WordSum().encode(texts[:40]))
    assert shared.encode([]).shape == (0, 64)


def test_an_urgent_text_overtakes_the_background():
    slow = Slow()
    shared = SharedEncoder(slow)
    background = Thread(target=shared.encode, args=([f"text{number}" for number in range(AT_ONCE * 3)],))
    background.start()
    assert slow.entered.wait(10)
    typing = Thread(target=shared.encode_now, args=(["urgent"],))
    typing.start()
    while not shared._urgent:
        pass
    slow.go.set()
    background.join(10)
    typing.join(10)
    assert slow.order.index("urgent") == 1
    assert slow.most == 1


def test_the_background_waits_while_somebody_waits_for_an_answer():
    slow = Slow()
    slow.go.set()
    shared = SharedEncoder(slow)
    background = Thread(target=shared.encode, args=(["background"],))
    with shared.hold_background():
        background.start()
        shared.encode_now(["first"])
        shared.encode_now(["second"])
    background.join(10)
    assert slow.order == ["first", "second", "background"]


def test_an_error_frees_the_encoder():
    class Broken(WordSum):
        def encode(self, texts, *, progress=silent):  # noqa: ARG002
            raise ValueError("broken")

    shared = SharedEncoder(Broken())
    for _ in range(2):
        try:
            shared.encode_now(["a"])
        except ValueError:
            continue
    shared.encoder = WordSum()
    assert shared.encode_now(["a"]).shape == (1, 64)
