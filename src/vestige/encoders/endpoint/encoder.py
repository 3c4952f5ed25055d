"""Any OpenAI-compatible embeddings endpoint, the vendor's or one of your own."""

import logging
import os
from collections.abc import Iterable, Sequence

import numpy as np

from vestige.encoders.endpoint.address import endpoint_at
from vestige.encoders.endpoint.client import Client
from vestige.encoders.endpoint.spend import PRICES, Estimate, Spend, dollars_for, estimated_tokens
from vestige.encoders.endpoint.waiting import Patience
from vestige.encoders.endpoint.work import Work
from vestige.encoders.unfinished import RefusedTexts, Stopped, Unfinished
from vestige.errors import InputError
from vestige.types import Progress, Vectors, silent

logger = logging.getLogger(__name__)

_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
_OWN_KEY = "VESTIGE_API_KEY"
_PER_MINUTE = "VESTIGE_REQUESTS_PER_MINUTE"
_MOST_TEXTS = 2_048


class EndpointEncoder:
    """A model behind a URL. Equal texts of one call are sent once.

    A text is cut after `most_bytes` bytes of UTF-8: 16,000 bytes stay within 8,191 tokens wherever a token takes two
    bytes or more, which English, with four, does easily; None sends texts whole. The empty string, which the vendor
    refuses, is sent as one space.
    """

    def __init__(
        self,
        client: Client,
        *,
        name: str,
        price: float | None = None,
        batch_size: int = 128,
        most_bytes: int | None = 16_000,
        in_flight: int = 4,
    ) -> None:
        if not (1 <= batch_size <= _MOST_TEXTS and in_flight >= 1):
            raise InputError(
                f"batch_size is {batch_size} and in_flight {in_flight}; expected 1 to {_MOST_TEXTS:,} and at least 1"
            )
        self.client = client
        self.name = name
        self.price = price
        self.batch_size = batch_size
        self.most_bytes = most_bytes
        self.in_flight = in_flight

    @property
    def identity(self) -> str:
        """Where the vectors come from and what is done to a text before; a model that changes there goes unseen."""
        endpoint = self.client.endpoint
        cut = "whole" if self.most_bytes is None else f"cut at {self.most_bytes} bytes"
        return f"{endpoint.url} {endpoint.model} dimensions {self.client.dimensions or 'as given'}, texts {cut}"

    @property
    def dimension(self) -> int:
        """Columns of a vector: as set, as sent before, or asked for with one word."""
        if self.client.columns is None:
            self.encode(["word"])
        return self.client.columns or 0

    @property
    def spent(self) -> Spend:
        """What was sent so far, and what the server says it read."""
        return self.client.ledger.total(self.price)

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """What encoding these texts would send and cost; asks nothing of the server."""
        return self.estimate_blocks([texts])

    def estimate_blocks(self, blocks: Iterable[Sequence[str]]) -> Estimate:
        """The same of texts that come block by block."""
        texts = tokens = 0
        for block in blocks:
            unique = list(self._rows(block))
            texts += len(unique)
            tokens += sum(estimated_tokens(unique))
        endpoint = self.client.endpoint
        return Estimate(texts, tokens, dollars_for(tokens, self.price), endpoint.host, endpoint.leaves)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given; what came in before a failure travels with the error."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows = self._rows(texts)
        advance = progress(f"encoding with {self.name}", len(texts))
        work = Work(self.client, self.batch_size)
        try:
            work.run(list(rows), self.in_flight, lambda batch: advance(sum(len(rows[text]) for text in batch)))
        except KeyboardInterrupt:
            raise Stopped("stopped", _by_row(work, rows)) from None
        self.batch_size = work.batch_size
        answered = _by_row(work, rows)
        if len(answered) < len(texts):
            # Raised alone, not from the failure: below it lie frames of the HTTP library that hold the key.
            raise _unfinished(work, rows, answered, len(texts))
        return np.stack([answered[row] for row in range(len(texts))])

    def _rows(self, texts: Sequence[str]) -> dict[str, list[int]]:
        """Each text as it is sent, and the rows it stands for."""
        rows: dict[str, list[int]] = {}
        cut = 0
        for row, text in enumerate(texts):
            whole = text.encode("utf-8", "replace")
            cut += self.most_bytes is not None and len(whole) > self.most_bytes
            rows.setdefault(whole[: self.most_bytes].decode("utf-8", "ignore") or " ", []).append(row)
        if cut:
            logger.warning("%d of %d texts are cut after %d bytes", cut, len(texts), self.most_bytes)
        return rows


def _by_row(work: Work, rows: dict[str, list[int]]) -> dict[int, Vectors]:
    return {row: work.answered[text] for text in rows if text in work.answered for row in rows[text]}


def _unfinished(work: Work, rows: dict[str, list[int]], answered: dict[int, Vectors], count: int) -> Unfinished:
    if work.failure is not None:
        return Unfinished(f"{work.failure}; {len(answered):,} of {count:,} texts were answered", answered)
    return RefusedTexts({rows[text][0]: str(refusal) for text, refusal in work.refused.items()}, answered)


def load_openai(argument: str) -> EndpointEncoder:
    """From "openai:MODEL". Like the vendor's client, reads OPENAI_API_KEY and, where set, OPENAI_BASE_URL."""
    endpoint = endpoint_at(os.environ.get("OPENAI_BASE_URL") or _OPENAI, argument, _OPENAI_KEY)
    if not endpoint.key:
        raise InputError(f"encoder 'openai:{argument}' needs a key and {_OPENAI_KEY} is not set; set it to your key")
    return EndpointEncoder(
        Client(endpoint, patience=_patience()), name=f"openai:{argument}", price=PRICES.get(argument)
    )


def load_http(argument: str) -> EndpointEncoder:
    """From "http://HOST:PORT/v1#MODEL"; a key, where one is needed, is read from VESTIGE_API_KEY and nowhere else."""
    return _load(f"http:{argument}")


def load_https(argument: str) -> EndpointEncoder:
    """From "https://HOST/v1#MODEL", as `load_http`."""
    return _load(f"https:{argument}")


def _load(spec: str) -> EndpointEncoder:
    url, _, model = spec.partition("#")
    endpoint = endpoint_at(url, model, _OWN_KEY)
    return EndpointEncoder(Client(endpoint, patience=_patience()), name=f"{endpoint.url}#{model}")


def _patience() -> Patience:
    """With as many requests a minute as the environment allows; as many as the server takes where it says nothing."""
    written = os.environ.get(_PER_MINUTE, "")
    if written and not (written.isdecimal() and int(written) > 0):
        raise InputError(f"{_PER_MINUTE} is '{written}'; expected a whole number of requests, 1 or more")
    return Patience(per_minute=int(written) if written else None)
