"""An attack that is fitted and used: how long that took, and how its trainings ended."""

from collections.abc import Callable, Sequence
from inspect import signature
from time import process_time
from typing import Any, TypeVar

from vestige.papers.record import CLOSED_FORM, Line
from vestige.types import Score, TrainingLog, Vectors, WordGuesses

Result = TypeVar("Result")


class TimedAttack:
    """A fitted attack on words. `seconds` is the processor time of fitting and of all inferences so far.

    Encode vectors before, so that their time does not count. An attack in `closed_form` trains nothing; of any other
    that records nothing, it is unknown whether it has converged.
    """

    def __init__(self, fit: Callable[[], Any], *, closed_form: bool = False) -> None:
        self.seconds = 0.0
        self.closed_form = closed_form
        self.fitted = self._time(fit)
        self._descents: list[TrainingLog] = []

    def infer(self, vectors: Vectors, **options: Any) -> WordGuesses:
        """What the attack infers from these vectors."""
        guesses: WordGuesses = self._time(lambda: self.fitted.infer(vectors, **options))
        if (log := getattr(guesses, "log", None)) is not None:
            self._descents.append(log)
        return guesses

    @property
    def logs(self) -> tuple[TrainingLog, ...]:
        """How the training ended, and then each descent."""
        training = getattr(self.fitted, "log_", None)
        found = (*(() if training is None else (training,)), *self._descents)
        return found or ((CLOSED_FORM,) if self.closed_form else ())

    def _time(self, work: Callable[[], Result]) -> Result:
        started = process_time()
        result = work()
        self.seconds += process_time() - started
        return result


def build_line(by: str, scores: Sequence[Score | None], attacks: Sequence[TimedAttack]) -> Line:
    """The scores that these attacks reached together, with their logs and their time."""
    logs = tuple(log for attack in attacks for log in attack.logs)
    return Line(by, tuple(scores), logs, sum(attack.seconds for attack in attacks))


def select_device(attack: type, device: str) -> dict[str, str]:
    """The setting that puts the training of an attack on this device; nothing for one that trains no network."""
    return {"device": device} if "device" in signature(attack).parameters else {}
