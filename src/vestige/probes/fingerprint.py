"""The probe `fingerprint`: can an adversary identify the encoder that made the vectors?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from vestige.case.case import Case, Knowledge, Missing
from vestige.case.encoder_fingerprint import TEXTS, draw_unrelated, fit_fingerprinter
from vestige.case.findings import Adversary, Bar, Chart, Finding, Measure
from vestige.case.level import describe_no_gain, find_control_doubts, gain_over, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Recipe, Settings
from vestige.encoders.load import is_public, list_public_encoders, load_encoder, may_have_columns
from vestige.encoders.memoized import Memoized
from vestige.probes.probe import Cost, Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards, number_texts
from vestige.types import Encoder, EncoderGuess, Floats, Progress, Score, Vectors

ATTACKS: dict[Recipe, str] = {
    "default": "statistics of the vectors, then a classifier of encoders (after Pan et al. 2020, Appendix D)",
    "paper": "a network of 200 units that classifies encoders, paper recipe (Pan et al. 2020, Appendix D)",
}
MEASURES = {"accuracy": "Vectors attributed to the right encoder"}
UNCHECKED = "Vectors attributed to the encoder that the others identify"
FORCED = "a network that names an encoder for any vector, also for the control"
REMEDY = "name the encoder that made the vectors with --encoder"


@dataclass(frozen=True)
class FingerprintProbe(Probe):
    """Compares the vectors with those that well-known encoders give to unrelated text.

    `library` names encoders that every adversary has; the owner's is added if its weights are public. If no encoder was
    named, one half of the vectors identifies one, and the other half is compared with it. Knowing the encoder reveals
    what to query, and nothing about a text: the level is slight at most. The published network has no answer for an
    unknown encoder, so that a control above guessing among all encoders casts no doubt on it.
    """

    measures: ClassVar[dict[str, str]] = MEASURES
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.001",))
    rank: ClassVar[int] = 10
    cost: ClassVar[Cost] = Cost(3)
    needs_texts: ClassVar[bool] = False

    name: str
    question: str
    library: tuple[str, ...]

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        question = "Can a stranger identify the encoder that made the vectors?"
        return (cls("fingerprint", question, list_public_encoders()),)

    def list_recipes(self) -> tuple[str, ...]:
        """The published attack on this question."""
        return ("pan-fingerprint",)

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """As many as the unrelated sentences, if an adversary may have the owner's encoder."""
        return number_texts(plan.known.texts, TEXTS if self._may_query(plan) else 0, "unrelated")

    def list_known_queries(self, plan: CasePlan) -> Sequence[str]:
        """The unrelated sentences."""
        seed, audited = plan.settings.seed, plan.inputs.corpus_name
        return draw_unrelated(seed, audited=audited) if self._may_query(plan) else ()

    def _may_query(self, plan: CasePlan) -> bool:
        """Whether the owner's encoder is public; one on another machine is not, so that none is compared with it."""
        encoder = plan.inputs.encoder
        return encoder is not None and _describe_private(encoder.name, plan.settings) is None

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:  # noqa: ARG002
        """One setup, where the owner's encoder is known and public."""
        library = self._library(case, run.settings)
        if isinstance(library, Missing):
            return library
        if case.subject.encoder is None:
            return Missing("the encoder that made the vectors was not named", REMEDY)
        return [FingerprintSetup(library[:-1], case, run.settings)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Fingerprint the vectors, then compare with the true encoder."""
        settings, named = run.settings, case.subject.encoder is not None
        library = self._library(case, settings)
        if isinstance(library, Missing):
            return library
        texts = draw_unrelated(settings.seed, audited=case.subject.corpus)
        alike = _list_alike(library, case.targets.shape[1])
        attack = fit_fingerprinter(alike, texts, recipe=settings.recipe_kind, seed=settings.seed, progress=run.progress)
        judging, judged = (slice(None), slice(None)) if named else (slice(0, None, 2), slice(1, None, 2))
        verdict, names = attack.infer(case.targets[judging]), tuple(encoder.name for encoder in library)
        right, scorer = names[-1] if named else verdict.name, Scorer(case.documents[judged], settings.seed)
        if right is None or not scorer.enough(np.ones(len(scorer.documents))):
            return _describe_none_named(names) if right is None else TOO_FEW
        targets, columns = case.targets[judged], stream(settings.seed, self.name).permutation(case.targets.shape[1])
        guesses, control = attack.infer_each(targets), attack.infer_each(targets[:, columns])
        found = _Identified(names, len(alike), right, guesses, control, verdict, named)
        finding = self._finding(found, scorer, ATTACKS[settings.recipe_kind])
        return replace(finding, warnings=()) if settings.recipe_kind == "paper" else finding

    def _library(self, case: Case, settings: Settings) -> list[Encoder] | Missing:
        """The adversary's encoders, the owner's last; if that was not named, those with the columns of the vectors."""
        if case.subject.encoder is not None:
            missing = _describe_private(case.subject.encoder, settings) or case.no_queries
            if missing is not None or case.encoder is None:
                return missing or case.missing["same-domain"]
            return [*(load_encoder(name) for name in self.library if name != case.encoder.name), case.encoder]
        columns = case.targets.shape[1]
        alike = _list_alike([load_encoder(name) for name in self.library if may_have_columns(name, columns)], columns)
        return alike or Missing(
            f"no encoder was named, and none that is installed gives vectors of {columns:,} dimensions", REMEDY
        )

    def _finding(self, identified: "_Identified", scorer: Scorer, attack: str) -> Finding:
        measure = _measure(identified, scorer)
        leakage = gain_over(measure.attack, measure.prior.value)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=attack,
            headline="accuracy",
            level="slight" if leakage.low > 0 else grade_leakage(leakage),
            summary=_summarize(identified, measure, leakage),
            strip=None,
            leakage=leakage,
            measures=(measure,),
            charts=(_by_encoder(identified, scorer),),
            examples=(),
            adversary=Adversary(
                (
                    f"{len(identified.each):,} target vectors, without their texts",
                    f"{len(identified.names)} encoders of its own ({', '.join(identified.names)}); those with as many "
                    f"columns are queried with {TEXTS:,} sentences of unrelated text each",
                    *((FORCED,) if attack == ATTACKS["paper"] else ()),
                ),
                0,
                TEXTS * identified.queried,
            ),
            warnings=find_control_doubts(measure),
        )


class FingerprintSetup(Setup):
    """Each target, attributed to one of the adversary's encoders; one who knows the defense applies it too."""

    name = "fingerprint"
    measure = MEASURES["accuracy"]

    def __init__(self, library: Sequence[Encoder], case: Case, settings: Settings) -> None:
        self.library = [Memoized(encoder) for encoder in library]
        self.settings = settings
        self.attack = ATTACKS[settings.recipe_kind]
        self._texts = draw_unrelated(settings.seed, audited=case.subject.corpus)
        self._scorer = Scorer(case.documents, settings.seed)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Query the owner's encoder, defended where it is, as one more member of the library."""
        assert knowledge.encoder is not None
        owner = knowledge.encoder
        library = _list_alike([*self.library, owner], owner.dimension)
        settings = self.settings
        attack = fit_fingerprinter(
            library, self._texts, recipe=settings.recipe_kind, seed=settings.seed, progress=progress
        )
        return lambda vectors: _equal(attack.infer_each(vectors), owner.name)

    def score(self, guesses: Floats) -> ProbeScore:
        """The share of vectors that are attributed to the owner's encoder; guessing includes none of the library."""
        chance = 1 / (len(self.library) + 2)
        accuracy = self._scorer.score(guesses, baseline=chance)
        return ProbeScore(accuracy, Score(chance, chance, chance, accuracy.n, chance), gain_over(accuracy, chance))

    def score_control(self, fitted: Fitted, targets: Vectors, guesses: Any) -> ProbeScore:  # noqa: ARG002
        """The same attack on vectors whose columns are permuted."""
        columns = stream(self.settings.seed, self.name).permutation(targets.shape[1])
        return self.score(fitted(targets[:, columns]))


def _list_alike(library: Sequence[Encoder], columns: int) -> list[Encoder]:
    """The encoders that give vectors of so many columns: no other can have made them, so no other is queried."""
    return [encoder for encoder in library if encoder.dimension == columns]


@dataclass(frozen=True)
class _Identified:
    """The encoder inferred for each vector, for each with its columns permuted, and for all together.

    `right` is the true encoder if it was `named`, and otherwise the one that the other half of the vectors identifies.
    `queried` is how many of the encoders have the columns of the vectors.
    """

    names: tuple[str, ...]
    queried: int
    right: str
    each: list[str | None]
    permuted: list[str | None]
    verdict: EncoderGuess
    named: bool


TOO_FEW = Missing("the vectors are from too few documents for an interval", "give more documents")


def _describe_none_named(names: tuple[str, ...]) -> Missing:
    reason = f"none of those that are installed ({', '.join(names)}) seems to have made the vectors"
    return Missing(f"no encoder was named, and {reason}", REMEDY)


def _describe_private(name: str, settings: Settings) -> Missing | None:
    """Why no adversary has the encoder; None if one may."""
    if is_public(name) and settings.access == "weights":
        return None
    return Missing(
        f"'{name}' is an encoder that only its owner has, so no attacker can compare with it",
        "if its weights are public, say so with --access weights" if is_public(name) else "nothing: keep it private",
    )


def _measure(identified: _Identified, scorer: Scorer) -> Measure:
    """The prior guesses among the encoders and "none of these"; the control has vectors with permuted columns."""
    guessing = 1 / (len(identified.names) + 1)
    return Measure(
        "accuracy",
        MEASURES["accuracy"] if identified.named else UNCHECKED,
        scorer.score(_equal(identified.each, identified.right), baseline=guessing),
        Score(guessing, guessing, guessing, len(identified.each), guessing),
        scorer.score(_equal(identified.permuted, identified.right), baseline=guessing),
    )


def _equal(guesses: list[str | None], name: str | None) -> Floats:
    return np.array([each == name for each in guesses], dtype=np.float64)


def _by_encoder(identified: _Identified, scorer: Scorer) -> Chart:
    return Chart(
        "Which encoder the vectors are attributed to",
        "The share of the vectors that is attributed to each encoder of the attacker's library. "
        + " ".join(identified.verdict.reasons),
        tuple(
            Bar(name or "none of these", scorer.score(_equal(identified.each, name)))
            for name in (*identified.names, None)
        ),
    )


def _summarize(identified: _Identified, measure: Measure, leakage: Score) -> str:
    who = "A stranger who compares the vectors with those of well-known encoders"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    named = f"names {identified.verdict.name}" if identified.verdict.name else "names none of them with certainty"
    rightly = "the right one: it knows which encoder to query." if identified.named else f"it; {REMEDY} to check that."
    return f"{who} {named} as their encoder, and attributes {measure.attack.value:.0%} of single vectors to {rightly}"
