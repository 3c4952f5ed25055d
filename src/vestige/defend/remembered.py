"""Trials on disk, so that a sweep that was stopped goes on where it was."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vestige.case.cache import digest_of, recalled
from vestige.case.codec import dumps
from vestige.defend.stage import Judged
from vestige.files import write_whole


@dataclass(frozen=True)
class Remembered:
    """A folder for the trials of one sweep, by a digest of everything that they depend on."""

    folder: Path

    def judged(self, rung: int, defense: str, draws: int, judge: Callable[[], Judged]) -> Judged:
        """What was found before, or what is found now."""
        place = self.folder / f"{digest_of(rung, defense, draws)}.json"
        if place.is_file():
            return recalled(Judged, place)
        found = judge()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(place, dumps(found).encode())
        return found
