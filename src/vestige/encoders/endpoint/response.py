"""The response of an embeddings endpoint: its vectors, fully checked, or the failure behind its status."""

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from vestige.encoders.endpoint.address import Endpoint
from vestige.errors import VestigeError
from vestige.types import Vectors

if TYPE_CHECKING:
    import httpx


_BUSY = {408, 409, 429, *range(500, 600)} - {501, 505}
_REFUSED = {400, 413, 422}
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class RequestFailure(VestigeError):
    """A request that failed; a retry will not help."""


class RefusedBatch(RequestFailure):
    """The server refused the batch: it is too large, or a text in it is unacceptable."""


class RetryableFailure(RequestFailure):
    """A retry may help, after `wait` seconds if the server said how long."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class UnreadableResponse(RetryableFailure):
    """A response that cannot be parsed; it is retried once only."""


@dataclass(frozen=True, slots=True)
class EmbeddingAnswer:
    """One vector per text, in the order sent, and the token count that the server reports, if any."""

    vectors: Vectors
    tokens: int | None


def parse_answer(body: bytes, count: int) -> EmbeddingAnswer:
    """The vectors of `count` texts, sorted by their index."""
    try:
        parsed = json.loads(body)
        items = sorted(enumerate(parsed["data"]), key=lambda item: item[1].get("index", item[0]))
        places = [item.get("index", place) for place, item in items]
        rows = [_decode_vector(item["embedding"]) for _, item in items]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise UnreadableResponse(f"an answer that is no list of embeddings ({type(error).__name__})") from error
    if places != list(range(count)):
        found = sum(place in places for place in range(count))
        raise RequestFailure(f"vectors for {found} of the {count} texts of a request")
    return EmbeddingAnswer(_stack(rows), _read_tokens(parsed.get("usage")))


def _decode_vector(embedding: Any) -> Vectors:
    """From base64 of little-endian floats, as requested, or from a list, which some servers send anyway."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
    with np.errstate(over="ignore"):
        return np.asarray(embedding, dtype=np.float64).astype(np.float32)


def _stack(rows: list[Vectors]) -> Vectors:
    shapes = {row.shape for row in rows}
    if len(shapes) > 1 or not all(len(shape) == 1 and shape[0] for shape in shapes):
        raise RequestFailure(f"vectors of shapes {sorted(shapes)} in one answer, expected rows of one length")
    vectors = np.stack(rows)
    if not np.isfinite(vectors).all():
        raise RequestFailure("a vector with numbers that are not finite")
    return vectors


def _read_tokens(usage: Any) -> int | None:
    figures = usage if isinstance(usage, dict) else {}
    tokens = figures.get("total_tokens", figures.get("prompt_tokens"))
    return tokens if type(tokens) is int and tokens >= 0 else None


def read_failure(response: "httpx.Response", endpoint: Endpoint, longest_wait: float) -> RequestFailure:
    """The failure behind a status, with the server's own message and without the key."""
    reason = _find_message(response.text) or response.reason_phrase
    message = f"{endpoint.url} answered {response.status_code} ({endpoint.scrub(reason)})"
    if response.status_code in _REFUSED:
        return RefusedBatch(message)
    if response.status_code in _BUSY and "insufficient_quota" not in response.text:
        return RetryableFailure(message, wait=_find_wait(response, longest_wait))
    return RequestFailure(f"{message}; {_suggest_remedy(response, endpoint)}")


def _find_wait(response: "httpx.Response", longest_wait: float) -> float | None:
    asked, reset = parse_retry_after(response.headers), parse_limit_reset(response.headers)
    if asked is None and reset is not None and response.status_code == 429:
        # By then the whole limit is restored, and a sufficient part may be sooner: no reason to give up.
        return min(reset, longest_wait)
    return asked


def _suggest_remedy(response: "httpx.Response", endpoint: Endpoint) -> str:
    key, model = endpoint.key_variable, endpoint.model
    if response.is_redirect:
        target = endpoint.scrub(response.headers.get("location", ""))
        return f"redirects are not followed; name the address it points to, if you trust it: {target}"
    remedies = {
        401: f"check the key in {key}" if endpoint.key else f"set {key} to your key",
        403: f"the key in {key} may not use model '{model}'",
        404: f"check the model '{model}', and that the address is the one before /embeddings, often ending in /v1",
        429: f"the quota of the key in {key} is used up; check the vendor's billing page",
    }
    return remedies.get(response.status_code, "expected 200 with a list of embeddings")


def _find_message(body: str) -> str:
    """The message in an error response, wherever the vendor puts it, else the whole body."""
    try:
        parsed = json.loads(body)
        error = parsed.get("error", parsed.get("detail", parsed.get("message", body)))
        return str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, AttributeError):
        return body


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait, from milliseconds, seconds or a date; None if it does not say."""
    milliseconds, after = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    if _parse_number(milliseconds) is not None:
        return float(milliseconds) / 1000
    if _parse_number(after) is not None:
        return float(after)
    try:
        return max((parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def parse_limit_reset(headers: Mapping[str, str]) -> float | None:
    """The seconds until the vendor's rate limits are reset, from headers such as "6m0s" or "20ms"."""
    found = [headers.get(f"x-ratelimit-reset-{kind}", "") for kind in ("requests", "tokens")]
    waits = [_parse_duration(value) for value in found if value]
    return max((wait for wait in waits if wait is not None), default=None)


def _parse_number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"\d+(\.\d+)?", value) else None


def _parse_duration(value: str) -> float | None:
    if _parse_number(value) is not None:
        return float(value)
    if not re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h|d))+", value):
        return None
    return sum(float(number) * _UNITS[unit] for number, _, unit in re.findall(r"(\d+(\.\d+)?)(ms|s|m|h|d)", value))
