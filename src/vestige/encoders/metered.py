"""A wrapper that counts the adversary's queries and enforces a budget."""

from collections.abc import Sequence

from vestige.encoders.wrapper import Wrapper
from vestige.errors import BudgetExceeded, InputError
from vestige.types import Encoder, Progress, Vectors, silent


class Metered(Wrapper):
    """An encoder that counts its queries. A call that would exceed the budget is refused before anything is encoded."""

    def __init__(self, encoder: Encoder, budget: int | None = None) -> None:
        super().__init__(encoder)
        if budget is not None and budget < 0:
            raise InputError(f"The 'budget' parameter must be at least 0. Got {budget} instead.")
        self.budget = budget
        self.spent = 0

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Count, then encode."""
        if self.budget is not None and self.spent + len(texts) > self.budget:
            raise BudgetExceeded(
                f"{len(texts)} more queries to '{self.name}' after {self.spent} exceed the budget of {self.budget}"
            )
        self.spent += len(texts)
        return self.encoder.encode(texts, progress=progress)
