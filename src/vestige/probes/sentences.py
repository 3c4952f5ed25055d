"""The probe `sentences`: can a text be written anew by one who may also ask the encoder?"""

from dataclasses import dataclass, replace

import numpy as np

from vestige.attacks.fixed_text import FixedText
from vestige.attacks.guided import GuidedInverter
from vestige.attacks.nearest_text import NearestText
from vestige.case.case import Case, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable
from vestige.case.level import doubts, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.encoders.metered import Metered
from vestige.metrics.text_recovery import text_recovery
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.sentences_evidence import Written, by_queries, examples, how_close
from vestige.text.split import sample_rows
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Score

ATTACK = "guided inversion: edits of one word at a time, ranked by a linear model, tried on the encoder"
QUERIES = 300
MORE = "raise --rewritten, or give more documents"
MEASURES = {
    "rouge_l": "Words written in the right order (ROUGE-L)",
    "rouge_1": "Words written, in any order (ROUGE-1)",
    "bleu": "Phrases of up to four words (BLEU)",
    "f1": "Content words recovered (F1)",
}


@dataclass(frozen=True)
class SentencesProbe:
    """Writes a few texts anew with the encoder in the loop, beside a fixed text and the text of another target."""

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """ROUGE-L, ROUGE-1, BLEU and the F1 of content words."""
        return tuple(MEASURES)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Search, then open the truth and score."""
        rows = sample_rows(range(len(case.targets)), settings.rewritten, stream(settings.seed, self.name))
        missing = case.unasked if case.truth is not None else case.missing["same-domain"]
        if case.truth is not None and missing is None:
            truth = Truth([case.truth.texts[row] for row in rows], [case.truth.documents[row] for row in rows])
            scorer = Scorer(truth.documents, settings.seed)
            if scorer.enough(np.ones(len(rows))):
                knowledge = case.knowledge("same-domain" if "same-domain" in case.auxiliary else "cross-domain")
                return self._finding(replace(knowledge, targets=case.targets[rows]), truth, scorer, settings, progress)
            missing = Missing(f"the {len(rows)} texts drawn lie in too few documents for an interval", MORE)
        assert missing is not None
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self, knowledge: Knowledge, truth: Truth, scorer: Scorer, settings: Settings, progress: Progress
    ) -> Finding:
        written = _written(knowledge, settings, progress)
        attack, prior = written.attack.texts, written.prior.texts
        others = np.roll(attack, len(attack) // 2).tolist()
        values = [_values(texts, truth.texts) for texts in (attack, prior, others)]
        measures = tuple(_measure(name, [each[name] for each in values], scorer) for name in MEASURES)
        leakage = scorer.gain(values[0]["rouge_l"] - values[1]["rouge_l"])
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACK,
            headline="rouge_l",
            level=level_of(leakage),
            summary=_summary(measures[0], leakage, written),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(
                by_queries(written, truth.texts, scorer, float(values[1]["rouge_l"].mean())),
                how_close(written, scorer),
            ),
            examples=examples(truth.texts, attack, values[0]["rouge_l"], settings.show_text),
            adversary=_adversary(knowledge, written),
            warnings=doubts(measures[0]),
        )


def _written(knowledge: Knowledge, settings: Settings, progress: Progress) -> Written:
    """The attack, what the nearest text gives without a query, and the prior; none of them can reach the truth."""
    pairs, targets = knowledge.auxiliary, knowledge.targets
    assert knowledge.encoder is not None
    meter = Metered(knowledge.encoder)
    queries = QUERIES if settings.queries is None else settings.queries
    attack = GuidedInverter(queries=queries).fit(pairs.vectors, pairs.texts, encoder=meter, progress=progress)
    return Written(
        attack.infer(targets, progress=progress),
        NearestText().fit(pairs.vectors, pairs.texts).infer(targets),
        FixedText().fit(pairs.texts, rng=stream(settings.seed, "fixed text")).infer(targets),
        queries,
        len(attack.lexicon_.words),
        meter.spent,
    )


def _values(texts: list[str], truth: list[str]) -> dict[str, Floats]:
    recovery = text_recovery(texts, truth)
    words = word_recovery([content_words(text) for text in texts], [content_words(text) for text in truth])
    return {"rouge_l": recovery.rouge_l, "rouge_1": recovery.rouge_1, "bleu": recovery.bleu, "f1": words.f1}


def _measure(name: str, values: list[Floats], scorer: Scorer) -> Measure:
    baseline = float(values[1].mean())
    return Measure(name, MEASURES[name], *(scorer.score(each, baseline=baseline) for each in values))


def _adversary(knowledge: Knowledge, written: Written) -> Adversary:
    pairs = knowledge.auxiliary
    given = (
        f"{len(knowledge.targets):,} target vectors, without their texts",
        f"{len(pairs.texts):,} pairs of text and vector ({pairs.source})",
        f"the encoder, asked {written.words:,} single words once and then at most {written.queries:,} texts for each "
        "target; no weights and no gradient",
    )
    return Adversary(given, len(pairs.texts), pairs.queries + written.spent)


def _summary(headline: Measure, leakage: Score, written: Written) -> str:
    who = (
        f"A stranger who may ask the encoder {written.words:,} single words and then {written.queries:,} texts "
        "for each vector"
    )
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    done = "writes sentences back" if level_of(leakage) == "severe" else "writes parts of sentences back"
    return (
        f"{who} {done}: they share {headline.attack.value:.0%} of their words with the true ones, in the same order, "
        f"where a fixed text shares {headline.prior.value:.0%} (ROUGE-L)."
    )
