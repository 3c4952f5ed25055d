"""The probe `words`: can the words of a text be recovered from its vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import ClassVar, Self

from vestige.attacks.priors import FixedWords
from vestige.case.case import Auxiliary, Case, Domain, Knowledge, Missing
from vestige.case.findings import Adversary, Finding, Measure, Strip
from vestige.case.level import describe_no_gain, find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import FEWEST_PAIRS, Settings
from vestige.engine.threads import run_parallel
from vestige.metrics.near_copies import find_near_copies
from vestige.metrics.word_recovery import rarity, word_recovery
from vestige.probes.inversion_choice import InversionChoice, choose_inversion, describe_sweep_attacks, fit_for_sweep
from vestige.probes.inversions import Inversion, find_unheld, list_word_recipes, warn_unconverged
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.probes.words_evidence import (
    by_attack,
    by_frequency,
    by_length,
    by_pairs,
    examples,
    most_readable,
    without_near_copies,
)
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score, Vectors, WordGuesses, silent

PARTS = (1 / 16, 1 / 4)
MEASURES = {
    "f1": "Words recovered (F1)",
    "precision": "Claimed words that are right (precision)",
    "recall": "Words of the text that are recovered (recall)",
    "f1_weighted": "F1, rare words counting more",
    "precision_weighted": "Precision, rare words counting more",
    "recall_weighted": "Recall, rare words counting more",
}


@dataclass(frozen=True)
class WordsProbe(Probe):
    """Recovers content words with the best attack that the case allows, and scores it with its prior and control."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))
    rank: ClassVar[int] = 1
    cost: ClassVar[Cost] = Cost(3, per_thousand_pairs=2.2)

    name: str
    question: str
    domain: Domain

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (
            cls("words", "Can a stranger who has similar text recover your words?", "same-domain"),
            cls("words-cross-domain", "Can a stranger who has only unrelated text recover your words?", "cross-domain"),
        )

    def list_recipes(self) -> tuple[str, ...]:
        """The published attacks on words."""
        return list_word_recipes()

    def can_apply(self, plan: CasePlan) -> bool:
        """Whether there is text of the domain."""
        return self.domain not in plan.missing

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """The single words of the adversary's own texts."""
        texts = plan.list_texts(self.domain)
        yield from Vocabulary.build(map(content_words, texts), plan.settings.vocabulary_size).words

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """One setup, of all targets."""
        if case.truth is None or self.domain not in case.auxiliary:
            return case.missing[self.domain]
        return [WordsSetup(self.name, case, self.domain, run.settings, effort)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Attack, then compare with the truth."""
        if case.truth is None or self.domain not in case.auxiliary:
            return case.missing[self.domain]
        knowledge, settings = case.knowledge(self.domain), run.settings
        if (unheld := find_unheld(knowledge, settings)) is not None:
            return unheld
        choice = choose_inversion(case, self.domain, run)
        guesses, fewer = _infer_all(choice, knowledge, settings, run.progress)
        truth = [content_words(text) for text in case.truth.texts]
        attack, prior, control = (_score(guess.sets, truth) for guess in guesses)
        scorer = Scorer(case.truth.documents, settings.seed)
        measures = tuple(_measure(name, (attack, prior, control), scorer) for name in MEASURES)
        gains = attack.values["f1"] - prior.values["f1"]
        leakage = scorer.gain(gains)
        pairs = knowledge.auxiliary
        vocabulary = Vocabulary.build(map(content_words, pairs.all_texts), settings.vocabulary_size)
        copied = find_near_copies(truth, [content_words(text) for text in pairs.texts])
        best, tournament = choice.inversion, choice.tournament
        return Finding(
            probe=self.name,
            question=self.question,
            attack=best.description,
            headline="f1",
            level=grade_leakage(leakage),
            summary=_summarize(self.domain, best, {measure.name: measure for measure in measures}, leakage, case),
            strip=Strip("recall", "Of ten meaningful words in a text"),
            leakage=leakage,
            measures=measures,
            charts=(
                by_frequency(attack.sets, prior.sets, truth, vocabulary, scorer),
                most_readable(attack.sets, truth, case.truth.documents),
                *([] if tournament is None else [by_attack(tournament, settings.seed)]),
                by_pairs({**fewer, len(pairs.texts): attack.sets}, truth, measures[0].prior.value, scorer),
                by_length(gains, case.truth.texts, scorer),
                without_near_copies(gains, copied, scorer),
            ),
            examples=examples(case.truth.texts, attack.sets, attack.values["f1"], settings.show_text),
            adversary=Adversary(
                (*_describe_holdings(self.domain, pairs.source, case), best.requirement),
                len(pairs.texts),
                pairs.queries + choice.queries,
            ),
            warnings=(*find_doubts(measures[0]), *warn_unconverged(choice.fitted, guesses[0])),
            per_target=scorer.record_gains(gains, case.truth.texts),
        )


class WordsSetup(Setup):
    """The words of every target, recovered by the best of the attacks that are fast enough for a sweep."""

    measure = MEASURES["f1"]

    def __init__(self, name: str, case: Case, domain: Domain, settings: Settings, effort: Effort) -> None:
        assert case.truth is not None
        self.name = name
        self.domain = domain
        self.settings = settings
        self.effort = effort
        self._truth = [content_words(text) for text in case.truth.texts]
        self._scorer = Scorer(case.truth.documents, settings.seed)
        prior = FixedWords().fit(case.auxiliary[domain].all_texts).infer(case.targets)
        self._prior = self._f1(prior.sets)

    @property
    def attack(self) -> str:  # type: ignore[override]
        """The attacks that are tried."""
        return describe_sweep_attacks(self.effort)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:
        """Fit on all draws alike."""
        return fit_for_sweep(knowledge, self.settings, self.effort, draws, progress).infer

    def score(self, guesses: WordGuesses) -> ProbeScore:
        """F1, text by text."""
        f1, baseline = self._f1(guesses.sets), float(self._prior.mean())
        return ProbeScore(
            self._scorer.score(f1, baseline=baseline),
            self._scorer.score(self._prior, baseline=baseline),
            self._scorer.gain(f1 - self._prior),
        )

    def _f1(self, sets: Sequence[frozenset[str]]) -> Floats:
        return word_recovery(sets, self._truth).f1


@dataclass(frozen=True)
class _Outcome:
    """The words that one attack claims, and the score of each text under every measure."""

    sets: Sequence[frozenset[str]]
    values: dict[str, Floats]
    counted: dict[str, Floats]


def _measure(name: str, outcomes: tuple[_Outcome, _Outcome, _Outcome], scorer: Scorer) -> Measure:
    prior = outcomes[1]
    baseline = scorer.score(prior.values[name], weights=prior.counted[name]).value
    return Measure(
        name,
        MEASURES[name],
        *(scorer.score(each.values[name], weights=each.counted[name], baseline=baseline) for each in outcomes),
    )


def _infer_all(
    choice: InversionChoice, knowledge: Knowledge, settings: Settings, progress: Progress
) -> tuple[tuple[WordGuesses, ...], dict[int, list[frozenset[str]]]]:
    """The guesses of the attack, the prior and the control, and those of adversaries with fewer pairs.

    The truth is out of reach here.
    """
    pairs, targets = knowledge.auxiliary, knowledge.targets
    shuffled = replace(pairs, vectors=_shuffle(pairs.vectors, settings.seed))
    parts = _list_fewer_pairs(pairs, settings)
    held = [*parts.values(), shuffled, pairs]

    def fit(own: Auxiliary) -> WordGuesses:
        fitted = choice.fitted if own is pairs else choice.inversion.fit(own, silent)
        return fitted.infer(targets)

    *fewer, control, attack = run_parallel(fit, held, progress("fitting the attack and its control", len(held)))
    prior = FixedWords().fit(pairs.all_texts).infer(targets)
    sets = {size: guesses.sets for size, guesses in zip(parts, fewer, strict=True)}
    return (attack, prior, control), sets


def _list_fewer_pairs(pairs: Auxiliary, settings: Settings) -> dict[int, Auxiliary]:
    """Parts of the pairs: whole documents, each part contained in the next."""
    place = {
        name: rank for rank, name in enumerate(stream(settings.seed, "fewer").permutation(sorted(set(pairs.documents))))
    }
    rows = sorted(range(len(pairs.texts)), key=lambda row: (place[pairs.documents[row]], row))
    sizes = [size for share in PARTS if (size := int(share * len(rows))) >= FEWEST_PAIRS]
    return {size: pairs.take(sorted(rows[:size])) for size in sizes}


def _shuffle(vectors: Vectors, seed: int) -> Vectors:
    """The same vectors, each paired with the text of another."""
    return stream(seed, "shuffle").permutation(vectors)


def _score(sets: Sequence[frozenset[str]], truth: Sequence[frozenset[str]]) -> _Outcome:
    recoveries = {"": word_recovery(sets, truth), "_weighted": word_recovery(sets, truth, rarity(truth))}
    values, counted = {}, {}
    for ending, recovery in recoveries.items():
        for name in ("f1", "precision", "recall"):
            values[f"{name}{ending}"] = getattr(recovery, name)
            counted[f"{name}{ending}"] = recovery.counted
    return _Outcome(sets, values, counted)


def _describe_holdings(domain: Domain, source: str, case: Case) -> tuple[str, ...]:
    kind = "from other documents of the same source" if domain == "same-domain" else "from cross-domain text"
    further = len(case.auxiliary[domain].further)
    return (
        f"{len(case.targets):,} target vectors, without their texts",
        f"{len(case.auxiliary[domain].texts):,} (text, vector) pairs {kind} ({source})",
        *([f"{further:,} further texts of that kind, without their vectors"] if further else []),
    )


def _summarize(domain: Domain, best: Inversion, measures: dict[str, Measure], leakage: Score, case: Case) -> str:
    recall, precision = measures["recall"], measures["precision"]
    who = ("similar text" if domain == "same-domain" else "only unrelated text") + best.access
    if leakage.low > 0:
        return (
            f"A stranger who has {who} recovers {_of_hundred(recall.attack.value)} of every 100 meaningful words of a "
            f"text from its vector, and {_of_hundred(precision.attack.value)} of every 100 words it claims are right; "
            f"guessing without the vectors recovers {_of_hundred(recall.prior.value)} of 100."
        )
    unchecked = case.subject.vectors is not None and case.subject.encoder is None
    doubt = " If you expected more, check that texts and vectors are in the same order; --encoder checks it."
    return f"{describe_no_gain(f'A stranger who has {who}', leakage)}{doubt if unchecked else ''}"


def _of_hundred(share: float) -> int:
    """Rounded half up, and to all only when it is all."""
    return 100 if share == 1 else min(floor(share * 100 + 0.5), 99)
