"""The probe `words`: can the words of a text be read out of its vector?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor

from vestige.attacks.fixed_words import FixedWords
from vestige.case.case import Case, Domain, Knowledge
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable, Strip
from vestige.case.level import doubts, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import FEWEST_PAIRS, Settings
from vestige.metrics.similarity import near_copies
from vestige.metrics.word_recovery import rarity, word_recovery
from vestige.probes.inversions import Chosen, Inversion, best_inversion
from vestige.probes.words_evidence import (
    by_attack,
    by_frequency,
    by_pairs,
    examples,
    most_readable,
    without_near_copies,
)
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score, Vectors, WordGuesses

PARTS = (1 / 16, 1 / 4)
MEASURES = {
    "f1": "Words recovered (F1)",
    "precision": "Claimed words that are right (precision)",
    "recall": "Words of the text that are read (recall)",
    "f1_weighted": "F1, rare words counting more",
    "precision_weighted": "Precision, rare words counting more",
    "recall_weighted": "Recall, rare words counting more",
}


@dataclass(frozen=True)
class _Outcome:
    """What one guesser claimed, and how each text scored under every measure."""

    sets: Sequence[frozenset[str]]
    values: dict[str, Floats]
    counted: dict[str, Floats]


@dataclass(frozen=True)
class WordsProbe:
    """Reads content words with the best inversion that the case allows, beside its prior and its control."""

    name: str
    question: str
    domain: Domain

    @property
    def measures(self) -> tuple[str, ...]:
        """Precision, recall and F1, plain and weighted toward rare words."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack, then open the truth and score."""
        if case.truth is None or self.domain not in case.auxiliary:
            missing = case.missing[self.domain]
            return NotApplicable(self.name, self.question, missing.reason, missing.remedy)
        knowledge = case.knowledge(self.domain)
        chosen = best_inversion(case, self.domain, settings, progress)
        best, played = chosen.inversion, chosen.played
        guesses = _guesses(chosen, knowledge, settings, progress)
        fewer = _with_fewer_pairs(best, knowledge, settings, progress)
        truth = [content_words(text) for text in case.truth.texts]
        attack, prior, control = (_scored(guess.sets, truth) for guess in guesses)
        scorer = Scorer(case.truth.documents, settings.seed)
        measures = tuple(_measure(name, (attack, prior, control), scorer) for name in MEASURES)
        gains = attack.values["f1"] - prior.values["f1"]
        leakage = scorer.gain(gains)
        pairs = knowledge.auxiliary
        vocabulary = Vocabulary.build(map(content_words, pairs.texts), settings.vocabulary_size)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=best.description,
            headline="f1",
            level=level_of(leakage),
            summary=_summary(self.domain, best, {measure.name: measure for measure in measures}, leakage, case),
            strip=Strip("recall", "Of ten meaningful words in a text"),
            leakage=leakage,
            measures=measures,
            charts=(
                by_frequency(attack.sets, prior.sets, truth, vocabulary, scorer),
                most_readable(attack.sets, truth, case.truth.documents),
                *([] if played is None else [by_attack(played, settings.seed)]),
                by_pairs({**fewer, len(pairs.texts): attack.sets}, truth, measures[0].prior.value, scorer),
                without_near_copies(gains, near_copies(truth, [content_words(text) for text in pairs.texts]), scorer),
            ),
            examples=examples(case.truth.texts, attack.sets, attack.values["f1"], settings.show_text),
            adversary=Adversary(
                (*_given(self.domain, pairs.source, case), best.takes),
                len(pairs.texts),
                pairs.queries + chosen.asked,
            ),
            warnings=doubts(measures[0]),
        )


def _measure(name: str, outcomes: tuple[_Outcome, _Outcome, _Outcome], scorer: Scorer) -> Measure:
    prior = outcomes[1]
    baseline = scorer.score(prior.values[name], weights=prior.counted[name]).value
    return Measure(
        name,
        MEASURES[name],
        *(scorer.score(each.values[name], weights=each.counted[name], baseline=baseline) for each in outcomes),
    )


def _guesses(chosen: Chosen, knowledge: Knowledge, settings: Settings, progress: Progress) -> tuple[WordGuesses, ...]:
    """The attack, the prior and the control, none of which can reach the truth from here."""
    pairs, targets = knowledge.auxiliary, knowledge.targets
    shuffled = replace(pairs, vectors=_shuffled(pairs.vectors, settings.seed))
    return (
        chosen.reader.infer(targets),
        FixedWords().fit(pairs.texts).infer(targets),
        chosen.inversion.fit(shuffled, progress).infer(targets),
    )


def _with_fewer_pairs(
    inversion: Inversion, knowledge: Knowledge, settings: Settings, progress: Progress
) -> dict[int, Sequence[frozenset[str]]]:
    """The attack of a stranger with a part of the pairs, whole documents at a time, each part within the next."""
    pairs = knowledge.auxiliary
    place = {
        name: rank for rank, name in enumerate(stream(settings.seed, "fewer").permutation(sorted(set(pairs.documents))))
    }
    rows = sorted(range(len(pairs.texts)), key=lambda row: (place[pairs.documents[row]], row))
    sizes = [size for share in PARTS if (size := int(share * len(rows))) >= FEWEST_PAIRS]
    return {
        size: inversion.fit(pairs.take(sorted(rows[:size])), progress).infer(knowledge.targets).sets for size in sizes
    }


def _shuffled(vectors: Vectors, seed: int) -> Vectors:
    """The same vectors, each beside the text of another."""
    return stream(seed, "shuffle").permutation(vectors)


def _scored(sets: Sequence[frozenset[str]], truth: Sequence[frozenset[str]]) -> _Outcome:
    recoveries = {"": word_recovery(sets, truth), "_weighted": word_recovery(sets, truth, rarity(truth))}
    values, counted = {}, {}
    for ending, recovery in recoveries.items():
        for name in ("f1", "precision", "recall"):
            values[f"{name}{ending}"] = getattr(recovery, name)
            counted[f"{name}{ending}"] = recovery.counted
    return _Outcome(sets, values, counted)


def _given(domain: Domain, source: str, case: Case) -> tuple[str, ...]:
    kin = "from the same source, other documents" if domain == "same-domain" else "from elsewhere"
    return (
        f"{len(case.targets):,} target vectors, without their texts",
        f"{len(case.auxiliary[domain].texts):,} pairs of text and vector {kin} ({source})",
    )


def _summary(domain: Domain, best: Inversion, measures: dict[str, Measure], leakage: Score, case: Case) -> str:
    recall, precision = measures["recall"], measures["precision"]
    who = ("similar text" if domain == "same-domain" else "only unrelated text") + best.access
    if leakage.low > 0:
        return (
            f"A stranger who has {who} reads {_of_hundred(recall.attack.value)} of every 100 meaningful words of a "
            f"text from its vector, and {_of_hundred(precision.attack.value)} of every 100 words it claims are right; "
            f"guessing without the vectors reads {_of_hundred(recall.prior.value)} of 100."
        )
    unchecked = case.subject.vectors is not None and case.subject.encoder is None
    doubt = " If you expected more, check that texts and vectors are in the same order; --encoder checks it."
    return f"{not_told_apart(f'A stranger who has {who}', leakage)}{doubt if unchecked else ''}"


def _of_hundred(share: float) -> int:
    """Rounded half up, and to all only when it is all."""
    return 100 if share == 1 else min(floor(share * 100 + 0.5), 99)
