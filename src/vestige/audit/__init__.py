"""The only room that knows the others: cases, probes, plan, run.

The room can itself be called: `vestige.audit(...)` is `vestige.audit.run.audit(...)`.
See docs/decisions/callable-room.md.
"""

import sys
from types import ModuleType
from typing import Any


class _CallableRoom(ModuleType):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from vestige.audit.run import audit

        return audit(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableRoom
