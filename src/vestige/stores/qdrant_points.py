"""Points of Qdrant as rows."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def as_row(key: Any, vector: Any, payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """The id, a column for each named vector or "vector" for the one without a name, and the payload.

    Sparse vectors, and lists of vectors, are no columns.
    """
    named = vector if isinstance(vector, dict) else {"": vector}
    vectors = {
        name or "vector": np.asarray(value, dtype=np.float32) for name, value in named.items() if _is_dense(value)
    }
    return {**(payload or {}), **vectors, "id": key}


def configured(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns of dense vectors that a collection is configured for; None where it has sparse ones alone."""
    named = {"vector": config} if config and "size" in config else config or {}
    return {name or "vector": each for name, each in named.items() if not each.get("multivector_config")}


def datatypes(config: Mapping[str, Any] | None) -> dict[str, str]:
    """How a collection stores each column of vectors."""
    return {name: str(each.get("datatype") or "float32").lower() for name, each in configured(config).items()}


def _is_dense(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not isinstance(value[0], list)
