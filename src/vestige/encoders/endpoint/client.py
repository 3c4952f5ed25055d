"""One request to an embeddings endpoint, asked again while that may help."""

import logging
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.answer import Answer, read_answer
from vestige.encoders.endpoint.failures import Again, Failure, Garbled
from vestige.encoders.endpoint.spend import Ledger
from vestige.encoders.endpoint.status import failure_of
from vestige.encoders.endpoint.waiting import Pace, Patience, backoff

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_PATIENCE = Patience()
_LONGEST_GREETING = 10.0


class Client:
    """Asks one model for vectors; threads may share it.

    Redirects are not followed, and no proxy stands before this machine's own servers. `sleep` replaces the wait
    between attempts.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        dimensions: int | None = None,
        patience: Patience = _PATIENCE,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.endpoint = endpoint
        self.dimensions = dimensions
        self.patience = patience
        self.columns = dimensions
        self.ledger = Ledger()
        self._sleep = sleep
        self._pace = Pace(patience.per_minute, clock)
        self._lock = Lock()
        # Moves no result, only the moment of a retry; a seed would set all clients to one rhythm again.
        self._jitter = Random()

    def embed(self, texts: Sequence[str], halted: Event) -> Answer:
        """One vector a text. Gives up when attempts run out, or when another thread has said `halted`."""
        failures: list[Again] = []
        while True:
            self._wait(halted)
            try:
                return self._checked(self._ask(texts, repeated=bool(failures)), len(texts))
            except Again as failure:
                failures.append(failure)
                self._hold_back(failures)

    def _wait(self, halted: Event) -> None:
        seconds = self._pace.turn()
        if seconds > 0:
            (self._sleep or halted.wait)(seconds)
        if halted.is_set():
            raise Failure("stopped")

    def _hold_back(self, failures: list[Again]) -> None:
        last = failures[-1]
        garbled = sum(isinstance(failure, Garbled) for failure in failures)
        if len(failures) >= self.patience.attempts or garbled > 1:
            raise Failure(
                f"{last} at attempt {len(failures)}, the last; try again later, and check that a server runs there"
            ) from last
        if last.wait is not None and last.wait > self.patience.longest_wait:
            raise Failure(f"{last} and asks to wait {last.wait:,.0f} seconds; try again then") from last
        wait = backoff(len(failures), self._jitter) if last.wait is None else last.wait
        logger.warning("%s; asking again in %.1f seconds", last, wait)
        self._pace.hold(wait)

    def _ask(self, texts: Sequence[str], *, repeated: bool) -> "httpx.Response":
        import httpx

        asked: dict[str, Any] = {"model": self.endpoint.model, "input": list(texts), "encoding_format": "base64"}
        if self.dimensions is not None:
            asked["dimensions"] = self.dimensions
        self.ledger.sent(repeated=repeated)
        try:
            return self._http.post(f"{self.endpoint.url}/embeddings", json=asked)
        except httpx.DecodingError as error:
            raise Garbled(f"{self.endpoint.url} sent an answer that cannot be unpacked") from error
        except (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            raise Again(self._unasked(error)) from error
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise Failure(f"{self._unasked(error)}; check the address") from error

    def _unasked(self, error: Exception) -> str:
        words = self.endpoint.scrub(f"{type(error).__name__} {error}")
        return f"{self.endpoint.url} gave no answer ({words})"

    def _checked(self, response: "httpx.Response", count: int) -> Answer:
        if not response.is_success:
            raise failure_of(response, self.endpoint, self.patience)
        try:
            answer = read_answer(response.content, count)
        except Failure as failure:
            raise type(failure)(f"{self.endpoint.url} sent {failure}") from failure
        self._check_width(answer.vectors.shape[1])
        self.ledger.answered(count, answer.tokens)
        return answer

    def _check_width(self, width: int) -> None:
        with self._lock:
            self.columns = self.columns or width
        if width != self.columns:
            raise Failure(
                f"{self.endpoint.url} sent vectors of {width} columns, expected {self.columns} as set or sent before; "
                f"check that one model answers to '{self.endpoint.model}'"
            )

    @cached_property
    def _http(self) -> "httpx.Client":
        import httpx

        return httpx.Client(
            headers={"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else None,
            timeout=httpx.Timeout(self.patience.timeout, connect=min(self.patience.timeout, _LONGEST_GREETING)),
            follow_redirects=False,
            trust_env=self.endpoint.leaves,
        )
