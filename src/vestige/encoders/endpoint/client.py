"""The HTTP client of an embeddings endpoint: one request, retried and rate-limited."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.response import (
    EmbeddingAnswer,
    RequestFailure,
    RetryableFailure,
    UnreadableResponse,
    parse_answer,
    read_failure,
)
from vestige.encoders.endpoint.spend import Ledger
from vestige.memory import format_bytes

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 30.0
_CONNECT_TIMEOUT = 10.0

MOST_COLUMNS, NUMBER_BYTES, REST_BYTES = 10_000, 40, 2**20
"""Numbers of a vector, the bytes of one that is written out, and those around them: a larger answer is an attack."""

LONGEST_ANSWER = 10
"""An answer that comes in pieces may take so many times as long as the wait for one."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to retry, and how many requests to send.

    `attempts` includes the first one; `timeout` is for one response, in seconds; if a server asks for a wait of more
    than `longest_wait` seconds, the client gives up; `per_minute` limits the requests of all threads together.
    """

    attempts: int = 6
    timeout: float = 60.0
    longest_wait: float = 120.0
    per_minute: int | None = None


_RETRY_POLICY = RetryPolicy()


class EmbeddingClient:
    """A client of one model, safe to share between threads.

    Redirects are not followed, and servers on this machine are never reached through a proxy. `sleep` replaces the wait
    between attempts.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        dimensions: int | None = None,
        retry: RetryPolicy = _RETRY_POLICY,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.endpoint = endpoint
        self.dimensions = dimensions
        self.retry = retry
        self.columns = dimensions
        self.ledger = Ledger()
        self._sleep = sleep
        self._pacer = RequestPacer(retry.per_minute, clock)
        self._lock = Lock()
        # Affects the time of a retry only, never a result. With a fixed seed all clients would retry at the same time.
        self._jitter = Random()

    def embed(self, texts: Sequence[str], halted: Event) -> EmbeddingAnswer:
        """One vector per text. Gives up when attempts run out, or when another thread sets `halted`."""
        failures: list[RetryableFailure] = []
        while True:
            self._wait(halted)
            try:
                return self._read(self._post(texts, repeated=bool(failures)), len(texts))
            except RetryableFailure as failure:
                failures.append(failure)
                self._plan_retry(failures)

    def _wait(self, halted: Event) -> None:
        seconds = self._pacer.take_turn()
        if seconds > 0:
            (self._sleep or halted.wait)(seconds)
        if halted.is_set():
            raise RequestFailure("stopped")

    def _plan_retry(self, failures: list[RetryableFailure]) -> None:
        last = failures[-1]
        unreadable = sum(isinstance(failure, UnreadableResponse) for failure in failures)
        if len(failures) >= self.retry.attempts or unreadable > 1:
            raise RequestFailure(
                f"{last} at attempt {len(failures)}, the last; try again later, and check that a server runs there"
            ) from last
        if last.wait is not None and last.wait > self.retry.longest_wait:
            raise RequestFailure(f"{last} and asks to wait {last.wait:,.0f} seconds; try again then") from last
        wait = compute_backoff(len(failures), self._jitter) if last.wait is None else last.wait
        logger.warning("%s; retrying in %.1f seconds", last, wait)
        self._pacer.hold(wait)

    def _post(self, texts: Sequence[str], *, repeated: bool) -> "httpx.Response":
        import httpx

        body: dict[str, Any] = {"model": self.endpoint.model, "input": list(texts), "encoding_format": "base64"}
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        self.ledger.count_request(repeated=repeated)
        try:
            with self._http.stream("POST", f"{self.endpoint.url}/embeddings", json=body) as response:
                return self._receive(response, len(texts))
        except httpx.DecodingError as error:
            raise UnreadableResponse(f"{self.endpoint.url} sent an answer that cannot be decompressed") from error
        except (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            raise RetryableFailure(self._describe_error(error)) from error
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise RequestFailure(f"{self._describe_error(error)}; check the address") from error

    def _receive(self, response: "httpx.Response", count: int) -> "httpx.Response":
        """A response with its content, if that is no larger and no slower than the vectors of `count` texts can be."""
        import httpx

        most = REST_BYTES + count * (self.columns or MOST_COLUMNS) * NUMBER_BYTES
        parts, held, end = [], 0, time.monotonic() + LONGEST_ANSWER * self.retry.timeout
        for part in response.iter_bytes():
            parts.append(part)
            held += len(part)
            if held > most:
                raise RequestFailure(
                    f"{self.endpoint.url} sent more than {format_bytes(most)} for {count} texts; check the address"
                )
            if time.monotonic() > end:
                raise RetryableFailure(f"{self.endpoint.url} did not complete its answer in time")
        headers = [(name, value) for name, value in response.headers.items() if name != "content-encoding"]
        return httpx.Response(response.status_code, headers=headers, content=b"".join(parts))

    def _describe_error(self, error: Exception) -> str:
        words = self.endpoint.scrub(f"{type(error).__name__} {error}")
        return f"{self.endpoint.url} gave no answer ({words})"

    def _read(self, response: "httpx.Response", count: int) -> EmbeddingAnswer:
        if not response.is_success:
            raise read_failure(response, self.endpoint, self.retry.longest_wait)
        try:
            answer = parse_answer(response.content, count)
        except RequestFailure as failure:
            raise type(failure)(f"{self.endpoint.url} sent {failure}") from failure
        self._check_width(answer.vectors.shape[1])
        self.ledger.count_answer(count, answer.tokens)
        return answer

    def _check_width(self, width: int) -> None:
        with self._lock:
            self.columns = self.columns or width
        if width != self.columns:
            raise RequestFailure(
                f"{self.endpoint.url} sent vectors of {width} columns, expected {self.columns} as set or sent before; "
                f"check that one model answers to '{self.endpoint.model}'"
            )

    @cached_property
    def _http(self) -> "httpx.Client":
        import httpx

        return httpx.Client(
            headers={"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else None,
            timeout=httpx.Timeout(self.retry.timeout, connect=min(self.retry.timeout, _CONNECT_TIMEOUT)),
            follow_redirects=False,
            trust_env=self.endpoint.leaves,
        )


class RequestPacer:
    """Assigns each thread the time of its next request, within the rate limit and after any hold."""

    def __init__(self, per_minute: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = 0.0
        self._lock = Lock()

    def take_turn(self) -> float:
        """Reserve the next request; returns the seconds to wait before it."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._gap
            return start - now

    def hold(self, seconds: float) -> None:
        """Hold the requests of all threads for so long, while the server is busy."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


def compute_backoff(failures: int, rng: Random) -> float:
    """Half a second, doubled with every failure, less up to a quarter so that clients do not retry in step."""
    return float(min(_FIRST_WAIT * 2 ** (failures - 1), _LONGEST_BACKOFF) * rng.uniform(0.75, 1))
