"""An encoder that several threads share."""

from collections.abc import Sequence
from threading import Lock

from vestige.encoders.wrapper import Wrapper, unwrap
from vestige.types import Encoder, Progress, Vectors, silent


class OneAtATime(Wrapper):
    """An encoder whose callers wait for each other, so that counters and caches below it see one call at a time.

    After `stop` it refuses, which ends the threads that use it.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self._lock = Lock()
        self._stopped = False

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        with self._lock:
            if self._stopped:
                raise RuntimeError("the encoder was stopped")
            return self.encoder.encode(texts, progress=progress)

    def stop(self) -> None:
        """Encode nothing more."""
        self._stopped = True


def can_share(encoder: Encoder) -> bool:
    """Whether an encoder may be called from any thread, one at a time."""
    return bool(getattr(unwrap(encoder), "any_thread", False))
