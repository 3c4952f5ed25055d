"""Reading what an endpoint answers, believing none of it before it is checked."""

import base64
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from vestige.encoders.endpoint.failures import Failure, Garbled
from vestige.types import Vectors


@dataclass(frozen=True, slots=True)
class Answer:
    """One vector a text, in the order asked, and the tokens that the server says it read, if it says."""

    vectors: Vectors
    tokens: int | None


def read_answer(body: bytes, count: int) -> Answer:
    """The vectors for `count` texts, put in order by their index."""
    try:
        parsed = json.loads(body)
        items = sorted(enumerate(parsed["data"]), key=lambda item: item[1].get("index", item[0]))
        places = [item.get("index", place) for place, item in items]
        rows = [_vector(item["embedding"]) for _, item in items]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Garbled(f"an answer that is no list of embeddings ({type(error).__name__})") from error
    if places != list(range(count)):
        raise Failure(f"vectors for {len(set(places) & set(range(count)))} of the {count} texts of a request")
    return Answer(_stacked(rows), _tokens(parsed.get("usage")))


def _vector(embedding: Any) -> Vectors:
    """From base64 of little-endian floats, which is asked for, or from a list, which some servers send regardless."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
    with np.errstate(over="ignore"):
        return np.asarray(embedding, dtype=np.float64).astype(np.float32)


def _stacked(rows: list[Vectors]) -> Vectors:
    shapes = {row.shape for row in rows}
    if len(shapes) > 1 or not all(len(shape) == 1 and shape[0] for shape in shapes):
        raise Failure(f"vectors of shapes {sorted(shapes)} in one answer, expected rows of one length")
    vectors = np.stack(rows)
    if not np.isfinite(vectors).all():
        raise Failure("a vector with numbers that are not finite")
    return vectors


def _tokens(usage: Any) -> int | None:
    figures = usage if isinstance(usage, dict) else {}
    tokens = figures.get("total_tokens", figures.get("prompt_tokens"))
    return tokens if type(tokens) is int and tokens >= 0 else None
