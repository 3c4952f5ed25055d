"""Finished steps of a probe, so that a run that was stopped continues after them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vestige.case.cache import read_cached, write_cached
from vestige.types import TrainingLog, WordGuesses


@dataclass(frozen=True)
class Checkpoints:
    """The steps of one probe on one case. `stem` starts the name of each file; without it nothing is stored."""

    stem: Path | None = None

    def run(self, step: str, compute: Callable[[], WordGuesses]) -> WordGuesses:
        """The guesses of a step: those of an earlier run, or else computed and stored."""
        if self.stem is None:
            return compute()
        place = self.stem.with_name(f"{self.stem.name}-{step}.json")
        stored = read_cached(StoredGuesses, place)
        if stored is not None:
            return stored.restore()
        guesses = compute()
        write_cached(StoredGuesses.of(guesses), place)
        return guesses

    def delete(self) -> None:
        """Delete the steps, since the finding that they led to is stored."""
        if self.stem is not None:
            for place in self.stem.parent.glob(f"{self.stem.name}-*.json"):
                place.unlink(missing_ok=True)


NO_CHECKPOINTS = Checkpoints()


@dataclass(frozen=True)
class StoredGuesses:
    """Guesses as text. Probabilities are written in full: records round them."""

    sets: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...]
    probabilities: tuple[tuple[str, ...], ...]
    log: TrainingLog | None

    @classmethod
    def of(cls, guesses: WordGuesses) -> "StoredGuesses":
        """The guesses in this form."""
        return cls(
            tuple(tuple(sorted(words)) for words in guesses.sets),
            tuple(tuple(word for word, _ in ranked) for ranked in guesses.ranked),
            tuple(tuple(float(chance).hex() for _, chance in ranked) for ranked in guesses.ranked),
            guesses.log,
        )

    def restore(self) -> WordGuesses:
        """The guesses that were stored."""
        return WordGuesses(
            [frozenset(words) for words in self.sets],
            [
                [(word, float.fromhex(chance)) for word, chance in zip(words, chances, strict=True)]
                for words, chances in zip(self.words, self.probabilities, strict=True)
            ],
            self.log,
        )
