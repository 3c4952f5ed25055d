"""Made-up secrets are planted in texts before an encoder is trained on them (R9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vestige.audit.canary_key import CanaryKey, PlantedSecret
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.canaries import make_canaries, plant
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.patterns import Pattern, load_pattern
from vestige.text.secrets import SecretSpace

TIMES = (1, 4, 16, 64)
EACH = 20


@dataclass(frozen=True, slots=True)
class PlantedCorpus:
    """The texts with the canaries among them, and the key that tells which they are."""

    corpus: Corpus
    key: CanaryKey


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
    space = SecretSpace.of(made_after)
    if space.size < 2 * len(canaries):
        raise InputError(
            f"pattern '{made_after.name}' has {space.size:,} secrets; {len(canaries):,} to plant and as many never "
            "planted need more; plant fewer with --each or --times"
        )
    drawn = space.drawn(2 * len(canaries), stream(seed, "never planted"))
    never = [secret for secret in drawn if secret not in taken]
    secrets = tuple(
        PlantedSecret(canary.prompt, canary.secret, count, other)
        for canary, count, other in zip(canaries, counts, never[: len(canaries)], strict=True)
    )
    planted = plant(corpus, canaries, counts, stream(seed, "places"))
    return PlantedCorpus(planted, CanaryKey(made_after, seed, secrets))


def _check(pattern: Pattern, times: Sequence[int], each: int) -> None:
    if not pattern.secret:
        raise InputError(f"pattern '{pattern.name}' has no secret field; name the fields to plant: secret = [...]")
    if not times or min(times) < 0 or max(times) < 1 or len(set(times)) < len(times):
        raise InputError(f"times {list(times)}; expected whole numbers of 0 or more, all different, such as 1, 4, 16")
    if each < FEWEST_DOCUMENTS:
        raise InputError(f"{each} canaries of each kind are too few for an interval; expected {FEWEST_DOCUMENTS}")
