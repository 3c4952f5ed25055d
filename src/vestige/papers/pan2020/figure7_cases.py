"""The two sections of Figure 7: nucleotides and keywords behind a defense (Pan et al. 2020, Section VII)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vestige.case.randomness import stream
from vestige.metrics.keyword_accuracy import PRIOR as COIN
from vestige.papers.pan2020.attacks import (
    FittedKeywords,
    KeywordAdversary,
    KeywordHits,
    average_epochs,
    exact_score,
    mean_accuracy,
)
from vestige.papers.pan2020.defended import (
    SYSTEM,
    DefendedVictims,
    DefendingOwner,
    DownstreamSystem,
    LabelledSentences,
    UnawareAdversary,
    lines_behind,
)
from vestige.papers.pan2020.figure3 import (
    PATTERN,
    GenomeSequences,
    correct_guesses,
    mean_over_sequences,
    read_sites,
    score_most_frequent,
)
from vestige.papers.pan2020.setup import DefenseSweep, PanSizes, defense_sweeps, keyword_sweeps
from vestige.papers.pan2020.table2 import RECIPES, FittedReconstructor, fit_reconstructor
from vestige.papers.pan2020.table4 import ChangedSentences
from vestige.papers.pan2020.texts import KeywordStudy, KeywordTexts, read_external, read_public_sentences, read_split
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.run import PaperRun
from vestige.papers.victims import Victim
from vestige.text.corpora import is_available
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Floats, Score


@dataclass(frozen=True)
class GenomeCase:
    """Sequences of twenty nucleotides: splice sites if available, else generated ones without a downstream task.

    `held` are other sequences, by which the owner fits its defenses.
    """

    run: PaperRun[PanSizes]
    attacked: GenomeSequences
    held: GenomeSequences
    learned: Corpus | None
    changed: ChangedSentences
    section: str = "Genome"
    _unaware: dict[tuple[str, str], FittedReconstructor] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def owner(self) -> DefendingOwner:
        """Hides the nucleotide at every position."""
        own, targets = (LabelledSentences(each.corpus, each.table) for each in (self.held, self.attacked))
        return DefendingOwner(own, targets, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[DefenseSweep, ...]:
        """All defenses but subspace projection, which hides keywords."""
        return defense_sweeps(self.run.sizes.strengths)

    @cached_property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed; the attack generates its own."""
        known = [self.held.corpus] if self.learned is None else [self.held.corpus, self.learned]
        return [self.attacked.corpus, self.changed.original, self.changed.changed, *known]

    def lines(self, victims: DefendedVictims) -> Iterator[Line]:
        """The paper's networks learn once, from undefended vectors; ours also from defended ones."""
        for by, recipe in RECIPES.items():
            unaware = self._fit_unaware(recipe, victims.plain)
            scores: list[Score | None] = []
            for behind in (victims.behind, victims.on_targets):
                if behind is None:
                    scores += [None, None]
                    continue
                aware = self._accuracy(self._fit(recipe, behind), behind) if by == OURS else None
                scores += [self._accuracy(unaware, behind), aware]
            yield Line(by, (*scores, None, None), unaware.logs, unaware.seconds)
        guessing = score_most_frequent(self.attacked.secrets, self.run.seed)[0]
        if self.learned is None:
            yield Line(PRIOR, (*(guessing,) * 4, None, None))
            return
        system = DownstreamSystem(self.learned, self.attacked.corpus, "site", self.run.seed)
        found = system.scores(victims.plain, victims.behind)
        yield Line(SYSTEM, (*(None,) * 4, *found.both), found.logs)
        yield Line(PRIOR, (*(guessing,) * 4, *(exact_score(score.baseline, score.n) for score in found.both)))

    def lines_of_sweep(self, sweep: DefenseSweep, spec: str, target: Victim) -> Iterator[Line]:  # noqa: ARG002
        """All sweeps of this section hide all positions at once."""
        return lines_behind(self, spec, target)

    def _fit_unaware(self, recipe: str, target: Victim) -> FittedReconstructor:
        """The attack fitted on undefended vectors, once per model."""
        if (recipe, target.model) not in self._unaware:
            self._unaware[recipe, target.model] = self._fit(recipe, target)
        return self._unaware[recipe, target.model]

    def _fit(self, recipe: str, target: Victim) -> FittedReconstructor:
        return fit_reconstructor(self.run, PATTERN, recipe, target)

    def _accuracy(self, fitted: FittedReconstructor, behind: Victim) -> Score:
        guesses = fitted.attack.infer(behind.vectors(self.attacked.corpus))
        return mean_over_sequences(correct_guesses(guesses, self.attacked.secrets), self.run.seed)


