"""Defenses as a third-party package would define them."""

from importlib.metadata import EntryPoint

import numpy as np

from vestige.defenses.defense import DefenseInfo, FixedMap


def entry(name, value):
    return EntryPoint(name, value, "vestige.defenses")


class Scaling(FixedMap):
    """Every number times a factor. Guarantee: none."""

    info = DefenseInfo(
        "scaling",
        "scaling:FACTOR, every number times a factor",
        paper="Nobody 2026, Section 1",
        strength="factor",
        strengths=lambda dimension: (dimension, dimension // 2),
    )
    learned = ("factor_",)

    def __init__(self, *, factor=1.0):
        self.factor = factor

    def _fit(self, *_):
        self.factor_ = np.array(self.factor, np.float32)

    def _transform_block(self, vectors):
        return vectors * self.factor_


class Plain:
    info = Scaling.info


class Undeclared(FixedMap):
    def _fit(self, vectors, labels, rng):
        pass

    def _transform_block(self, vectors):
        return vectors


class Unfinished(FixedMap):
    info = Scaling.info

    def _fit(self, vectors, labels, rng):
        pass
