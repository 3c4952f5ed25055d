"""The attacks that the tables of Chen 2023 compare: variants of SADE and baselines, and the setting of their rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from vestige.metrics.keyword_ranking import DEPTHS
from vestige.papers.chen2023.adversary import OpenWorldAdversary
from vestige.papers.chen2023.setup import ChenSizes
from vestige.papers.chen2023.texts import StudyDocuments
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.rows import Place, PlannedRow, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim, Victims
from vestige.types import Guesser

Attack = Callable[[OpenWorldAdversary], Guesser]
AdversaryLines = Callable[[OpenWorldAdversary], Iterable[Line | str]]


@dataclass(frozen=True)
class SadeVariant:
    """SADE with some of its settings changed; several tables compare the same variants."""

    settings: tuple[tuple[str, object], ...] = ()

    @classmethod
    def build(cls, **settings: object) -> "SadeVariant":
        """From the settings that are changed."""
        return cls(tuple(sorted(settings.items())))

    def __call__(self, adversary: OpenWorldAdversary) -> Guesser:
        """The fitted attack."""
        return adversary.sade(**dict(self.settings))


FIVE = ("Precision@5", "NDCG@5")
EVERY = tuple(f"{name}@{k}" for k in DEPTHS for name in ("Precision", "NDCG"))
DATASET = "20 News"
"""The data set of the tables that name none."""

SADE_QS, SADE = "SADE-QS (the paper's recipe)", "SADE, queries at random"
CONSTANT = "guessing, the words of most documents"
BASELINES: dict[str, Attack] = {
    "PLD": OpenWorldAdversary.pseudo_labels,
    "MLP": OpenWorldAdversary.mlp,
    "DAAM": OpenWorldAdversary.domain_adversarial,
    "BERT-GAN": OpenWorldAdversary.gan,
}


@dataclass(frozen=True)
class AttackSetting:
    """What the rows of a section share: the documents, the adversary's own encoder, its measure of importance."""

    run: PaperRun[ChenSizes]
    documents: StudyDocuments
    surrogate: Victim
    importance: str = "TF-IDF"
    budget: int | None = None

    def plan_row(self, place: Place, target: Victim | MissingModel, lines: AdversaryLines) -> PlannedRow:
        """A row that attacks one private encoder."""
        planned = plan_row(place, target, self.documents, lambda target: lines(self._adversary(target)))
        return replace(planned, depends_on=(*planned.depends_on, self.surrogate.encoder, self.importance, self.budget))

    def plan_rows(self, printed: Sections, targets: Victims, lines: AdversaryLines) -> list[PlannedRow]:
        """One row for each section and model that the thesis prints."""
        return [
            self.plan_row(Place(section, model, figures), targets[model], lines)
            for section, models in printed.items()
            for model, figures in models.items()
        ]

    def _adversary(self, target: Victim) -> OpenWorldAdversary:
        return OpenWorldAdversary(
            self.run,
            self.documents,
            target,
            self.surrogate,
            importance=self.importance,
            budget=self.budget,
            cache=self.run.cache,
        )
