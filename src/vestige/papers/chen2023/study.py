"""One row of a table: a private encoder attacked in one setting, kept once it is measured."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vestige.errors import MissingExtra
from vestige.papers.chen2023.adversary import Adversary
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.texts import Documents
from vestige.papers.record import Line, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.types import Encoder


@dataclass(frozen=True)
class Setting:
    """What a row depends on besides the private encoder."""

    documents: Documents
    surrogate: Encoder
    importance: str = "TF-IDF"
    budget: int | None = None


@dataclass(frozen=True)
class Study:
    """Rows of a table: the run, the documents, the adversary's own encoder and how it weighs words."""

    run: Run[Sizes]
    documents: Documents
    surrogate: Victim
    importance: str = "TF-IDF"
    budget: int | None = None

    def row(self, place: Place, target: Victim | Absent, lines: Callable[[Adversary], Iterable[Line | str]]) -> Row:
        """The row, or why there is none."""
        setting = Setting(self.documents, self.surrogate.encoder, self.importance, self.budget)

        def measured(target: Victim) -> Iterable[Line | str]:
            adversary = Adversary(
                self.run, self.documents, target, self.surrogate, importance=self.importance, budget=self.budget
            )
            return lines(adversary)

        try:
            return row_of(self.run, place, target, setting, measured)
        except MissingExtra as error:
            return Row(place.section, place.model, target.here, place.known, (), f"left out: {error}")
