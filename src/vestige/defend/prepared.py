"""A case for a sweep: the task read beside the attributes, and an encoder that is asked for a text once."""

from dataclasses import replace

from vestige.case.attributes import attributes_of
from vestige.case.case import Case
from vestige.case.inputs import Inputs
from vestige.case.settings import Settings
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.remembering import Remembering
from vestige.errors import InputError
from vestige.registry import nearest


def columns_of(inputs: Inputs) -> int:
    """The columns of the vectors that are there, or that the encoder would make."""
    if inputs.vectors is not None:
        return int(inputs.vectors.shape[1])
    assert inputs.encoder is not None
    return inputs.encoder.dimension


def with_task(inputs: Inputs, settings: Settings, task: str | None) -> Settings:
    """Settings under which the column of the task is read beside the attributes."""
    if inputs.texts is None:
        raise InputError("what a defense hides can be told only where the texts are known; give them with --texts")
    if task is None:
        return settings
    if task not in inputs.texts.attributes:
        raise InputError(f"there is no column '{task}' to keep (--task); {nearest(task, inputs.texts.attributes)}")
    named = settings.attributes or tuple(attributes_of(inputs.texts, settings).columns)
    return replace(settings, attributes=tuple(dict.fromkeys((*named, task))))


def asked_once(case: Case, inputs: Inputs) -> Case:
    """The case with an encoder that keeps what it was asked, since every defense stands before the same answers."""
    if "same-domain" not in case.auxiliary:
        missing = case.missing["same-domain"]
        raise InputError(f"{missing.reason}; {missing.remedy}")
    kept = inputs.encoder if isinstance(inputs.encoder, CachedEncoder) else None
    encoder = None if case.encoder is None else kept or Remembering(case.encoder)
    return replace(case, encoder=encoder)
