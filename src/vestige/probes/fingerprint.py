"""The probe `fingerprint`: can a stranger tell which encoder made the vectors (P8)?"""

from dataclasses import dataclass

import numpy as np

from vestige.case.case import Case, Missing
from vestige.case.encoder_fingerprint import TEXTS, studied, unrelated
from vestige.case.findings import Adversary, Bar, Chart, Finding, Measure, NotApplicable
from vestige.case.level import above, doubts_of_control, level_of, not_told_apart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.encoders.load import is_public, load_encoder
from vestige.types import Encoder, EncoderGuess, Floats, Progress, Score

LABEL = "Vectors put down to the right encoder"
UNCHECKED = "Vectors put down to the encoder that the others name"
REMEDY = "name the encoder that made the vectors with --encoder"


@dataclass(frozen=True)
class FingerprintProbe:
    """Compares the vectors with those that well-known encoders give to unrelated text.

    `library` names encoders that every stranger has; the owner's joins them where anyone can have its weights. Where no
    encoder was named, one half of the vectors names one, and the other half is held against it. To know the encoder is
    to know whom to ask, and no part of a text: the level is slight at most.
    """

    name: str
    question: str
    library: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The share of vectors that is put down to the right encoder."""
        return ("accuracy",)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Fingerprint the vectors, then look who made them."""
        named = case.subject.encoder is not None
        library = self._library(case, settings)
        if isinstance(library, Missing):
            return self._not(library)
        texts = unrelated(settings.seed, audited=case.subject.corpus)
        attack = studied(library, texts, recipe=settings.recipe, seed=settings.seed, progress=progress)
        judging, judged = (slice(None), slice(None)) if named else (slice(0, None, 2), slice(1, None, 2))
        verdict, names = attack.infer(case.targets[judging]), tuple(encoder.name for encoder in library)
        right, scorer = names[-1] if named else verdict.name, Scorer(case.documents[judged], settings.seed)
        if right is None or not scorer.enough(np.ones(len(scorer.documents))):
            return self._not(_none_named(names) if right is None else TOO_FEW)
        targets, columns = case.targets[judged], stream(settings.seed, self.name).permutation(case.targets.shape[1])
        told, control = attack.infer_each(targets), attack.infer_each(targets[:, columns])
        return self._finding(_Told(names, right, told, control, verdict, named), scorer)

    def _library(self, case: Case, settings: Settings) -> list[Encoder] | Missing:
        """The stranger's encoders, the owner's last; those of as many columns where the owner's was not named."""
        if case.subject.encoder is not None:
            missing = _kept(case.subject.encoder, settings) or case.unasked
            if missing is not None or case.encoder is None:
                return missing or case.missing["same-domain"]
            return [*(load_encoder(name) for name in self.library if name != case.encoder.name), case.encoder]
        columns = case.targets.shape[1]
        alike = [encoder for encoder in map(load_encoder, self.library) if encoder.dimension == columns]
        return alike or Missing(
            f"no encoder was named, and none that is installed gives vectors of {columns:,} dimensions", REMEDY
        )

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(self, told: "_Told", scorer: Scorer) -> Finding:
        measure = _measure(told, scorer)
        leakage = above(measure.attack, measure.prior.value)
        return Finding(
            probe=self.name,
            question=self.question,
            attack="statistics of the vectors, then a classifier of encoders (after Pan et al. 2020, Appendix D)",
            headline="accuracy",
            level="slight" if leakage.low > 0 else level_of(leakage),
            summary=_summary(told, measure, leakage),
            strip=None,
            leakage=leakage,
            measures=(measure,),
            charts=(_by_encoder(told, scorer),),
            examples=(),
            adversary=Adversary(
                (
                    f"{len(told.each):,} target vectors, without their texts",
                    f"{len(told.names)} encoders of its own ({', '.join(told.names)}), each asked {TEXTS:,} "
                    "sentences of unrelated text",
                ),
                0,
                TEXTS * len(told.names),
            ),
            warnings=doubts_of_control(measure),
        )


@dataclass(frozen=True)
class _Told:
    """What was told of each vector, of each with its columns mixed, and of all.

    `right` is the maker where it was `named`, and else whom the others name.
    """

    names: tuple[str, ...]
    right: str
    each: list[str | None]
    mixed: list[str | None]
    verdict: EncoderGuess
    named: bool


TOO_FEW = Missing("the vectors lie in too few documents for an interval", "give more of them")


def _none_named(names: tuple[str, ...]) -> Missing:
    found = f"none of those that are installed ({', '.join(names)}) made the vectors, as far as statistics tell"
    return Missing(f"no encoder was named, and {found}", REMEDY)


def _kept(name: str, settings: Settings) -> Missing | None:
    """Why no stranger can have the encoder."""
    if is_public(name) and settings.access == "weights":
        return None
    return Missing(
        f"'{name}' is an encoder that only its owner has, so that no stranger can compare with it",
        "if anyone can have its weights, say --access weights" if is_public(name) else "nothing: keep it that way",
    )


def _measure(told: _Told, scorer: Scorer) -> Measure:
    """Beside one who guesses among the names and none of them, and beside vectors whose columns were mixed."""
    guessing = 1 / (len(told.names) + 1)
    return Measure(
        "accuracy",
        LABEL if told.named else UNCHECKED,
        scorer.score(_is(told.each, told.right), baseline=guessing),
        Score(guessing, guessing, guessing, len(told.each), guessing),
        scorer.score(_is(told.mixed, told.right), baseline=guessing),
    )


def _is(told: list[str | None], name: str | None) -> Floats:
    return np.array([each == name for each in told], dtype=np.float64)


def _by_encoder(told: _Told, scorer: Scorer) -> Chart:
    return Chart(
        "Which encoder the vectors are put down to",
        "The share of the vectors that is put down to each encoder of the stranger's library. "
        + " ".join(told.verdict.reasons),
        tuple(Bar(name or "none of these", scorer.score(_is(told.each, name))) for name in (*told.names, None)),
    )


def _summary(told: _Told, measure: Measure, leakage: Score) -> str:
    who = "A stranger who compares the vectors with those of well-known encoders"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    named = f"names {told.verdict.name}" if told.verdict.name else "names none of them with certainty"
    rightly = "the right one: it knows which encoder to ask." if told.named else f"it; {REMEDY} to have that checked."
    return f"{who} {named} as their maker, and puts {measure.attack.value:.0%} of single vectors down to {rightly}"
