"""What can be told of vectors before any attack: what lies beside them, what is wrong with them, who made them."""

from vestige.audit.preflight.record import Check, CheckLevel, Preflight
from vestige.audit.preflight.run import preflight
from vestige.audit.preflight.specimen import Specimen

__all__ = ["Check", "CheckLevel", "Preflight", "Specimen", "preflight"]
