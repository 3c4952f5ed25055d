"""An encoder that had to stop half way, and what it has in hand."""

from collections.abc import Mapping

from vestige.errors import InputError, VestigeError
from vestige.types import Vectors


class Unfinished(VestigeError):
    """Some texts of a call have no vector; `answered` holds, by row, the vectors that came, for a cache to keep."""

    def __init__(self, message: str, answered: Mapping[int, Vectors]) -> None:
        super().__init__(message)
        self.answered = answered


class RefusedTexts(Unfinished, InputError):
    """The encoder will not take some of the texts; the message names their rows."""
