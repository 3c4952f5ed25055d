"""The probe `sentences`: can an adversary who may query the encoder reconstruct a text?"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Self

import numpy as np

from vestige.attacks.guided.inverter import LEXICON, GuidedInverter
from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.priors import FixedText, NearestText
from vestige.case.case import Case, Domain, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure
from vestige.case.inverter import open_inverter
from vestige.case.level import describe_no_gain, find_doubts, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.encoders.metered import Metered
from vestige.encoders.one_at_a_time import OneAtATime, can_share
from vestige.engine.threads import one_core_each
from vestige.metrics.text_recovery import text_recovery
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards
from vestige.probes.sentences_evidence import ReconstructedTexts, by_queries, examples, how_close, what_matters
from vestige.probes.words_evidence import by_length
from vestige.text.split import sample_rows
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score, TextGuesses, Vectors

ATTACK = "guided inversion: changes of a text, ranked by a linear model and by bigrams, tested on the encoder"
LEARNED = "guided inversion: texts written and edited by a trained network and by a linear model, tested on the encoder"
DECODER = "a network that was trained before to write the text behind a vector"
QUERIES = 200
SWEEP_QUERIES: dict[Effort, int] = {"full": 100, "screen": 30}
"""Queries per text for every defense of a sweep."""
MORE = "raise --rewritten, or give more documents"
MEASURES = {
    "rouge_l": "Words reconstructed in the right order (ROUGE-L)",
    "rouge_1": "Words reconstructed in any order (ROUGE-1)",
    "bleu": "Phrases of up to four words (BLEU)",
    "f1": "Content words recovered (F1)",
}


@dataclass(frozen=True)
class SentencesProbe(Probe):
    """Reconstructs a few texts with the encoder in the loop; compared with a fixed text and with mismatched targets."""

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))
    rank: ClassVar[int] = 6
    cost: ClassVar[Cost] = Cost(3, per_thousand_pairs=0.4)

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        return (cls("sentences", "Can a stranger who may query the encoder reconstruct your sentences?"),)

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """The trial texts of every target, and the single words of the adversary's own texts."""
        for text in plan.targets.texts[: plan.settings.rewritten]:
            yield from (
                f"{text} {number}"
                for number in range(QUERIES if plan.settings.queries is None else plan.settings.queries)
            )
        domains: tuple[Domain, ...] = ("same-domain", "cross-domain")
        for texts in filter(None, map(plan.list_texts, domains)):
            yield from Lexicon.build(texts, LEXICON).words

    def list_known_queries(self, plan: CasePlan) -> Sequence[str]:
        """The single words of the adversary's own texts."""
        return Lexicon.build(plan.list_texts(plan.closest_domain), LEXICON).words

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """One setup, of the texts that are drawn."""
        rows = self._select(case, run.settings)
        if isinstance(rows, Missing):
            return rows
        assert case.truth is not None
        return [SentencesSetup(case.knowledge(case.closest_domain), case.truth, rows, run.settings, effort)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Search, then compare with the truth."""
        rows = self._select(case, run.settings)
        if isinstance(rows, Missing):
            return rows
        assert case.truth is not None
        knowledge = replace(case.knowledge(case.closest_domain), targets=case.targets[rows])
        truth = Truth([case.truth.texts[row] for row in rows], [case.truth.documents[row] for row in rows])
        return self._finding(knowledge, truth, Scorer(truth.documents, run.settings.seed), run.settings, run.progress)

    def _select(self, case: Case, settings: Settings) -> list[int] | Missing:
        """The rows of the targets that are reconstructed."""
        if case.truth is None:
            return case.missing["same-domain"]
        if case.no_queries is not None:
            return case.no_queries
        rows = sample_rows(range(len(case.targets)), settings.rewritten, stream(settings.seed, self.name))
        scorer = Scorer([case.truth.documents[row] for row in rows], settings.seed)
        if scorer.enough(np.ones(len(rows))):
            return rows
        return Missing(f"the {len(rows)} texts drawn are from too few documents for an interval", MORE)

    def _finding(
        self, knowledge: Knowledge, truth: Truth, scorer: Scorer, settings: Settings, progress: Progress
    ) -> Finding:
        written = _reconstruct(knowledge, settings, progress)
        attack, prior = written.attack.texts, written.prior.texts
        others = np.roll(attack, len(attack) // 2).tolist()
        values = [_score(texts, truth.texts) for texts in (attack, prior, others)]
        measures = tuple(_measure(name, [each[name] for each in values], scorer) for name in MEASURES)
        gains = values[0]["rouge_l"] - values[1]["rouge_l"]
        leakage = scorer.gain(gains)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=LEARNED if written.decoded else ATTACK,
            headline="rouge_l",
            level=grade_leakage(leakage),
            summary=_summarize(measures[0], leakage, written),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_queries(written, truth.texts, scorer, float(values[1]["rouge_l"].mean())),
                how_close(written, scorer),
                by_length(gains, truth.texts, scorer, MEASURES["rouge_l"].lower()),
                what_matters(attack, truth.texts, scorer),
            ),
            examples=examples(truth.texts, attack, values[0]["rouge_l"], settings.show_text),
            adversary=_describe_adversary(knowledge, written),
            warnings=find_doubts(measures[0]),
            per_target=scorer.record_gains(gains, truth.texts),
        )


class SentencesSetup(Setup):
    """A few texts, reconstructed with fewer queries than in an audit, since the search runs for every defense."""

    name = "sentences"
    measure = MEASURES["rouge_l"]
    attack = ATTACK

    def __init__(self, knowledge: Knowledge, truth: Truth, rows: list[int], settings: Settings, effort: Effort) -> None:
        self.queries = min(SWEEP_QUERIES[effort], QUERIES if settings.queries is None else settings.queries)
        self._rows = rows
        self._truth = [truth.texts[row] for row in rows]
        self._scorer = Scorer([truth.documents[row] for row in rows], settings.seed)
        fixed = FixedText().fit(knowledge.auxiliary.all_texts, rng=stream(settings.seed, "fixed text"))
        self._prior = text_recovery(fixed.infer(knowledge.targets[rows]).texts, self._truth).rouge_l

    def select_targets(self, case: Case) -> Vectors:
        """The targets that were drawn."""
        return case.targets[self._rows]

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Query single words; the search itself runs when targets are given."""
        assert knowledge.encoder is not None
        pairs = knowledge.auxiliary
        attack = GuidedInverter(queries=self.queries)
        return attack.fit(
            pairs.vectors, pairs.texts, encoder=knowledge.encoder, further_texts=pairs.further, progress=progress
        ).infer

    def score_control(self, fitted: Fitted, targets: Vectors, guesses: Any) -> ProbeScore:  # noqa: ARG002
        """The reconstructed texts, each compared with another target: no second search."""
        return self.score(TextGuesses(np.roll(guesses.texts, len(guesses.texts) // 2).tolist()))

    def score(self, guesses: TextGuesses) -> ProbeScore:
        """ROUGE-L, text by text."""
        rouge, baseline = text_recovery(guesses.texts, self._truth).rouge_l, float(self._prior.mean())
        return ProbeScore(
            self._scorer.score(rouge, baseline=baseline),
            self._scorer.score(self._prior, baseline=baseline),
            self._scorer.gain(rouge - self._prior),
        )


def _reconstruct(knowledge: Knowledge, settings: Settings, progress: Progress) -> ReconstructedTexts:
    """The attack, the nearest text without any query, and the prior; the truth is out of reach here."""
    pairs, targets = knowledge.auxiliary, knowledge.targets
    assert knowledge.encoder is not None
    meter = Metered(knowledge.encoder)
    queries = QUERIES if settings.queries is None else settings.queries
    decoder = None
    if settings.inverter is not None:
        decoder = open_inverter(Path(settings.inverter), knowledge.encoder, pairs.vectors, pairs.texts, progress)
    attack = GuidedInverter(queries=queries).fit(
        *(pairs.vectors, pairs.texts),
        encoder=OneAtATime(meter),
        further_texts=pairs.further,
        decoder=decoder,
        progress=progress,
    )
    parts = 2 if decoder is None and can_share(knowledge.encoder) else 1
    return ReconstructedTexts(
        search_in_parts(attack, targets, parts, progress),
        NearestText().fit(pairs.vectors, pairs.texts).infer(targets),
        FixedText().fit(pairs.all_texts, rng=stream(settings.seed, "fixed text")).infer(targets),
        queries,
        len(attack.lexicon_.words),
        meter.spent,
        decoder is not None,
    )


def search_in_parts(attack: GuidedInverter, targets: Vectors, parts: int, progress: Progress) -> TextGuesses:
    """Search for the texts of each part in a thread: while one waits for the encoder, another ranks its edits.

    Searches are independent, so the texts are the same with any number of parts. The attack has a `OneAtATime`.
    """
    encoder = attack.encoder_
    assert isinstance(encoder, OneAtATime)
    advance, lock = progress("searching for the texts", len(targets) * attack.queries), Lock()

    def advance_alone(steps: int) -> None:
        with lock:
            advance(steps)

    def search(part: Vectors) -> TextGuesses:
        return attack.infer(part, progress=lambda _task, _total: advance_alone)

    with one_core_each(), ThreadPoolExecutor(parts) as pool:
        try:
            found = list(pool.map(search, np.array_split(targets, parts)))
        except BaseException:
            encoder.stop()  # A stopped run does not wait for the searches.
            raise
    return TextGuesses(
        [text for part in found for text in part.texts], [trail for part in found for trail in part.trails]
    )


def _score(texts: list[str], truth: list[str]) -> dict[str, Floats]:
    recovery = text_recovery(texts, truth)
    words = word_recovery([content_words(text) for text in texts], [content_words(text) for text in truth])
    return {"rouge_l": recovery.rouge_l, "rouge_1": recovery.rouge_1, "bleu": recovery.bleu, "f1": words.f1}


def _measure(name: str, values: list[Floats], scorer: Scorer) -> Measure:
    baseline = float(values[1].mean())
    return Measure(name, MEASURES[name], *(scorer.score(each, baseline=baseline) for each in values))


def _describe_adversary(knowledge: Knowledge, written: ReconstructedTexts) -> Adversary:
    pairs = knowledge.auxiliary
    given = (
        f"{len(knowledge.targets):,} target vectors, without their texts",
        f"{len(pairs.texts):,} (text, vector) pairs ({pairs.source})",
        f"the encoder, queried with {written.words:,} single words once and then with at most {written.queries:,} "
        "texts per target; no weights and no gradient",
        *([DECODER] if written.decoded else []),
    )
    return Adversary(given, len(pairs.texts), pairs.queries + written.spent)


def _summarize(headline: Measure, leakage: Score, written: ReconstructedTexts) -> str:
    who = (
        f"A stranger who may query the encoder with {written.words:,} single words and then {written.queries:,} texts "
        "per vector"
    )
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    done = "reconstructs sentences" if grade_leakage(leakage) == "severe" else "reconstructs parts of sentences"
    return (
        f"{who} {done}: they share {headline.attack.value:.0%} of their words with the true ones, in the same order, "
        f"where a fixed text shares {headline.prior.value:.0%} (ROUGE-L)."
    )
