"""Canaries from end to end: plant made-up secrets before training, ask the trained encoder for them after (R9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path

from vestige.audit.canary_key import CanaryKey, PlantedSecret, read_key
from vestige.audit.canary_ranks import Question, ranks
from vestige.audit.randomness import stream
from vestige.encoders.endpoint.consent import refuse_unasked_sending
from vestige.encoders.load import load_encoder
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.exposure import exposure
from vestige.metrics.mean_exposure import mean_exposure
from vestige.text.canaries import make_canaries, plant
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.patterns import Pattern, load_pattern
from vestige.text.secrets import SecretSpace
from vestige.types import Encoder, Integers, Progress, Score, silent

TIMES = (1, 4, 16, 64)
EACH = 20
CANDIDATES = 50_000
FEWEST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class PlantedCorpus:
    """The texts with the canaries among them, and the key that tells which they are."""

    corpus: Corpus
    key: CanaryKey


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


def plant_canaries(
    texts: Corpus | str | Path,
    pattern: Pattern | str | Path = "pass-phrase",
    *,
    times: Sequence[int] = TIMES,
    each: int = EACH,
    seed: int = 0,
) -> PlantedCorpus:
    """Plant `each` made-up secrets after a pattern so many `times`, every one with an owner of its own.

    The key names as many secrets besides that were never planted.
    """
    corpus = texts if isinstance(texts, Corpus) else load_corpus(texts)
    made_after = pattern if isinstance(pattern, Pattern) else load_pattern(pattern)
    _check(made_after, times, each)
    canaries = make_canaries(made_after, len(times) * each, stream(seed, "canaries"))
    counts = [count for count in sorted(times) for _ in range(each)]
    taken = {canary.secret for canary in canaries}
    drawn = SecretSpace.of(made_after).drawn(2 * len(canaries), stream(seed, "never planted"))
    never = [secret for secret in drawn if secret not in taken]
    secrets = tuple(
        PlantedSecret(canary.prompt, canary.secret, count, other)
        for canary, count, other in zip(canaries, counts, never[: len(canaries)], strict=True)
    )
    planted = plant(corpus, canaries, counts, stream(seed, "places"))
    return PlantedCorpus(planted, CanaryKey(made_after, seed, secrets))


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
    if candidates < FEWEST_CANDIDATES:
        raise InputError(f"{candidates} candidates prove nothing; expected at least {FEWEST_CANDIDATES}")
    asked = load_encoder(encoder) if isinstance(encoder, str) else encoder
    known = key if isinstance(key, CanaryKey) else read_key(Path(key))
    space = SecretSpace.of(known.pattern)
    whole = candidates >= space.size
    beside = space.secrets(range(space.size)) if whole else space.drawn(candidates, stream(seed, "candidates"))
    prompts = [planted.prompt for planted in known.secrets]
    secrets = _kinds(known.secrets)
    question = Question.of(space)
    if not send:
        refuse_unasked_sending(asked, [prompts, [question.told(secret) for secret in beside]])
    found = ranks(asked, question, prompts, secrets, beside, progress=progress)
    scored = len(beside) if whole else len(beside) + 1
    best = exposure(1, scored=scored, space=space.size)
    assert best.bits.baseline is not None
    return CanaryExposure(
        asked.name,
        known.pattern.name,
        space.size,
        scored,
        log2(space.size),
        best.provable,
        best.bits.baseline,
        _by_times(known.secrets, secrets, found, set(beside), space.size, seed),
    )


def _check(pattern: Pattern, times: Sequence[int], each: int) -> None:
    if not pattern.secret:
        raise InputError(f"pattern '{pattern.name}' has no secret field; name the fields to plant: secret = [...]")
    if not times or min(times) < 0 or max(times) < 1 or len(set(times)) < len(times):
        raise InputError(f"times {list(times)}; expected whole numbers of 0 or more, all different, such as 1, 4, 16")
    if each < FEWEST_DOCUMENTS:
        raise InputError(f"{each} canaries of each kind are too few for an interval; expected {FEWEST_DOCUMENTS}")


def _kinds(planted: Sequence[PlantedSecret]) -> list[tuple[str, str, str]]:
    """Per owner: its own secret, that of the next owner whose secret was planted as often, and one never planted."""
    following: dict[str, PlantedSecret] = {}
    for count in {each.times for each in planted}:
        alike = [each for each in planted if each.times == count]
        following.update(zip((each.secret for each in alike), [*alike[1:], alike[0]], strict=True))
    return [(each.secret, following[each.secret].secret, each.never) for each in planted]


def _by_times(
    planted: Sequence[PlantedSecret],
    secrets: Sequence[tuple[str, ...]],
    found: Integers,
    beside: set[str],
    space: int,
    seed: int,
) -> tuple[ExposureByTimes, ...]:
    exposures = [
        [
            exposure(int(rank), scored=len(beside) + (secret not in beside), space=space)
            for rank, secret in zip(ranked, row, strict=True)
        ]
        for ranked, row in zip(found, secrets, strict=True)
    ]
    groups = []
    for times in sorted({each.times for each in planted}):
        alike = [row for each, row in zip(planted, exposures, strict=True) if each.times == times]
        own, others, never = (mean_exposure(kind, stream(seed, "bootstrap")) for kind in zip(*alike, strict=True))
        assert own.baseline is not None
        groups.append(ExposureByTimes(times, own, others, never, own.low > max(never.high, own.baseline)))
    return tuple(groups)
