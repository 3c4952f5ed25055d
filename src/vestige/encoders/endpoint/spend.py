"""The cost of a paid encoder: estimated before anything is sent, then counted by the server's own figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

PRICES = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13, "text-embedding-ada-002": 0.10}
"""Dollars per million tokens, OpenAI's list prices of 2024-01-25; the vendor's bill may differ."""

_BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of what a call would send and cost; `leaves`: whether the texts leave this machine."""

    texts: int
    tokens: int
    dollars: float | None
    host: str
    leaves: bool

    def __str__(self) -> str:
        cost = "price not known" if self.dollars is None else f"{_format_dollars(self.dollars, 'about ')} at list price"
        place = self.host if self.leaves else f"{self.host} on this machine"
        return f"{_count(self.texts, 'text')}, about {_count(self.tokens, 'token')}, {cost}, to {place}"


@dataclass(frozen=True, slots=True)
class Spend:
    """What was sent and answered. `tokens` is the server's count; None if any answer came without one."""

    requests: int
    retries: int
    texts: int
    tokens: int | None
    dollars: float | None

    def __str__(self) -> str:
        tokens = "tokens not reported by the server" if self.tokens is None else _count(self.tokens, "token")
        cost = "" if self.dollars is None else f", {_format_dollars(self.dollars)} at list price"
        sent = f"{_count(self.requests, 'request')} ({self.retries:,} repeated)"
        return f"{sent}, {_count(self.texts, 'text')} answered, {tokens}{cost}"


class Ledger:
    """A thread-safe count of requests and answers."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests = self._retries = self._texts = 0
        self._tokens: int | None = 0

    def count_request(self, *, repeated: bool) -> None:
        """Count a request."""
        with self._lock:
            self._requests += 1
            self._retries += repeated

    def count_answer(self, texts: int, tokens: int | None) -> None:
        """Count an answer."""
        with self._lock:
            self._texts += texts
            self._tokens = None if tokens is None or self._tokens is None else self._tokens + tokens

    def total(self, price: float | None) -> Spend:
        """The total so far, at a price in dollars per million tokens."""
        with self._lock:
            return Spend(self._requests, self._retries, self._texts, self._tokens, compute_dollars(self._tokens, price))


def estimate_tokens(texts: Sequence[str]) -> list[int]:
    """A quarter of the bytes of each text, rounded up: close in English, less so in other scripts."""
    return [-(-len(text.encode()) // _BYTES_PER_TOKEN) for text in texts]


def compute_dollars(tokens: int | None, price: float | None) -> float | None:
    """The price of so many tokens; None unless both are known."""
    return None if tokens is None or price is None else tokens * price / 1_000_000


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _format_dollars(dollars: float, nearly: str = "") -> str:
    return f"{nearly}${dollars:,.2f}" if dollars >= 0.005 or not dollars else "less than $0.01"
