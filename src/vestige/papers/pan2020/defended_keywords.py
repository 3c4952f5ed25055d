"""Figure 7, Medical: keywords told from defended vectors, and departments told apart."""

from collections.abc import Iterator
from dataclasses import dataclass

from vestige.case.randomness import stream
from vestige.papers.pan2020.adversary import Adversary
from vestige.papers.pan2020.behind import Owner, Unaware
from vestige.papers.pan2020.ground import SYSTEM, System
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sensitivity import Changed
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.strengths import Sweep, keyword_sweeps, sweeps
from vestige.papers.pan2020.studies import Texts, read_elsewhere, read_external, read_sides
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.types import Score

DEPARTMENTS = {"complaints": "product"}
"""What stands for the department that a patient is sent to."""

SHADOW = "our default, with texts like the victims'"


@dataclass(frozen=True)
class Medical:
    """Sentences with and without ten keywords; the department is told from each."""

    run: Run[Sizes]
    texts: Texts
    learned: Corpus | None
    changed: Changed
    section: str = "Medical"

    @property
    def owner(self) -> Owner:
        """Hides all ten keywords."""
        study = self.texts.study
        return Owner(study.targets, study.truth, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[Sweep, ...]:
        """All four defenses."""
        strengths = self.run.sizes.strengths
        return (*sweeps(strengths), *keyword_sweeps(strengths))

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for."""
        known = [] if self.learned is None else [self.learned]
        return [*self.texts.encoded, self.changed.original, self.changed.changed, *known]

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """DANN sees the victims' vectors, and so the defense, even where its own are without."""
        unaware, aware = Unaware(self.run, self.texts, target, behind), Adversary(self.run, self.texts, behind)
        told = {
            PAPER: [_published(each) for each in (unaware, aware)],
            OURS: [each.accuracy(each.adapted(centred=True).infer(each.victims)) for each in (unaware, aware)],
            SHADOW: [each.accuracy(each.with_shadow("default")) for each in (unaware, aware)],
        }
        for by, scores in told.items():
            yield Line(by, (*scores, None, None))
        coin = exactly(told[PAPER][0].baseline, told[PAPER][0].n)
        if self.learned is None:
            yield Line(PRIOR, (coin, coin, None, None))
            return
        targets = self.texts.study.targets
        system = System(self.learned, targets, DEPARTMENTS[targets.name], self.run.seed).scores(target, behind)
        yield Line(SYSTEM, (None, None, *system))
        yield Line(PRIOR, (coin, coin, *(exactly(score.baseline, score.n) for score in system)))


def read_medical(run: Run[Sizes], changed: Changed) -> Medical:
    """The study of Figure 6; the system learns from documents that are not under attack."""
    sides = read_sides(run, "Medical")
    study = sides.study(sides.keywords, run.sizes.each, run.sizes.shadow, run.seed)
    external = read_external(run, read_elsewhere(run), study.keywords, run.sizes.external)
    learned = None
    if sides.targets.name in DEPARTMENTS:
        drawn = stream(run.seed, "system").permutation(len(sides.shadow))[: run.sizes.strengths.system]
        learned = sides.shadow.take(drawn.tolist())
    return Medical(run, Texts(study, external), learned, changed)


def _published(adversary: Adversary) -> Score:
    """The average over the epochs."""
    return adversary.over_epochs(adversary.adapted().by_epoch(adversary.victims))[0]
