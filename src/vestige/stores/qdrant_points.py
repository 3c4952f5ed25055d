"""Points of Qdrant as rows."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def as_row(key: Any, vector: Any, payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """The id, a column for each named vector or "vector" for the only one, and the payload."""
    named = vector if isinstance(vector, dict) else {"vector": vector}
    vectors = {name: None if value is None else np.asarray(value, dtype=np.float32) for name, value in named.items()}
    return {**(payload or {}), **vectors, "id": key}


def datatypes(config: Mapping[str, Any]) -> dict[str, str]:
    """The columns of vectors that a collection is configured for, and how it stores each."""
    named = {"vector": config} if "size" in config else config
    return {name: str(each.get("datatype") or "float32").lower() for name, each in named.items()}
