"""What can be told of vectors before any attack: what lies beside them, what is wrong with them, who made them."""

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check, CheckLevel, Preflight
from vestige.preflight.run import preflight

__all__ = ["Check", "CheckLevel", "Preflight", "Specimen", "preflight"]
