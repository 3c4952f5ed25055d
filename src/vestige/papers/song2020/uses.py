"""What vectors are good for, beside what they give away: the four sentence tasks of Figures 6 and 7."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.case.randomness import stream
from vestige.papers.record import PRIOR, Line
from vestige.papers.run import Run
from vestige.papers.song2020.texts import Sizes
from vestige.papers.victims import Victim
from vestige.text.named import is_present
from vestige.types import Score
from vestige.utility.sentence_tasks import TASKS, SentenceTask, read_task, task_accuracy

USES = tuple(name.upper() for name in TASKS)
USED = "logistic regression"


@dataclass(frozen=True)
class Uses:
    """The tasks that are here; one that is not leaves its column empty."""

    tasks: dict[str, SentenceTask]

    def lines(self, seed: int, target: Victim, guessing: Sequence[Score]) -> list[Line]:
        """What a classifier reaches, then guessing; `guessing` is that of the columns of attacks, which stand first."""
        found = {
            name: task_accuracy(task, target.encoder.encode, rng=stream(seed, "use"))
            for name, task in self.tasks.items()
        }
        scores = [found.get(name) for name in TASKS]
        majorities = [None if score is None else _guessed(score) for score in scores]
        return [Line(USED, (*[None] * len(guessing), *scores)), Line(PRIOR, (*guessing, *majorities))]


def read_uses(run: Run[Sizes]) -> Uses:
    """Twice as many rows of each task as the scale has auxiliary sentences, at most."""
    most = 2 * run.sizes.same
    return Uses({name: read_task(name, rng=stream(run.seed, "task"), most=most) for name in TASKS if is_present(name)})


def _guessed(score: Score) -> Score:
    assert score.baseline is not None
    return Score(score.baseline, score.baseline, score.baseline, score.n)
