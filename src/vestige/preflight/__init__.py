"""Checks of stored vectors before any attack: plain text next to them, invalid vectors, and which encoder made them."""

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check, CheckLevel, Preflight
from vestige.preflight.run import check_vectors, run_preflight

__all__ = ["Check", "CheckLevel", "Preflight", "VectorSample", "check_vectors", "run_preflight"]
