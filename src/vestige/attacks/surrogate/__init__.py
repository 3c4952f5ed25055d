"""The open-world attack (Chen 2023): few queries, an encoder of one's own, and what matters in each document."""

from vestige.attacks.surrogate.attack import SurrogateAttack

__all__ = ["SurrogateAttack"]
