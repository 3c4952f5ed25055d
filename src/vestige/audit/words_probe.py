"""The probe `words`: can the words of a text be read out of its vector?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.audit.case import Case, Domain, Knowledge, Truth
from vestige.audit.randomness import stream
from vestige.audit.result import Adversary, Bar, Chart, Example, Finding, Measure, NotApplicable, Token
from vestige.audit.settings import Settings
from vestige.metrics.bootstrap import document_mean
from vestige.metrics.proportion import proportion
from vestige.metrics.word_recovery import WordRecovery, rarity, word_recovery
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, content_words, words
from vestige.types import Floats, Progress, Score, WordGuesses

BANDS = (100, 300, 1000, 3000, 8000)
EXAMPLES = {
    "among the most readable 5%": 0.95,
    "more readable than three in four": 0.75,
    "typical": 0.5,
    "less readable than three in four": 0.25,
}
MEASURES = {
    "f1": "Words recovered (F1)",
    "precision": "Claimed words that are right (precision)",
    "recall": "Words of the text that are read (recall)",
    "f1_weighted": "F1, rare words counting more",
    "precision_weighted": "Precision, rare words counting more",
    "recall_weighted": "Recall, rare words counting more",
}
SHOWN_WORDS = 12
FEWEST_SIGHTINGS = 5


@dataclass(frozen=True)
class _Outcome:
    """What one guesser claimed, and how each text scored under every measure."""

    sets: Sequence[frozenset[str]]
    values: dict[str, Floats]


@dataclass(frozen=True)
class WordsProbe:
    """Reads content words with the multi-label inverter, beside the best fixed set and the same attack on shuffled pairs."""

    name: str
    question: str
    domain: Domain

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
            "multi-label inversion, one linear classifier a word (Song and Raghunathan 2020, Eq. 8)",
            "f1",
            leakage,
            measures,
            (
                _by_frequency(attack, prior, truth, vocabulary, scorer),
                _most_readable(attack, truth),
            ),
            _examples(attack, case.truth, settings.show_text),
            Adversary(_given(self.domain, pairs.source, case), len(pairs.texts), pairs.queries),
            _warnings(measures[0]),
        )


PROBES = (
    WordsProbe("words", "Can a stranger who has similar text read your words?", "same-domain"),
    WordsProbe("words-cross-domain", "Can a stranger who has only unrelated text read your words?", "cross-domain"),
)


@dataclass(frozen=True)
class _Scorer:
    """Means with intervals over the target documents. Every call draws the same documents, so differences are paired."""

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
    shuffled = stream(settings.seed, "shuffle").permutation(len(pairs.texts))

    def inverter(order: Sequence[int] | slice) -> WordGuesses:
        attack = MultiLabelInverter(vocabulary_size=settings.vocabulary_size)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors[order], pairs.texts, rng=rng, progress=progress).infer(targets)

    return inverter(slice(None)), FixedWords().fit(pairs.texts).infer(targets), inverter(shuffled)


def _scored(sets: Sequence[frozenset[str]], truth: Sequence[frozenset[str]]) -> _Outcome:
    plain, weighted = word_recovery(sets, truth), word_recovery(sets, truth, rarity(truth))

    def named(recovery: WordRecovery, ending: str) -> dict[str, Floats]:
        return {f"{name}{ending}": getattr(recovery, name) for name in ("f1", "precision", "recall")}

    return _Outcome(sets, named(plain, "") | named(weighted, "_weighted"))


def _by_frequency(
    attack: _Outcome, prior: _Outcome, truth: Sequence[frozenset[str]], vocabulary: Vocabulary, scorer: _Scorer
) -> Chart:
    """Recall by how common a word is in the adversary's own text; the last bar is of words it has never seen."""
    edges = [edge for edge in BANDS if edge < len(vocabulary)] + [len(vocabulary)]
    band_of = {word: int(np.searchsorted(edges, rank, side="right")) for rank, word in enumerate(vocabulary.words)}
    labels = [f"rank {low + 1:,} to {high:,}" for low, high in zip([0, *edges], edges, strict=False)]
    bars = []
    for band, label in enumerate([*labels, "never seen by the stranger"]):
        members = [{word for word in words if band_of.get(word, len(edges)) == band} for words in truth]
        held = np.array([len(words) for words in members], dtype=np.float64)
        if np.count_nonzero(held) < FEWEST_SIGHTINGS:
            continue
        shares = [
            np.array([len(words & claimed) for words, claimed in zip(members, outcome.sets, strict=True)])
            / np.maximum(held, 1)
            for outcome in (attack, prior)
        ]
        baseline = float((shares[1] * held).sum() / held.sum())
        bars.append(Bar(label, scorer.score(shares[0], weights=held, baseline=baseline)))
    return Chart(
        "Which words are read: frequent or rare?",
        "Share of the words in the target texts that the attack reads, by how frequent a word is in the text the "
        "stranger studied. The mark on each bar is what guessing reads.",
        tuple(bars),
    )


def _most_readable(attack: _Outcome, truth: Sequence[frozenset[str]]) -> Chart:
    """Words by the lower end of their recall's interval, so that a word seen twice does not lead."""
    seen = Counter(word for words in truth for word in words)
    read = Counter(word for words, claimed in zip(truth, attack.sets, strict=True) for word in words & claimed)
    bars = [Bar(word, proportion(read[word], seen[word])) for word in sorted(read) if seen[word] >= FEWEST_SIGHTINGS]
    bars.sort(key=lambda bar: (-bar.score.low, bar.label))
    return Chart(
        "The words that are read most reliably",
        f"Of the target texts that hold the word, the share in which the attack names it; words in at least "
        f"{FEWEST_SIGHTINGS} target texts.",
        tuple(bars[:SHOWN_WORDS]),
    )


def _examples(attack: _Outcome, truth: Truth, show_text: bool) -> tuple[Example, ...]:
    """Texts at fixed places of the ranking by F1, so that nobody picked them."""
    f1 = attack.values["f1"]
    ranking = np.argsort(f1, kind="stable")
    chosen = {label: int(ranking[min(len(f1) - 1, round(share * len(f1)))]) for label, share in EXAMPLES.items()}
    return tuple(
        _example(label, truth.texts[row], attack.sets[row], float(f1[row]), show_text) for label, row in chosen.items()
    )


def _example(label: str, text: str, claimed: frozenset[str], score: float, show_text: bool) -> Example:
    tokens = []
    for word in words(text):
        form = content_form(word)
        state = "other" if form is None else "hit" if form in claimed else "missed"
        tokens.append(Token(state, word if show_text or state == "hit" else None))
    return Example(label, score, tuple(tokens), tuple(sorted(claimed - content_words(text))))


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
