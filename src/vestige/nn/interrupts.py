"""Let Ctrl-C end trainings of scikit-learn."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pass_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt where scikit-learn would warn, and return a network whose training was cut off."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Training interrupted by user", UserWarning)
        try:
            yield
        except UserWarning as warning:
            raise KeyboardInterrupt from warning
