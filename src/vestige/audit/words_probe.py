"""The probe `words`: can the words of a text be read out of its vector?"""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.audit.case import Case, Domain, Knowledge
from vestige.audit.randomness import stream
from vestige.audit.result import Adversary, Finding, Measure, NotApplicable
from vestige.audit.settings import Settings
from vestige.audit.words_evidence import by_frequency, examples, most_readable
from vestige.metrics.bootstrap import document_mean
from vestige.metrics.word_recovery import WordRecovery, rarity, word_recovery
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Inverter, Progress, Score, Vectors, WordGuesses

ATTACK = "multi-label inversion, one linear classifier a word (Song and Raghunathan 2020, Eq. 8)"
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


@dataclass(frozen=True)
class WordsProbe:
    """Reads content words with the multi-label inverter, beside its prior and its control."""

    name: str
    question: str
    domain: Domain

    @property
    def measures(self) -> tuple[str, ...]:
        """Precision, recall and F1, plain and weighted toward rare words."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Attack, then open the truth and score."""
        if self.domain in case.missing or case.truth is None:
            return NotApplicable(self.name, self.question, *case.missing[self.domain])
        guesses = _guesses(case.knowledge(self.domain), settings, progress)
        truth = [content_words(text) for text in case.truth.texts]
        attack, prior, control = (_scored(guess.sets, truth) for guess in guesses)
        scorer = _Scorer(case.truth.documents, settings.seed)
        measures = tuple(
            scorer.measure(name, label, (attack.values[name], prior.values[name], control.values[name]))
            for name, label in MEASURES.items()
        )
        leakage = scorer.score(attack.values["f1"] - prior.values["f1"], baseline=0.0)
        pairs = case.auxiliary[self.domain]
        vocabulary = Vocabulary.build(map(content_words, pairs.texts), settings.vocabulary_size)
        return Finding(
            self.name,
            self.question,
            f"{ATTACK}, {settings.recipe} recipe",
            "f1",
            _summary(self.domain, {measure.name: measure for measure in measures}),
            leakage,
            measures,
            (
                by_frequency(attack.sets, prior.sets, truth, vocabulary, scorer.score),
                most_readable(attack.sets, truth),
            ),
            examples(case.truth.texts, attack.sets, attack.values["f1"], settings.show_text),
            Adversary(_given(self.domain, pairs.source, case), len(pairs.texts), pairs.queries),
            _warnings(measures[0]),
        )


@dataclass(frozen=True)
class _Scorer:
    """Means with intervals over the target documents. Every call draws the same ones, so differences are paired."""

    documents: list[str]
    seed: int

    def score(self, values: Floats, *, weights: Floats | None = None, baseline: float | None = None) -> Score:
        rng = stream(self.seed, "bootstrap")
        return document_mean(values, self.documents, rng, weights=weights, baseline=baseline)

    def measure(self, name: str, label: str, values: tuple[Floats, Floats, Floats]) -> Measure:
        baseline = float(values[1].mean())
        return Measure(name, label, *(self.score(value, baseline=baseline) for value in values))


def _guesses(knowledge: Knowledge, settings: Settings, progress: Progress) -> tuple[WordGuesses, ...]:
    """The attack, the prior and the control, none of which can reach the truth from here."""
    pairs, targets = knowledge.auxiliary, knowledge.targets
    shuffled = stream(settings.seed, "shuffle").permutation(pairs.vectors)

    def inverted(vectors: Vectors) -> WordGuesses:
        attack: Inverter = MultiLabelInverter(recipe=settings.recipe, vocabulary_size=settings.vocabulary_size)
        rng = stream(settings.seed, "attack")
        return attack.fit(vectors, pairs.texts, rng=rng, progress=progress).infer(targets)

    return inverted(pairs.vectors), FixedWords().fit(pairs.texts).infer(targets), inverted(shuffled)


def _scored(sets: Sequence[frozenset[str]], truth: Sequence[frozenset[str]]) -> _Outcome:
    plain, weighted = word_recovery(sets, truth), word_recovery(sets, truth, rarity(truth))

    def named(recovery: WordRecovery, ending: str) -> dict[str, Floats]:
        return {f"{name}{ending}": getattr(recovery, name) for name in ("f1", "precision", "recall")}

    return _Outcome(sets, named(plain, "") | named(weighted, "_weighted"))


def _given(domain: Domain, source: str, case: Case) -> tuple[str, ...]:
    kin = "from the same source, other documents" if domain == "same-domain" else "from elsewhere"
    return (
        f"{len(case.targets):,} target vectors, without their texts",
        f"{len(case.auxiliary[domain].texts):,} pairs of text and vector {kin} ({source})",
        "no weights of the encoder and no gradient",
    )


def _warnings(headline: Measure) -> tuple[str, ...]:
    if headline.control.value > headline.prior.high:
        return (
            "The control, fitted on shuffled pairs, scores above guessing. Something other than the vectors gives the "
            "words away, such as copies on both sides of the split; do not rely on the figures of this probe.",
        )
    return ()


def _summary(domain: Domain, measures: dict[str, Measure]) -> str:
    recall, precision = measures["recall"], measures["precision"]
    who = "similar text" if domain == "same-domain" else "only unrelated text"
    return (
        f"A stranger who has {who} reads {_in_ten(recall.attack.value)} of the meaningful words of a text "
        f"from its vector, and {_in_ten(precision.attack.value)} of the words it claims are right; "
        f"guessing without the vectors reads {_in_ten(recall.prior.value)}."
    )


def _in_ten(share: float) -> str:
    return f"{round(share * 10)} in 10" if share >= 0.05 else f"{round(share * 100)} in 100"
