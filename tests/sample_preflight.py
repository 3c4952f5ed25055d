"""A made-up preflight with a check of every level, and a hostile name that could break a page."""

from tests.sample_result import HOSTILE
from vestige.preflight import Check, Preflight

CHECKS = (
    Check(
        "plaintext", "warning", f"Column '{HOSTILE}' contains plain text.", {"share": 1.0, "words": 12.5}, ("••• •••",)
    ),
    Check("finite", "error", "2 of 200 vectors (1.00%) contain NaN or infinity.", {"rows": 2, "share": 0.01}),
    Check("columns", "note", "3 of 384 dimensions are the same in every vector.", {"constant": 3}),
    Check("zeros", "ok", "No vector is all zeros.", {"rows": 0, "share": 0.0}),
)


def preflighted(*checks: Check) -> Preflight:
    columns = {"vectors": ["vector"], "ids": ["id"], "texts": [HOSTILE], "attributes": ["label", "year"]}
    return Preflight(
        1,
        "0.1.0",
        "v.parquet",
        200,
        True,
        200,
        384,
        "float32",
        columns,
        ("vectors", "texts"),
        "minilm",
        checks or CHECKS,
    )
