"""Sweep defenses over probes and choose one. `vestige.defend(...)` is `vestige.defend.run.defend(...)`."""

from vestige.callable_package import make_callable

DRAWS = 2
"""How often an adversary who may query has each of its texts defended, if the noise differs between draws."""

REFERENCES = "int8,gaussian,pca"
"""Our defenses that mark the frontier of a judgement, if the owner names none: those that are fast and lie far apart.
"""

make_callable(__name__)
