"""The work of one call: batches, a few in flight, and refused batches halved until the text at fault stands alone."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

from vestige.encoders.endpoint.client import Client
from vestige.encoders.endpoint.failures import Failure, Refusal
from vestige.encoders.endpoint.spend import estimated_tokens
from vestige.types import Vectors

MOST_TOKENS = 250_000
_MOST_REFUSED = 5


class Work:
    """Keeps what was answered and what was refused, whatever goes wrong.

    After a failure, or the fifth refused text, nothing more is sent; what is in flight is still taken in.
    """

    def __init__(self, client: Client, batch_size: int) -> None:
        self.client = client
        self.batch_size = batch_size
        self.answered: dict[str, Vectors] = {}
        self.refused: dict[str, Refusal] = {}
        self.failure: Failure | None = None
        self._halted = Event()

    def run(self, texts: Sequence[str], in_flight: int, done: Callable[[list[str]], None]) -> None:
        """Ask for every text once; `done` hears of each batch as it comes in."""
        with ThreadPoolExecutor(in_flight) as pool:
            try:
                waiting = {pool.submit(self._answer, batch): batch for batch in batches(texts, self.batch_size)}
                for future in as_completed(waiting):
                    future.result()
                    done(waiting[future])
            finally:
                self._halted.set()

    def _answer(self, batch: list[str]) -> None:
        parts, largest, halved = [batch], 0, False
        while parts and not self._halted.is_set():
            part = parts.pop()
            if len(part) > self.batch_size:
                parts += [part[self.batch_size :], part[: self.batch_size]]
                continue
            try:
                answer = self.client.embed(part, self._halted)
            except Refusal as refusal:
                parts += self._blame(part, refusal)
                halved = True
            except Failure as failure:
                self._stop(failure)
            else:
                self.answered.update(zip(part, answer.vectors, strict=True))
                largest = max(largest, len(part))
        if halved and all(text in self.answered for text in batch):
            # No text was at fault, so the batch was too large: the rest goes in batches that this server takes.
            self.batch_size = min(self.batch_size, largest)

    def _stop(self, failure: Failure) -> None:
        if not self._halted.is_set():
            self.failure = failure
            self._halted.set()

    def _blame(self, part: list[str], refusal: Refusal) -> list[list[str]]:
        if len(part) > 1:
            return _halves(part)
        self.refused[part[0]] = refusal
        if len(self.refused) >= _MOST_REFUSED:
            self._halted.set()
        return []


def batches(texts: Sequence[str], most_texts: int, most_tokens: int = MOST_TOKENS) -> Iterator[list[str]]:
    """Cut into requests of so many texts and so many estimated tokens at most; a longer text goes alone."""
    batch: list[str] = []
    load = 0
    for text, tokens in zip(texts, estimated_tokens(texts), strict=True):
        if batch and (len(batch) == most_texts or load + tokens > most_tokens):
            yield batch
            batch, load = [], 0
        batch.append(text)
        load += tokens
    if batch:
        yield batch


def _halves(part: list[str]) -> list[list[str]]:
    middle = (len(part) + 1) // 2
    return [part[middle:], part[:middle]]
