"""How far a trained encoder exposes the secrets that were planted in its training texts (Carlini et al. 2019)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import log2
from pathlib import Path

import numpy as np

from vestige.attacks.membership.canary import SecretRanking
from vestige.audit.canaries import CanaryKey, PlantedSecret, read_key
from vestige.case.randomness import stream
from vestige.encoders.endpoint.encoder import refuse_unconfirmed_sending
from vestige.encoders.load import load_encoder
from vestige.errors import InputError
from vestige.metrics.exposure import Exposure, exposure, mean_exposure
from vestige.text.canaries import SecretSpace
from vestige.text.formats import batched_rows
from vestige.types import Encoder, Floats, Integers, Progress, Score, silent

BLOCK = 8192
PLACES = 12


@dataclass(frozen=True, slots=True)
class SecretPrompt:
    """How a secret is queried: how much at the end of a prompt is `hidden`, and the text around a candidate.

    If a sentence ends between the owner and the secret, the query is the text before that end, and candidates are put
    into the rest: an encoder may have learned which sentence follows which. Else the whole prompt is the query.
    """

    hidden: int
    opening: str
    closing: str

    @classmethod
    def fit(cls, space: SecretSpace) -> "SecretPrompt":
        """The prompt that fits the texts of a space."""
        between = space.before.parts[-1][0]
        ends = [match.end() for match in re.finditer(r"[.!?]\s+", between)]
        opening = between[ends[-1] :] if ends else between
        closing = space.after.parts[0][0] if space.after.parts else ""
        return cls(len(opening) if ends else 0, opening, closing)

    def build_query(self, prompt: str) -> str:
        """The part of a prompt that is the query."""
        return prompt[: len(prompt) - self.hidden].strip()

    def build_candidate(self, secret: str) -> str:
        """A candidate within its text."""
        return f"{self.opening}{secret}{self.closing}".strip()


def rank_secrets(
    encoder: Encoder,
    template: SecretPrompt,
    prompts: Sequence[str],
    secrets: Sequence[Sequence[str]],
    candidates: Sequence[str],
    *,
    progress: Progress = silent,
) -> Integers:
    """The rank of each secret among the candidates: one row per prompt, one column per secret.

    Scores are compared to twelve places, below which equal candidates may differ by rounding.
    """
    queries = [template.build_query(prompt) for prompt in prompts]
    ranks = np.ones((len(prompts), len(secrets[0])), np.int64)
    advance = progress("ranking candidates", len(candidates))
    for block in batched_rows(candidates, BLOCK):
        known = list(dict.fromkeys(chain(chain.from_iterable(secrets), block)))
        place = {secret: column for column, secret in enumerate(known)}
        scores = _score(encoder, [template.build_candidate(secret) for secret in known], queries)
        own = np.array([[place[secret] for secret in row] for row in secrets])
        columns = np.array([place[candidate] for candidate in block])
        for kind, at in enumerate(own.T[:, :, None]):
            above = scores[:, columns] >= np.take_along_axis(scores, at, axis=1)
            ranks[:, kind] += (above & (columns != at)).sum(axis=1)
        advance(len(block))
    return ranks


def _score(encoder: Encoder, candidates: Sequence[str], queries: Sequence[str]) -> Floats:
    ranking = SecretRanking().fit(candidates, encoder=encoder, references=queries)
    return np.round(ranking.infer(queries).scores, PLACES)


CANDIDATES = 50_000
FEWEST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class ExposureByTimes:
    """Mean exposures in bits of secrets that were planted so many times, all queried with the same owners.

    `own` is that of the owner's secret, `others` of a secret that was planted as often with another owner, `never` of
    one that was not planted. Secrets are `exposed` if the interval of `own` is above both chance and `never`.
    """

    times: int
    own: Score
    others: Score
    never: Score
    exposed: bool


@dataclass(frozen=True, slots=True)
class CanaryExposure:
    """How far an encoder ranks planted secrets above the rest of their `space`, of which `scored` were ranked.

    `baseline` is the mean exposure of a secret that the encoder never saw, `provable` the most that so many candidates
    can prove, `bits` the size of the whole space.
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
    """Rank every secret of a key by the encoder's similarity, among all secrets of its format or a sample of them.

    An encoder on another machine is queried only with `send`.
    """
    known = key if isinstance(key, CanaryKey) else read_key(Path(key))
    space = SecretSpace.build(known.pattern)
    drawn = _draw_candidates(space, candidates, seed)
    loaded = load_encoder(encoder) if isinstance(encoder, str) else encoder
    template = SecretPrompt.fit(space)
    prompts = [planted.prompt for planted in known.secrets]
    if not send:
        refuse_unconfirmed_sending(loaded, [prompts, [template.build_candidate(secret) for secret in drawn]])
    secrets = _group_secrets(known.secrets)
    ranks = rank_secrets(loaded, template, prompts, secrets, drawn, progress=progress)
    scored = set(drawn)
    exposures = [
        [
            exposure(rank, scored=len(scored) + (secret not in scored), space=space.size)
            for rank, secret in zip(row, own, strict=True)
        ]
        for row, own in zip(ranks.tolist(), secrets, strict=True)
    ]
    best = exposure(1, scored=min(len(scored) + 1, space.size), space=space.size)
    return CanaryExposure(
        loaded.name,
        known.pattern.name,
        space.size,
        best.bits.n,
        log2(space.size),
        best.provable,
        best.bits.baseline or 0.0,
        _by_times(known.secrets, exposures, seed),
    )


def _draw_candidates(space: SecretSpace, most: int, seed: int) -> list[str]:
    """All secrets of the space, or at most `most` drawn at random, without duplicates."""
    if most < FEWEST_CANDIDATES:
        raise InputError(f"{most} candidates prove nothing; expected at least {FEWEST_CANDIDATES}")
    whole = most >= space.size
    secrets = space.decode(range(space.size)) if whole else space.draw(most, stream(seed, "candidates"))
    return list(dict.fromkeys(secrets))


def _group_secrets(planted: Sequence[PlantedSecret]) -> list[tuple[str, str, str]]:
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