def read_genome(run: PaperRun[PanSizes], changed: ChangedSentences) -> GenomeCase:
    """As many sequences as in Figure 3; the downstream system and the owner's defenses learn from others."""
    pattern, records = load_pattern(PATTERN), run.sizes.records
    if not is_available("splice"):
        drawn = pattern.generate(2 * records, stream(run.seed, "made"))
        made, held = (
            GenomeSequences.from_records("made", drawn.take(rows))
            for rows in (range(records), range(records, 2 * records))
        )
        return GenomeCase(run, made, held, None, changed)
    sites = read_sites(run, records + run.sizes.strengths.system)
    attacked, others = sites.take(range(records)), sites.take(range(records, len(sites)))
    own = others.take(range(min(records, len(others))))
    read, held = (GenomeSequences(each, pattern.read(each.texts).secrets) for each in (attacked, own))
    return GenomeCase(run, read, held, others, changed)


DEPARTMENTS = {"complaints": "product", "pubmed": "subject"}
"""The attribute that stands in for the department to which a patient is sent."""

SHADOW = "our default, with texts like the victims'"


@dataclass(frozen=True)
class MedicalCase:
    """Sentences with and without ten keywords; the downstream system predicts the department of each.

    `held` are sentences of other documents, by which the owner fits its defenses.
    """

    run: PaperRun[PanSizes]
    texts: KeywordTexts
    held: KeywordStudy
    learned: Corpus | None
    changed: ChangedSentences
    section: str = "Medical"

    @property
    def owner(self) -> DefendingOwner:
        """Hides all ten keywords."""
        own, targets = (LabelledSentences(each.targets, each.truth) for each in (self.held, self.texts.study))
        return DefendingOwner(own, targets, self.changed, self.run.seed)

    @property
    def sweeps(self) -> tuple[DefenseSweep, ...]:
        """All four defenses."""
        strengths = self.run.sizes.strengths
        return (*defense_sweeps(strengths), *keyword_sweeps(strengths))

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        known = [] if self.learned is None else [self.learned]
        return [*self.texts.encoded, self.held.targets, self.changed.original, self.changed.changed, *known]

    def lines(self, victims: DefendedVictims) -> Iterator[Line]:
        """DANN adapts to the victims' defended vectors even where it learns from undefended ones."""
        for by, attack in ATTACKS.items():
            scores: list[Score | None] = []
            fits: list[FittedKeywords] = []
            for one in self._adversaries(victims):
                if one is None:
                    scores.append(None)
                    continue
                fits.append(attack.fit(one))
                scores.append(mean_accuracy(one.texts.study.tests, attack.hits(one, fits[-1]), self.run.seed))
            yield build_keyword_line(by, scores, fits)
        yield from self._score_system(victims)

    def lines_of_sweep(self, sweep: DefenseSweep, spec: str, target: Victim) -> Iterator[Line]:
        """Behind a defense that hides all keywords, or one at a time."""
        return self._lines_by_keyword(spec, target) if sweep.singly else lines_behind(self, spec, target)

    def _lines_by_keyword(self, spec: str, target: Victim) -> Iterator[Line]:
        """Each keyword behind the defense that hides it alone; there is no one system behind all of them."""
        parts = [(self._only(column), self.owner.only(column)) for column in range(len(self.held.keywords))]
        tests = self.texts.study.tests
        for by, attack in ATTACKS.items():
            found: list[dict[str, Floats]] = [{}, {}, {}, {}]
            fits: list[FittedKeywords] = []
            for case, owner in parts:
                if case.texts.study.keywords[0] not in tests.tests:
                    continue
                victims = DefendedVictims(target, owner.defend(target, spec), owner.defend_on_targets(target, spec))
                for hits, one in zip(found, case._adversaries(victims), strict=True):
                    if one is not None:
                        fits.append(attack.fit(one))
                        hits.update(attack.hits(one, fits[-1]))
            scores = [mean_accuracy(tests, hits, self.run.seed) if hits else None for hits in found]
            yield build_keyword_line(by, scores, fits)
        coin = exact_score(COIN, sum(map(len, tests.tests.values())))
        yield Line(PRIOR, (coin,) * 4 + (None, None))

    def _adversaries(self, victims: DefendedVictims) -> list[KeywordAdversary | None]:
        """For a defense fitted on other texts and on the targets: one who does not know it, and one who does."""
        made: list[KeywordAdversary | None] = []
        for behind in (victims.behind, victims.on_targets):
            if behind is None:
                made += [None, None]
            else:
                made.append(UnawareAdversary(self.run, self.texts, victims.plain, behind))
                made.append(KeywordAdversary(self.run, self.texts, behind))
        return made

    def _only(self, column: int) -> "MedicalCase":
        return replace(self, texts=self.texts.only(column))

    def _score_system(self, victims: DefendedVictims) -> Iterator[Line]:
        coin = exact_score(COIN, sum(map(len, self.texts.study.tests.tests.values())))
        if self.learned is None:
            yield Line(PRIOR, (coin,) * 4 + (None, None))
            return
        targets = self.texts.study.targets
        system = DownstreamSystem(self.learned, targets, DEPARTMENTS[targets.name], self.run.seed)
        found = system.scores(victims.plain, victims.behind)
        yield Line(SYSTEM, (*(None,) * 4, *found.both), found.logs)
        yield Line(PRIOR, (*(coin,) * 4, *(exact_score(score.baseline, score.n) for score in found.both)))


