"""The probe `fingerprint`: can a stranger tell which encoder made the vectors (P8)?"""

from dataclasses import dataclass

import numpy as np

from vestige.audit.case import Case, Missing
from vestige.audit.library import TEXTS, studied, unrelated
from vestige.audit.randomness import stream
from vestige.audit.result import Adversary, Bar, Chart, Finding, Measure, NotApplicable
from vestige.audit.scorer import Scorer
from vestige.audit.settings import Settings
from vestige.audit.verdict import above, doubts_of_control, level_of, not_told_apart
from vestige.encoders.load import is_public, load_encoder
from vestige.types import EncoderGuess, Floats, Progress, Score

LABEL = "Vectors put down to the right encoder"


@dataclass(frozen=True)
class FingerprintProbe:
    """Compares the vectors with those that well-known encoders give to unrelated text.

    `library` names encoders that every stranger has; the owner's joins them where anyone can have its weights. To know
    the encoder is to know whom to ask, and no part of a text: the level is slight at most.
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
        missing = _missing(case, settings)
        if missing is not None or case.truth is None or case.encoder is None:
            missing = missing or case.missing["same-domain"]
            return NotApplicable(self.name, self.question, missing.reason, missing.remedy)
        library = [*(load_encoder(name) for name in self.library if name != case.encoder.name), case.encoder]
        texts = unrelated(settings.seed, audited=case.subject.corpus)
        attack = studied(library, texts, recipe=settings.recipe, seed=settings.seed, progress=progress)
        columns = stream(settings.seed, self.name).permutation(case.targets.shape[1])
        return self._finding(
            case,
            names=tuple(encoder.name for encoder in library),
            told=attack.infer_each(case.targets),
            control=attack.infer_each(case.targets[:, columns]),
            verdict=attack.infer(case.targets),
            scorer=Scorer(case.truth.documents, settings.seed),
        )

    def _finding(
        self,
        case: Case,
        *,
        names: tuple[str, ...],
        told: list[str | None],
        control: list[str | None],
        verdict: EncoderGuess,
        scorer: Scorer,
    ) -> Finding:
        """What was told of each vector, the right encoder being the last of the `names`."""
        measure = _measure(told, control, names, scorer)
        leakage = above(measure.attack, measure.prior.value)
        return Finding(
            probe=self.name,
            question=self.question,
            attack="statistics of the vectors, then a classifier of encoders (after Pan et al. 2020, Appendix D)",
            headline="accuracy",
            level="slight" if leakage.low > 0 else level_of(leakage),
            summary=_summary(verdict, measure, leakage),
            strip=None,
            leakage=leakage,
            measures=(measure,),
            charts=(_by_encoder(told, (*names, None), verdict, scorer),),
            examples=(),
            adversary=Adversary(
                (
                    f"{len(case.targets):,} target vectors, without their texts",
                    f"{len(names)} encoders of its own ({', '.join(names)}), each asked {TEXTS:,} "
                    "sentences of unrelated text",
                ),
                0,
                TEXTS * len(names),
            ),
            warnings=doubts_of_control(measure),
        )


def _missing(case: Case, settings: Settings) -> Missing | None:
    """Why no stranger can have the encoder, or why nobody could check what it says."""
    name = case.subject.encoder
    if name is None:
        return Missing(
            "no encoder was named, so that a verdict could not be checked",
            "name the encoder that made the vectors with --encoder",
        )
    if not is_public(name) or settings.access != "weights":
        return Missing(
            f"'{name}' is an encoder that only its owner has, so that no stranger can compare with it",
            "if anyone can have its weights, say --access weights" if is_public(name) else "nothing: keep it that way",
        )
    return case.unasked


def _measure(told: list[str | None], control: list[str | None], names: tuple[str, ...], scorer: Scorer) -> Measure:
    """Beside one who guesses among the names and none of them, and beside vectors whose columns were mixed."""
    right, guessing = names[-1], 1 / (len(names) + 1)
    return Measure(
        "accuracy",
        LABEL,
        scorer.score(_is(told, right), baseline=guessing),
        Score(guessing, guessing, guessing, len(told), guessing),
        scorer.score(_is(control, right), baseline=guessing),
    )


def _is(told: list[str | None], name: str | None) -> Floats:
    return np.array([each == name for each in told], dtype=np.float64)


def _by_encoder(told: list[str | None], names: tuple[str | None, ...], verdict: EncoderGuess, scorer: Scorer) -> Chart:
    return Chart(
        "Which encoder the vectors are put down to",
        "The share of the vectors that is put down to each encoder of the stranger's library. "
        + " ".join(verdict.reasons),
        tuple(Bar(name or "none of these", scorer.score(_is(told, name))) for name in names),
    )


def _summary(verdict: EncoderGuess, measure: Measure, leakage: Score) -> str:
    who = "A stranger who compares the vectors with those of well-known encoders"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    named = f"names {verdict.name}" if verdict.name else "names none of them with certainty"
    return (
        f"{who} {named} as their maker, and puts {measure.attack.value:.0%} of single vectors down to the right one: "
        "it knows which encoder to ask."
    )
