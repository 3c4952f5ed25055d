"""The two sections of Figure 7: nucleotides and keywords behind a defense (Pan et al. 2020, Section VII)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.randomness import stream
from vestige.papers.pan2020.attacks import KeywordAdversary, exact_score
from vestige.papers.pan2020.defended import SYSTEM, DefendingOwner, DownstreamSystem, UnawareAdversary
from vestige.papers.pan2020.figure3 import (
    PATTERN,
    GenomeSequences,
    correct_guesses,
    mean_over_sequences,
    read_sites,
    score_most_frequent,
)
from vestige.papers.pan2020.setup import DefenseSweep, PanSizes, defense_sweeps, keyword_sweeps
from vestige.papers.pan2020.table2 import RECIPES, fit_reconstructor
from vestige.papers.pan2020.table4 import ChangedSentences
from vestige.papers.pan2020.texts import KeywordTexts, read_external, read_public_sentences, read_split
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.victims import Victim
from vestige.text.corpora import is_available
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Score


@dataclass(frozen=True)
class GenomeCase:
    """Sequences of twenty nucleotides: splice sites if available, else generated ones without a downstream task."""

    run: PaperRun[PanSizes]
    attacked: GenomeSequences
    learned: Corpus | None
    changed: ChangedSentences
    section: str = "Genome"
    _unaware: dict[tuple[str, str], PatternReconstructor] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def owner(self) -> DefendingOwner:
        """Hides the nucleotide at every position."""
        secrets = np.array(list(self.attacked.secrets.values())).T
        return DefendingOwner(self.attacked.corpus, secrets, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[DefenseSweep, ...]:
        """All defenses but subspace projection, which hides keywords."""
        return defense_sweeps(self.run.sizes.strengths)

    @cached_property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed; the attack generates its own."""
        known = [] if self.learned is None else [self.learned]
        return [self.attacked.corpus, self.changed.original, self.changed.changed, *known]

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """The paper's networks learn once, from undefended vectors; ours also from defended ones."""
        for by, recipe in RECIPES.items():
            aware = self._accuracy(self._fit(recipe, behind), behind) if by == OURS else None
            yield Line(by, (self._accuracy(self._fit_unaware(recipe, target), behind), aware, None, None))
        guessing = score_most_frequent(self.attacked.secrets, self.run.seed)[0]
        if self.learned is None:
            yield Line(PRIOR, (guessing, guessing, None, None))
            return
        scores = DownstreamSystem(self.learned, self.attacked.corpus, "site", self.run.seed).scores(target, behind)
        yield Line(SYSTEM, (None, None, *scores))
        yield Line(PRIOR, (guessing, guessing, *(exact_score(score.baseline, score.n) for score in scores)))

    def _fit_unaware(self, recipe: str, target: Victim) -> PatternReconstructor:
        """The attack fitted on undefended vectors, once per model."""
        if (recipe, target.model) not in self._unaware:
            self._unaware[recipe, target.model] = self._fit(recipe, target)
        return self._unaware[recipe, target.model]

    def _fit(self, recipe: str, target: Victim) -> PatternReconstructor:
        return fit_reconstructor(self.run, PATTERN, recipe, target).attack

    def _accuracy(self, fitted: PatternReconstructor, behind: Victim) -> Score:
        guesses = fitted.infer(behind.vectors(self.attacked.corpus))
        return mean_over_sequences(correct_guesses(guesses, self.attacked.secrets), self.run.seed)


def read_genome(run: PaperRun[PanSizes], changed: ChangedSentences) -> GenomeCase:
    """As many sequences as in Figure 3; the downstream system learns from others."""
    pattern, records = load_pattern(PATTERN), run.sizes.records
    if not is_available("splice"):
        made = GenomeSequences.from_records("made", pattern.generate(records, stream(run.seed, "made")))
        return GenomeCase(run, made, None, changed)
    sites = read_sites(run, records + run.sizes.strengths.system)
    attacked = sites.take(range(records))
    read = GenomeSequences(attacked, pattern.read(attacked.texts).secrets)
    return GenomeCase(run, read, sites.take(range(records, len(sites))), changed)


DEPARTMENTS = {"complaints": "product"}
"""The attribute that stands in for the department to which a patient is sent."""

SHADOW = "our default, with texts like the victims'"


@dataclass(frozen=True)
class MedicalCase:
    """Sentences with and without ten keywords; the downstream system predicts the department of each."""

    run: PaperRun[PanSizes]
    texts: KeywordTexts
    learned: Corpus | None
    changed: ChangedSentences
    section: str = "Medical"

    @property
    def owner(self) -> DefendingOwner:
        """Hides all ten keywords."""
        study = self.texts.study
        return DefendingOwner(study.targets, study.truth, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[DefenseSweep, ...]:
        """All four defenses."""
        strengths = self.run.sizes.strengths
        return (*defense_sweeps(strengths), *keyword_sweeps(strengths))

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        known = [] if self.learned is None else [self.learned]
        return [*self.texts.encoded, self.changed.original, self.changed.changed, *known]

    def lines(self, target: Victim, behind: Victim) -> Iterator[Line]:
        """DANN adapts to the victims' defended vectors even where it learns from undefended ones."""
        unaware = UnawareAdversary(self.run, self.texts, target, behind)
        aware = KeywordAdversary(self.run, self.texts, behind)
        measured = {
            PAPER: [_published(one) for one in (unaware, aware)],
            OURS: [one.accuracy(one.adapt(centred=True).infer(one.victims)) for one in (unaware, aware)],
            SHADOW: [one.accuracy(one.with_shadow("default")) for one in (unaware, aware)],
        }
        for by, accuracies in measured.items():
            yield Line(by, (*accuracies, None, None))
        coin = exact_score(measured[PAPER][0].baseline, measured[PAPER][0].n)
        if self.learned is None:
            yield Line(PRIOR, (coin, coin, None, None))
            return
        targets = self.texts.study.targets
        system = DownstreamSystem(self.learned, targets, DEPARTMENTS[targets.name], self.run.seed)
        scores = system.scores(target, behind)
        yield Line(SYSTEM, (None, None, *scores))
        yield Line(PRIOR, (coin, coin, *(exact_score(score.baseline, score.n) for score in scores)))


def read_medical(run: PaperRun[PanSizes], changed: ChangedSentences) -> MedicalCase:
    """The study of Figure 6; the downstream system learns from documents that are not under attack."""
    sides = read_split(run, "Medical")
    study = sides.study(sides.keywords, run.sizes.each, run.sizes.shadow, run.seed)
    external = read_external(run, read_public_sentences(run), study.keywords, run.sizes.external)
    learned = None
    if sides.targets.name in DEPARTMENTS:
        drawn = stream(run.seed, "system").permutation(len(sides.shadow))[: run.sizes.strengths.system]
        learned = sides.shadow.take(drawn.tolist())
    return MedicalCase(run, KeywordTexts(study, external), learned, changed)


def _published(adversary: KeywordAdversary) -> Score:
    """The paper's figure: the average over the epochs."""
    return adversary.score_epochs(adversary.adapt().by_epoch(adversary.victims))[0]
