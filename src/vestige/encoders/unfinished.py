"""An encoder that had to stop half way, and what it has in hand."""

from collections.abc import Mapping, Sequence

from vestige.errors import InputError, VestigeError
from vestige.types import Vectors


class Unfinished(VestigeError):
    """Some texts of a call have no vector; `answered` holds, by row, the vectors that came, for a cache to keep."""

    def __init__(self, message: str, answered: Mapping[int, Vectors]) -> None:
        super().__init__(message)
        self.answered = answered


class Stopped(Unfinished, KeyboardInterrupt):
    """The user stopped it."""


class RefusedTexts(Unfinished, InputError):
    """The encoder will not take some of the texts. `refused` says why, by row; the texts themselves are not shown."""

    def __init__(self, refused: Mapping[int, str], answered: Mapping[int, Vectors]) -> None:
        named = "; ".join(f"row {row}: {why}" for row, why in sorted(refused.items()))
        super().__init__(f"{named}; leave these texts out, or send shorter pieces", answered)
        self.refused = refused

    def renumbered(self, rows: Sequence[int]) -> "RefusedTexts":
        """The same, said by one who numbers rows otherwise: row 0 is row `rows[0]`."""
        return RefusedTexts(
            {rows[row]: why for row, why in self.refused.items()},
            {rows[row]: vector for row, vector in self.answered.items()},
        )
