"""When a training ends, by its held-out loss, and the record of how it ended."""

from dataclasses import dataclass, field

import numpy as np

from vestige.types import TrainingLog

LAST, SHARE = 5, 0.01


@dataclass
class LossWatch:
    """Watches the held-out loss of a training, epoch by epoch, or another one, which `of` names.

    With `patience`, the training ends once the loss has not fallen for so many epochs, or after `most` of them;
    without, it runs for `most` epochs, as a paper states. It has converged if its patience ended it, or if the last
    five epochs lowered the loss by less than 1%, and by less than 1% of its whole fall: a loss with a high floor may
    fall slowly and yet have far to go.
    """

    most: int
    patience: int | None = None
    of: str = "held-out loss"
    losses: list[float] = field(default_factory=list)

    def update(self, loss: float) -> bool:
        """Record the loss after an epoch; whether the training is over."""
        self.losses.append(loss)
        return len(self.losses) >= self.most or self.ended_by_patience

    def log(self) -> TrainingLog:
        """How the training ended; the curve has the held-out loss after each epoch, the first being 1."""
        curve = tuple(enumerate(self.losses, 1))
        return TrainingLog(self._describe(), self.ended_by_patience or self._is_flat(), len(curve), curve)

    @property
    def ended_by_patience(self) -> bool:
        """Whether the loss has not fallen for as long as the patience lasts."""
        return self.patience is not None and self._waited() >= self.patience

    def _waited(self) -> int:
        """The number of epochs since the lowest loss."""
        return len(self.losses) - 1 - int(np.argmin(self.losses))

    def _is_flat(self) -> bool:
        before, last = self.losses[:-LAST], self.losses[-LAST:]
        if not before:
            return False
        fall, whole = min(before) - min(last), self.losses[0] - min(self.losses)
        return fall <= 0 or fall < SHARE * min(min(before), whole)

    def _describe(self) -> str:
        flat = f"the last {LAST} lowered the {self.of} by less than {SHARE:.0%}, and by less than {SHARE:.0%} of its"
        if self.patience is None:
            return f"{self.most} epochs; converged if {flat} whole fall"
        return (
            f"until the {self.of} has not fallen for {self.patience} epochs, at most {self.most}; converged if it "
            f"ended so, or if {flat} whole fall"
        )
