"""Sends the texts of one call in concurrent batches; halves a refused batch until the text at fault is alone."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

from vestige.encoders.endpoint.client import EmbeddingClient
from vestige.encoders.endpoint.response import RefusedBatch, RequestFailure
from vestige.encoders.endpoint.spend import estimate_tokens
from vestige.types import Vectors

MOST_TOKENS = 250_000
_MOST_REFUSED = 5


class Dispatcher:
    """Collects what was answered and what was refused, also when something fails.

    After a failure, or the fifth refused text, nothing more is sent; answers to requests in flight are still collected.
    """

    def __init__(self, client: EmbeddingClient, batch_size: int) -> None:
        self.client = client
        self.batch_size = batch_size
        self.answered: dict[str, Vectors] = {}
        self.refused: dict[str, RefusedBatch] = {}
        self.failure: RequestFailure | None = None
        self._halted = Event()

    def run(self, texts: Sequence[str], in_flight: int, done: Callable[[list[str]], None]) -> None:
        """Send every text once; `done` is called with each completed batch."""
        with ThreadPoolExecutor(in_flight) as pool:
            try:
                waiting = {pool.submit(self._send, batch): batch for batch in split_batches(texts, self.batch_size)}
                for future in as_completed(waiting):
                    future.result()
                    done(waiting[future])
            finally:
                self._halted.set()

    def _send(self, batch: list[str]) -> None:
        parts, largest, halved = [batch], 0, False
        while parts and not self._halted.is_set():
            part = parts.pop()
            if len(part) > self.batch_size:
                parts += [part[self.batch_size :], part[: self.batch_size]]
                continue
            try:
                answer = self.client.embed(part, self._halted)
            except RefusedBatch as refusal:
                parts += self._narrow_down(part, refusal)
                halved = True
            except RequestFailure as failure:
                self._stop(failure)
            else:
                self.answered.update(zip(part, answer.vectors, strict=True))
                largest = max(largest, len(part))
        if halved and all(text in self.answered for text in batch):
            # No text was at fault, so the batch was too large for this server; the rest is sent in smaller ones.
            self.batch_size = min(self.batch_size, largest)

    def _stop(self, failure: RequestFailure) -> None:
        if not self._halted.is_set():
            self.failure = failure
            self._halted.set()

    def _narrow_down(self, part: list[str], refusal: RefusedBatch) -> list[list[str]]:
        if len(part) > 1:
            return _halve(part)
        self.refused[part[0]] = refusal
        if len(self.refused) >= _MOST_REFUSED:
            self._halted.set()
        return []


def split_batches(texts: Sequence[str], most_texts: int, most_tokens: int = MOST_TOKENS) -> Iterator[list[str]]:
    """Batches of at most so many texts and estimated tokens; a longer text is sent alone."""
    batch: list[str] = []
    load = 0
    for text, tokens in zip(texts, estimate_tokens(texts), strict=True):
        if batch and (len(batch) == most_texts or load + tokens > most_tokens):
            yield batch
            batch, load = [], 0
        batch.append(text)
        load += tokens
    if batch:
        yield batch


def _halve(part: list[str]) -> list[list[str]]:
    middle = (len(part) + 1) // 2
    return [part[middle:], part[:middle]]
