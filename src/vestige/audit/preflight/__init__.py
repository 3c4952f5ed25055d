"""What can be told of vectors before any attack: what lies beside them, what is wrong with them, who made them."""

from vestige.audit.preflight.run import preflight
from vestige.audit.preflight.specimen import Specimen
from vestige.audit.preflight_result import Check, CheckLevel, Preflight

__all__ = ["Check", "CheckLevel", "Preflight", "Specimen", "preflight"]
