"""Encoders behind an OpenAI-compatible endpoint, and the check that texts leave this machine only with consent."""

import logging
import os
from collections.abc import Iterable, Sequence

import numpy as np

from vestige.encoders.endpoint.address import resolve_endpoint
from vestige.encoders.endpoint.client import EmbeddingClient, RetryPolicy
from vestige.encoders.endpoint.dispatch import Dispatcher
from vestige.encoders.endpoint.spend import PRICES, Estimate, Spend, compute_dollars, estimate_tokens
from vestige.encoders.unfinished import RefusedTexts, Stopped, Unfinished
from vestige.encoders.wrapper import unwrap
from vestige.engine.job import Engine
from vestige.errors import InputError
from vestige.types import Encoder, Progress, Vectors, silent

logger = logging.getLogger(__name__)

_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
_OWN_KEY = "VESTIGE_API_KEY"
_PER_MINUTE = "VESTIGE_REQUESTS_PER_MINUTE"
_MOST_TEXTS = 2_048

ON_CLUSTER = "the encoder is a service, which one machine keeps busy and whose key stays here; drop --engine ray"


class EndpointEncoder:
    """A model behind a URL. Equal texts of one call are sent once.

    A text is truncated after `most_bytes` bytes of UTF-8: 16,000 bytes are at most 8,191 tokens if a token has two
    bytes or more, and English has about four; None sends texts whole. The empty string, which the vendor refuses, is
    sent as one space.
    """

    def __init__(
        self,
        client: EmbeddingClient,
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

    def __reduce__(self) -> str:
        raise InputError(ON_CLUSTER)

    @property
    def identity(self) -> str:
        """The endpoint, the model and the truncation; a change of the model on the server cannot be detected."""
        endpoint = self.client.endpoint
        cut = "whole" if self.most_bytes is None else f"cut at {self.most_bytes} bytes"
        return f"{endpoint.url} {endpoint.model} dimensions {self.client.dimensions or 'as given'}, texts {cut}"

    @property
    def dimension(self) -> int:
        """Columns of a vector: as set, as received before, or from a query of one word."""
        if self.client.columns is None:
            self.encode(["word"])
        return self.client.columns or 0

    @property
    def spent(self) -> Spend:
        """What was sent so far, and the tokens that the server counted."""
        return self.client.ledger.total(self.price)

    def estimate(self, texts: Sequence[str]) -> Estimate:
        """An estimate of what encoding these texts would send and cost; nothing is sent."""
        return self.estimate_blocks([texts])

    def estimate_blocks(self, blocks: Iterable[Sequence[str]]) -> Estimate:
        """The same for blocks of texts."""
        texts = tokens = 0
        for block in blocks:
            unique = list(self._group_rows(block))
            texts += len(unique)
            tokens += sum(estimate_tokens(unique))
        endpoint = self.client.endpoint
        return Estimate(texts, tokens, compute_dollars(tokens, self.price), endpoint.host, endpoint.leaves)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; an error carries the vectors received before it."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows = self._group_rows(texts)
        advance = progress(f"encoding with {self.name}", len(texts))
        dispatcher = Dispatcher(self.client, self.batch_size)
        try:
            dispatcher.run(list(rows), self.in_flight, lambda batch: advance(sum(len(rows[text]) for text in batch)))
        except KeyboardInterrupt:
            raise Stopped("stopped", _by_row(dispatcher, rows)) from None
        self.batch_size = dispatcher.batch_size
        answered = _by_row(dispatcher, rows)
        if len(answered) < len(texts):
            # Not raised from the failure, whose traceback has frames of the HTTP library that contain the key.
            raise _build_error(dispatcher, rows, answered, len(texts))
        return np.stack([answered[row] for row in range(len(texts))])

    def _group_rows(self, texts: Sequence[str]) -> dict[str, list[int]]:
        """Each distinct text as it is sent, and its rows."""
        rows: dict[str, list[int]] = {}
        cut = 0
        for row, text in enumerate(texts):
            whole = text.encode("utf-8", "replace")
            cut += self.most_bytes is not None and len(whole) > self.most_bytes
            rows.setdefault(whole[: self.most_bytes].decode("utf-8", "ignore") or " ", []).append(row)
        if cut:
            logger.warning("%d of %d texts are truncated after %d bytes", cut, len(texts), self.most_bytes)
        return rows


def _by_row(dispatcher: Dispatcher, rows: dict[str, list[int]]) -> dict[int, Vectors]:
    return {row: dispatcher.answered[text] for text in rows if text in dispatcher.answered for row in rows[text]}


def _build_error(
    dispatcher: Dispatcher, rows: dict[str, list[int]], answered: dict[int, Vectors], count: int
) -> Unfinished:
    if dispatcher.failure is not None:
        return Unfinished(f"{dispatcher.failure}; {len(answered):,} of {count:,} texts were answered", answered)
    return RefusedTexts({rows[text][0]: str(refusal) for text, refusal in dispatcher.refused.items()}, answered)


def load_openai(argument: str) -> EndpointEncoder:
    """Load "openai:MODEL". Reads OPENAI_API_KEY and OPENAI_BASE_URL, as the vendor's client does."""
    endpoint = resolve_endpoint(os.environ.get("OPENAI_BASE_URL") or _OPENAI, argument, _OPENAI_KEY)
    if not endpoint.key:
        raise InputError(f"encoder 'openai:{argument}' needs a key and {_OPENAI_KEY} is not set; set it to your key")
    return EndpointEncoder(
        EmbeddingClient(endpoint, retry=_read_retry_policy()), name=f"openai:{argument}", price=PRICES.get(argument)
    )


def load_http(argument: str) -> EndpointEncoder:
    """Load "http://HOST:PORT/v1#MODEL"; the key, if one is needed, is read from VESTIGE_API_KEY only."""
    return _load(f"http:{argument}")


def load_https(argument: str) -> EndpointEncoder:
    """Load "https://HOST/v1#MODEL", as `load_http`."""
    return _load(f"https:{argument}")


def _load(spec: str) -> EndpointEncoder:
    url, _, model = spec.partition("#")
    endpoint = resolve_endpoint(url, model, _OWN_KEY)
    return EndpointEncoder(EmbeddingClient(endpoint, retry=_read_retry_policy()), name=f"{endpoint.url}#{model}")


def _read_retry_policy() -> RetryPolicy:
    """The default policy, with the limit on requests per minute that the environment sets, if any."""
    limit = os.environ.get(_PER_MINUTE, "")
    if limit and not (limit.isdecimal() and int(limit) > 0):
        raise InputError(f"{_PER_MINUTE} is '{limit}'; expected a whole number of requests, 1 or more")
    return RetryPolicy(per_minute=int(limit) if limit else None)


def is_remote(encoder: Encoder) -> bool:
    """Whether this encoder sends texts to another machine."""
    return _find_remote(encoder) is not None


def is_service(encoder: Encoder) -> bool:
    """Whether this encoder is a model behind a URL, on this machine or on another."""
    return isinstance(unwrap(encoder), EndpointEncoder)


def refuse_unconfirmed_sending(encoder: Encoder, blocks: Iterable[list[str]]) -> None:
    """Raise, with an estimate, if encoding these texts would send them to another machine."""
    remote = _find_remote(encoder)
    if remote is not None:
        raise InputError(
            f"encoder '{remote.name}' would send {remote.estimate_blocks(blocks)}; nothing was sent; "
            "run the same command with --send to allow it"
        )


def refuse_on_cluster(encoder: Encoder | None, engine: Engine) -> None:
    """Raise if the encoder is a service and work leaves this machine: the key of a service stays here."""
    if engine.is_cluster and encoder is not None and is_service(encoder):
        raise InputError(ON_CLUSTER)


def _find_remote(encoder: Encoder) -> EndpointEncoder | None:
    inner = unwrap(encoder)
    return inner if isinstance(inner, EndpointEncoder) and inner.client.endpoint.leaves else None