@dataclass(frozen=True)
class KeywordAttack:
    """How an adversary is fitted, and whether its score is the average over epochs, as in the paper."""

    fit: Callable[[KeywordAdversary], FittedKeywords]
    averaged: bool = False

    def hits(self, adversary: KeywordAdversary, fitted: FittedKeywords) -> KeywordHits:
        """For each keyword, the correct guesses."""
        tests = adversary.texts.study.tests
        if not self.averaged:
            return tests.hits(fitted.infer(adversary.victims))
        return average_epochs([tests.hits(guesses) for guesses in fitted.by_epoch(adversary.victims)])


ATTACKS = {
    PAPER: KeywordAttack(lambda adversary: adversary.adapt(), averaged=True),
    OURS: KeywordAttack(lambda adversary: adversary.adapt(centred=True)),
    SHADOW: KeywordAttack(lambda adversary: adversary.with_shadow("default")),
}


def build_keyword_line(by: str, scores: Sequence[Score | None], fits: Sequence[FittedKeywords]) -> Line:
    """The scores of the attack columns, with how the trainings ended; equal records are listed once."""
    logs = tuple(dict.fromkeys(log for fitted in fits for log in fitted.logs))
    return Line(by, (*scores, None, None), logs, sum(fitted.seconds for fitted in fits))


def read_medical(run: PaperRun[PanSizes], changed: ChangedSentences) -> MedicalCase:
    """The keywords of Figure 6; half of the documents are under attack, by the other half the owner fits its defenses.

    The downstream system learns from the shadow corpus' documents.
    """
    sides = read_split(run, "Medical")
    attacked, others = sides.halve(run.seed)
    study = attacked.study(sides.keywords, run.sizes.each, run.sizes.shadow, run.seed)
    held = others.study(sides.keywords, run.sizes.each, 0, run.seed)
    external = read_external(run, read_public_sentences(run), study.keywords, run.sizes.external)
    learned = None
    if DEPARTMENTS.get(sides.targets.name) in sides.targets.attributes:
        drawn = stream(run.seed, "system").permutation(len(sides.shadow))[: run.sizes.strengths.system]
        learned = sides.shadow.take(drawn.tolist())
    return MedicalCase(run, KeywordTexts(study, external), held, learned, changed)
