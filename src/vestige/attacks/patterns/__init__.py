"""Pattern reconstruction (P2, P3): the secret fields of texts whose format is known."""

from vestige.attacks.patterns.reconstructor import PatternReconstructor as PatternReconstructor
