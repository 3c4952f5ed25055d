"""Errors of an encoder that stopped halfway; they carry the vectors computed so far."""

from collections.abc import Mapping, Sequence

from vestige.errors import InputError, VestigeError
from vestige.types import Vectors


class Unfinished(VestigeError):
    """Some texts of a call have no vector; `answered` holds the others, by row, so that a cache can store them."""

    def __init__(self, message: str, answered: Mapping[int, Vectors]) -> None:
        super().__init__(message)
        self.answered = answered


class Stopped(Unfinished, KeyboardInterrupt):
    """The user stopped it."""


class RefusedTexts(Unfinished, InputError):
    """The encoder refused some texts. `refused` holds the reason by row; the texts themselves are not shown."""

    def __init__(self, refused: Mapping[int, str], answered: Mapping[int, Vectors]) -> None:
        reasons = "; ".join(f"row {row}: {why}" for row, why in sorted(refused.items()))
        super().__init__(f"{reasons}; remove these texts, or send shorter pieces", answered)
        self.refused = refused

    def renumber(self, rows: Sequence[int]) -> "RefusedTexts":
        """The same error for a caller with other row numbers: row 0 becomes row `rows[0]`."""
        return RefusedTexts(
            {rows[row]: why for row, why in self.refused.items()},
            {rows[row]: vector for row, vector in self.answered.items()},
        )
