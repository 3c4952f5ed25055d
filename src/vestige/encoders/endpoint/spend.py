"""What a paid encoder will cost, said before a text is sent, and what it did cost, by the server's own count."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

PRICES = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13, "text-embedding-ada-002": 0.10}
"""Dollars a million tokens at OpenAI's list price, announced 2024-01-25; the bill is the vendor's."""

_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a call would send and cost, approximately; `leaves` says whether the texts leave this machine."""

    texts: int
    tokens: int
    dollars: float | None
    host: str
    leaves: bool

    def __str__(self) -> str:
        cost = "price not known" if self.dollars is None else f"{_money(self.dollars, 'about ')} at list price"
        place = self.host if self.leaves else f"{self.host} on this machine"
        return f"{_counted(self.texts, 'text')}, about {_counted(self.tokens, 'token')}, {cost}, to {place}"


@dataclass(frozen=True, slots=True)
class Spend:
    """What was sent and answered. `tokens` is the server's count, None where an answer came without one."""

    requests: int
    retries: int
    texts: int
    tokens: int | None
    dollars: float | None

    def __str__(self) -> str:
        tokens = "tokens not told by the server" if self.tokens is None else _counted(self.tokens, "token")
        cost = "" if self.dollars is None else f", {_money(self.dollars)} at list price"
        sent = f"{_counted(self.requests, 'request')} ({self.retries:,} repeated)"
        return f"{sent}, {_counted(self.texts, 'text')} answered, {tokens}{cost}"


class Ledger:
    """Counts what threads send and get."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests = self._retries = self._texts = 0
        self._tokens: int | None = 0

    def sent(self, *, repeated: bool) -> None:
        """One request goes out."""
        with self._lock:
            self._requests += 1
            self._retries += repeated

    def answered(self, texts: int, tokens: int | None) -> None:
        """One request was answered."""
        with self._lock:
            self._texts += texts
            self._tokens = None if tokens is None or self._tokens is None else self._tokens + tokens

    def total(self, price: float | None) -> Spend:
        """Everything so far, at a price in dollars a million tokens."""
        with self._lock:
            return Spend(self._requests, self._retries, self._texts, self._tokens, dollars_for(self._tokens, price))


def estimated_tokens(texts: Sequence[str]) -> list[int]:
    """A quarter of the bytes of each text, rounded up: near the truth in English, some way off in other scripts."""
    return [-(-len(text.encode()) // _BYTES_A_TOKEN) for text in texts]


def dollars_for(tokens: int | None, price: float | None) -> float | None:
    """The price of so many tokens, where both are known."""
    return None if tokens is None or price is None else tokens * price / 1_000_000


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _money(dollars: float, nearly: str = "") -> str:
    return f"{nearly}${dollars:,.2f}" if dollars >= 0.005 or not dollars else "less than $0.01"
