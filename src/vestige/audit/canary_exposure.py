"""A trained encoder is asked for the secrets that were planted in its texts (R9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path

from vestige.audit.canary_key import CanaryKey, PlantedSecret, read_key
from vestige.audit.canary_ranks import Question, ranks
from vestige.case.randomness import stream
from vestige.encoders.endpoint.consent import refuse_unasked_sending
from vestige.encoders.load import load_encoder
from vestige.errors import InputError
from vestige.metrics.exposure import Exposure, exposure
from vestige.metrics.mean_exposure import mean_exposure
from vestige.text.secrets import SecretSpace
from vestige.types import Encoder, Progress, Score, silent

CANDIDATES = 50_000
FEWEST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class ExposureByTimes:
    """Mean exposures in bits of secrets planted so many times, all asked for with the same owners.

    `own` is of the secret that stood with the owner, `others` of one that stood as often with another owner, `never`
    of one that was not planted. They are `exposed` where `own` is above both what chance gives and `never`, interval
    and all.
    """

    times: int
    own: Score
    others: Score
    never: Score
    exposed: bool


@dataclass(frozen=True, slots=True)
class CanaryExposure:
    """How far an encoder lifts planted secrets above the rest of their `space`, of which so many were `scored`.

    `baseline` is the mean exposure of a secret that the encoder knows nothing of, `provable` the most that so many
    candidates can prove, `bits` what the whole space has.
    """

    encoder: str
    pattern: str
    space: int
    scored: int
    bits: float
    provable: float
    baseline: float
    by_times: tuple[ExposureByTimes, ...]


def canary_exposure(
    encoder: Encoder | str,
    key: CanaryKey | str | Path,
    *,
    candidates: int = CANDIDATES,
    seed: int = 0,
    send: bool = False,
    progress: Progress = silent,
) -> CanaryExposure:
    """Rank every secret of a key by what the encoder makes of it, among all of its format or a sample of them.

    Without leave to `send`, an encoder on another machine is asked nothing.
    """
    known = key if isinstance(key, CanaryKey) else read_key(Path(key))
    space = SecretSpace.of(known.pattern)
    beside = _candidates(space, candidates, seed)
    asked = load_encoder(encoder) if isinstance(encoder, str) else encoder
    question = Question.of(space)
    prompts = [planted.prompt for planted in known.secrets]
    if not send:
        refuse_unasked_sending(asked, [prompts, [question.told(secret) for secret in beside]])
    secrets = _kinds(known.secrets)
    found = ranks(asked, question, prompts, secrets, beside, progress=progress)
    drawn = set(beside)
    exposures = [
        [
            exposure(rank, scored=len(drawn) + (secret not in drawn), space=space.size)
            for rank, secret in zip(row, told, strict=True)
        ]
        for row, told in zip(found.tolist(), secrets, strict=True)
    ]
    best = exposure(1, scored=min(len(drawn) + 1, space.size), space=space.size)
    return CanaryExposure(
        asked.name,
        known.pattern.name,
        space.size,
        best.bits.n,
        log2(space.size),
        best.provable,
        best.bits.baseline or 0.0,
        _by_times(known.secrets, exposures, seed),
    )


def _candidates(space: SecretSpace, most: int, seed: int) -> list[str]:
    """All secrets of the space, or so many drawn at random; none twice where two are spelled alike."""
    if most < FEWEST_CANDIDATES:
        raise InputError(f"{most} candidates prove nothing; expected at least {FEWEST_CANDIDATES}")
    whole = most >= space.size
    secrets = space.secrets(range(space.size)) if whole else space.drawn(most, stream(seed, "candidates"))
    return list(dict.fromkeys(secrets))


def _kinds(planted: Sequence[PlantedSecret]) -> list[tuple[str, str, str]]:
    """Per owner: its own secret, that of the next owner whose secret was planted as often, and one never planted."""
    following: dict[str, PlantedSecret] = {}
    for count in {each.times for each in planted}:
        alike = [each for each in planted if each.times == count]
        following.update(zip((each.secret for each in alike), [*alike[1:], alike[0]], strict=True))
    return [(each.secret, following[each.secret].secret, each.never) for each in planted]


def _by_times(
    planted: Sequence[PlantedSecret], exposures: Sequence[Sequence[Exposure]], seed: int
) -> tuple[ExposureByTimes, ...]:
    groups = []
    for times in sorted({each.times for each in planted}):
        alike = [row for each, row in zip(planted, exposures, strict=True) if each.times == times]
        own, others, never = (mean_exposure(kind, stream(seed, "bootstrap")) for kind in zip(*alike, strict=True))
        chance = own.baseline or 0.0
        groups.append(ExposureByTimes(times, own, others, never, own.low > max(never.high, chance)))
    return tuple(groups)
