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


class AttackSeries:
    """Makes the attacks of a curve, one for each point and draw; counts their time and collects their logs.

    An attack that records nothing is solved, if it is in `closed_form`.
    """

    def __init__(self, make: Callable[[], Any], *, closed_form: bool = False) -> None:
        self._make = make
        self._closed_form = closed_form
        self._made: list[Any] = []
        self._started = process_time()

    def __call__(self) -> Any:
        """A new attack."""
        self._made.append(self._make())
        return self._made[-1]

    def build_line(self, by: str, scores: Sequence[Score | None]) -> Line:
        """The scores that all attacks reached, with one log for all trainings, and the time since the first."""
        logs = [log for log in (getattr(attack, "log_", None) for attack in self._made) if log is not None]
        found = (merge_logs(logs),) if logs else (CLOSED_FORM,) if self._closed_form else ()
        return Line(by, tuple(scores), found, process_time() - self._started)


def merge_logs(logs: Sequence[TrainingLog]) -> TrainingLog:
    """One log for trainings by the same rule: converged if all have; the curve is their mean, as far as all go."""
    steps = [step for step, _ in min((log.curve for log in logs), key=len)]
    means = (sum(log.curve[place][1] for log in logs) / len(logs) for place in range(len(steps)))
    done = sum(log.converged for log in logs)
    rule = f"{logs[0].rule}; {done} of {len(logs)} trainings did"
    return TrainingLog(rule, done == len(logs), max(log.steps for log in logs), tuple(zip(steps, means, strict=True)))


def select_device(attack: type, device: str) -> dict[str, str]:
    """The setting that puts the training of an attack on this device; nothing for one that trains no network."""
    return {"device": device} if "device" in signature(attack).parameters else {}
