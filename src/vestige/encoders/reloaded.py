"""Encoders on other machines: sent as their settings, and loaded there."""

from functools import cached_property
from typing import Any


class ReloadedWhenSent:
    """A pretrained encoder whose models are cached properties: a pickle of it has none of them.

    So a worker of a cluster loads the model from its own disk, and computes its own identity: another model under the
    same name is detected.
    """

    def __getstate__(self) -> dict[str, Any]:
        loaded = {name for kind in type(self).__mro__ for name in vars(kind) if _is_cached(kind, name)}
        return {name: value for name, value in vars(self).items() if name not in loaded}


def _is_cached(kind: type, name: str) -> bool:
    return isinstance(vars(kind)[name], cached_property)
