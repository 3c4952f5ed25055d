"""Figure 7, Genome: nucleotides read out of defended vectors, and splice sites told apart."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.randomness import stream
from vestige.papers.pan2020.behind import Owner
from vestige.papers.pan2020.citizen import RECIPES, reconstructor
from vestige.papers.pan2020.genome import PATTERN, Sequences, mean, most_frequent, read_sites, right
from vestige.papers.pan2020.ground import SYSTEM, System
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sensitivity import Changed
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.strengths import Sweep, sweeps
from vestige.papers.record import OURS, PRIOR, Line
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.named import is_present
from vestige.text.patterns import load_pattern
from vestige.types import Score


@dataclass(frozen=True)
class Genome:
    """Sequences of twenty nucleotides: splice sites where they are here, else generated ones, which have no use."""

    run: Run[Sizes]
    attacked: Sequences
    learned: Corpus | None
    changed: Changed
    section: str = "Genome"
    _unaware: dict[tuple[str, str], PatternReconstructor] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def owner(self) -> Owner:
        """Hides the nucleotide at every position."""
        secrets = np.array(list(self.attacked.secrets.values())).T
        return Owner(self.attacked.corpus, secrets, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[Sweep, ...]:
        """The fourth defense is one of keywords."""
        return sweeps(self.run.sizes.strengths)

    @cached_property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are asked for; the attack makes up its own."""
        known = [] if self.learned is None else [self.learned]
        return [self.attacked.corpus, self.changed.original, self.changed.changed, *known]

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """The paper's networks learn once, without the defense; ours do also with it."""
        for by, recipe in RECIPES.items():
            aware = self._accuracy(self._fitted(recipe, behind), behind) if by == OURS else None
            yield Line(by, (self._accuracy(self._unaware_of(recipe, target), behind), aware, None, None))
        guessing = most_frequent(self.attacked.secrets, self.run.seed)[0]
        if self.learned is None:
            yield Line(PRIOR, (guessing, guessing, None, None))
            return
        scores = System(self.learned, self.attacked.corpus, "site", self.run.seed).scores(target, behind)
        yield Line(SYSTEM, (None, None, *scores))
        yield Line(PRIOR, (guessing, guessing, *(exactly(score.baseline, score.n) for score in scores)))

    def _unaware_of(self, recipe: str, target: Victim) -> PatternReconstructor:
        """Fitted once a model, whatever the defense."""
        if (recipe, target.model) not in self._unaware:
            self._unaware[recipe, target.model] = self._fitted(recipe, target)
        return self._unaware[recipe, target.model]

    def _fitted(self, recipe: str, target: Victim) -> PatternReconstructor:
        attack = reconstructor(self.run, PATTERN, recipe)
        return attack.fit(target.encoder, rng=stream(self.run.seed, "attack"), progress=self.run.progress)

    def _accuracy(self, fitted: PatternReconstructor, behind: Victim) -> Score:
        guesses = fitted.infer(behind.vectors(self.attacked.corpus))
        return mean(right(guesses, self.attacked.secrets), self.run.seed)


def read_genome(run: Run[Sizes], changed: Changed) -> Genome:
    """As many as the table of nucleotides has; the system learns from others."""
    pattern, records = load_pattern(PATTERN), run.sizes.records
    if not is_present("splice"):
        made = Sequences.of("made", pattern.generate(records, stream(run.seed, "made")))
        return Genome(run, made, None, changed)
    sites = read_sites(run, records + run.sizes.strengths.system)
    attacked = sites.take(range(records))
    read = Sequences(attacked, pattern.read(attacked.texts).secrets)
    return Genome(run, read, sites.take(range(records, len(sites))), changed)
