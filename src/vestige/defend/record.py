"""The record of a sweep: all that a page about defenses reads. Keys in JSON that differ from names are declared."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from vestige.case.codec import key, round_fields
from vestige.case.display import build_frame, find_by_name, render_fragment
from vestige.case.findings import Subject
from vestige.case.settings import Settings
from vestige.types import Score

SCHEMA = 1
UNDEFENDED = "none"

Status = Literal["reference", "chosen", "holds", "misses", "dropped", "tried"]


@dataclass(frozen=True, slots=True)
class ProbeLeakage:
    """The leakage of one probe on defended vectors: gains over guessing, as in an audit.

    `adaptive` is that of an adversary who knows the defense and learned from defended vectors, `naive` that of one who
    learned from undefended ones, and `control` that of the adaptive one on mismatched vectors. `adaptive` is the
    difference of `attack` and `prior`.
    """

    probe: str = field(metadata=key("question"))
    adaptive: Score
    naive: Score | None
    control: Score
    attack: Score
    prior: Score

    @property
    def most(self) -> Score:
        """Leakage under the stronger adversary; an adaptive one can always fall back to the naive attack.

        Both ends of the interval are the higher of the two, so that a limit holds only if it holds against both.
        """
        if self.naive is None:
            return self.adaptive
        low, high = max(self.adaptive.low, self.naive.low), max(self.adaptive.high, self.naive.high)
        return replace(max(self.adaptive, self.naive, key=lambda score: score.value), low=low, high=high)


@dataclass(frozen=True, slots=True)
class UtilityScore:
    """One utility of defended vectors."""

    measure: str
    score: Score


@dataclass(frozen=True, slots=True)
class DefenseTrial:
    """One defense at one strength, as judged in the last round that it reached.

    The adversary held `pairs` texts, the vector of each in `draws` draws, and queried `queries` defended vectors in
    total. `hides` names the labels that the defense was fitted to hide. `not_naive` says why no naive attack could
    run. A defense is `obscure` if it stops only the naive adversary. `reason` says why a trial was dropped.
    """

    defense: str
    hides: str | None
    dimension: int
    round: int = field(metadata=key("rung"))
    pairs: int
    targets: int
    draws: int
    queries: int
    privacy: tuple[ProbeLeakage, ...]
    utility: tuple[UtilityScore, ...]
    not_naive: str | None
    obscure: bool
    status: Status = field(metadata=key("fate"))
    reason: str
    frontier: bool

    @property
    def leakage(self) -> dict[str, Score]:
        """The leakage under the stronger adversary, by probe."""
        return {leakage.probe: leakage.most for leakage in self.privacy}

    @property
    def scores(self) -> dict[str, Score]:
        """Every score that a limit can be set on."""
        return self.leakage | {utility.measure: utility.score for utility in self.utility}


@dataclass(frozen=True, slots=True)
class NotTried:
    """A defense that could not be tried, why, and what would help."""

    defense: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Round:
    """The size of one round, and how many defenses were judged and dropped in it."""

    pairs: int
    targets: int
    judged: int
    dropped: int


@dataclass(frozen=True, slots=True)
class SweepAttack:
    """A probe, its measure, the attack that it fitted, and the first round with that attack."""

    probe: str = field(metadata=key("question"))
    measure: str
    attack: str
    round: int = field(metadata=key("rung"))


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do about one need: what to hide, from whom, within which limits.

    `defense` is the most useful one that holds, "none" if none is needed, and None if nothing that was measured holds.
    `leakage` and `utility` are its scores. `commands` apply it; capitals stand for what only the owner knows.
    """

    need: str
    adversary: str
    limits: str
    defense: str | None
    undefended: Score | None
    leakage: Score | None
    utility: Score | None
    guarantee: str
    advice: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class DefendResult:
    """The result of a sweep, and what is required to repeat it. `result["rounding:2"]` is the trial of that defense.

    `chosen` is "none" if the undefended vectors meet all limits, and None if nothing does. The measure `cost` decides
    which defense is cheapest; the frontier shows it against the leakage of `probe`. `not_asked` says which probes could
    not judge.
    """

    schema: int
    version: str
    headline: str
    sentences: tuple[str, ...]
    chosen: str | None
    limits: tuple[str, ...]
    cost: str
    probe: str = field(metadata=key("question"))
    attacks: tuple[SweepAttack, ...]
    rounds: tuple[Round, ...] = field(metadata=key("rungs"))
    trials: tuple[DefenseTrial, ...]
    not_tried: tuple[NotTried, ...]
    not_asked: tuple[str, ...]
    subject: Subject
    settings: Settings
    defenses: tuple[str, ...]
    task: str | None
    draws: int
    halving: bool
    recommendations: tuple[Recommendation, ...] = ()

    def __post_init__(self) -> None:
        """Hold the numbers as they are written."""
        round_fields(self)

    def __getitem__(self, defense: str) -> DefenseTrial:
        """The trial of a defense by its name; a KeyError says why there is none."""
        skipped = next((f"was not tried: {each.reason}" for each in self.not_tried if each.defense == defense), "")
        return find_by_name(defense, {trial.defense: trial for trial in self.trials}, "defense of this sweep", skipped)

    def __contains__(self, defense: object) -> bool:
        return any(trial.defense == defense for trial in self.trials)

    def __iter__(self) -> Iterator[DefenseTrial]:
        return iter(self.trials)

    def to_frame(self) -> Any:
        """A pandas data frame with one row per defense and score: leakage under the stronger attacker, and utility."""
        return build_frame(
            {
                "defense": trial.defense,
                "status": trial.status,
                "frontier": trial.frontier,
                "kind": "leakage" if name in trial.leakage else "utility",
                "measure": name,
                "value": score.value,
                "low": score.low,
                "high": score.high,
                "n": score.n,
            }
            for trial in self.trials
            for name, score in trial.scores.items()
        )

    def __repr__(self) -> str:
        lines = [f"DefendResult: {self.headline}"]
        for name, *values, status in self._rows():
            scores = ", ".join(map(" ".join, zip(self._measures, values, strict=True)))
            lines.append(f"  {name}: {status}, {scores}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = ("defense", *self._measures, "status")
        return render_fragment(self.headline, self.sentences, heads, self._rows())

    @property
    def _measures(self) -> tuple[str, ...]:
        return tuple(self.trials[0].scores) if self.trials else ()

    def _rows(self) -> list[tuple[str, ...]]:
        """The trials that were not dropped."""
        return [
            (trial.defense, *(f"{score.value:.3f}" for score in trial.scores.values()), trial.status)
            for trial in self.trials
            if trial.status != "dropped"
        ]
