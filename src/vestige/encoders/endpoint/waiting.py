"""When to ask again, and how often: what the server wishes, else waits that double."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random
from threading import Lock

_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 30.0
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a slow or busy server is borne with, and how often it is troubled.

    `attempts` counts the first one; `timeout` is for one answer; a server that asks for more than `longest_wait`
    seconds is left for another day; `per_minute` caps the requests of all threads together.
    """

    attempts: int = 6
    timeout: float = 60.0
    longest_wait: float = 120.0
    per_minute: int | None = None


class Pace:
    """Hands out turns to every thread: no sooner than the cap allows, and none before a hold is over."""

    def __init__(self, per_minute: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = 0.0
        self._lock = Lock()

    def turn(self) -> float:
        """Take the next turn; the seconds to wait for it."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._gap
            return start - now

    def hold(self, seconds: float) -> None:
        """Nobody asks for so long: a server in trouble is left alone by all threads."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


def backoff(failures: int, rng: Random) -> float:
    """Half a second, doubled with every failure, less up to a quarter so that clients do not march in step."""
    return float(min(_FIRST_WAIT * 2 ** (failures - 1), _LONGEST_BACKOFF) * rng.uniform(0.75, 1))


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to be left alone: milliseconds, seconds or a date; None where it says nothing."""
    milliseconds, after = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    if _number(milliseconds) is not None:
        return float(milliseconds) / 1000
    if _number(after) is not None:
        return float(after)
    try:
        return max((parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def limit_reset(headers: Mapping[str, str]) -> float | None:
    """The seconds until the vendor's rate limits are fresh again, from headers such as "6m0s" or "20ms"."""
    found = [headers.get(f"x-ratelimit-reset-{kind}", "") for kind in ("requests", "tokens")]
    waits = [_duration(value) for value in found if value]
    return max((wait for wait in waits if wait is not None), default=None)


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"\d+(\.\d+)?", value) else None


def _duration(value: str) -> float | None:
    if _number(value) is not None:
        return float(value)
    if not re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h|d))+", value):
        return None
    return sum(float(number) * _UNITS[unit] for number, _, unit in re.findall(r"(\d+(\.\d+)?)(ms|s|m|h|d)", value))
