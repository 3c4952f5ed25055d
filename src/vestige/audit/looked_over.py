"""Vectors that an owner hands over are looked over before they are attacked."""

from vestige.case.inputs import Inputs
from vestige.case.settings import Settings
from vestige.encoders.cached import uncached
from vestige.errors import InputError
from vestige.preflight import preflight
from vestige.preflight.result import Preflight
from vestige.types import Progress


def looked_over(inputs: Inputs, settings: Settings, *, send: bool, progress: Progress) -> Preflight | None:
    """The preflight of vectors that were given; an error among it ends the work, since every figure would be wrong."""
    if inputs.specimen is None:
        return None
    looked = preflight(inputs.specimen, uncached(inputs.encoder), seed=settings.seed, send=send, progress=progress)
    for check in looked.checks:
        if check.level == "error":
            raise InputError(f"{looked.source}: {check.sentence} `vestige check` tells all that was found.")
    return looked
