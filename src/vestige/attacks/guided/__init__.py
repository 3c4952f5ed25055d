"""Text back in order, with the encoder in the loop."""

from vestige.attacks.guided.inverter import GuidedInverter

__all__ = ["GuidedInverter"]
