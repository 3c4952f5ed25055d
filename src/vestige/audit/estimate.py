"""How long a probe will take, and how many queries it will make, before it starts."""

from dataclasses import dataclass

from vestige.case.prepare import CasePlan
from vestige.case.vectors_only import VectorsOnlyPlan
from vestige.encoders.cached import list_uncached
from vestige.probes.probe import Probe

USUAL = 28_000.0
"""Characters per second that MiniLM encodes on two cores without AVX-512."""

FASTEST = 4 * USUAL
"""Vectors that come from a cache say nothing about the speed of the encoder."""


@dataclass(frozen=True, slots=True)
class ProbeEstimate:
    """Seconds, and queries to the encoder, each at most; `cached` more queries are answered from the cache."""

    seconds: float
    queries: int
    cached: int = 0

    def __str__(self) -> str:
        queries = "no queries" if not self.queries else f"at most {self.queries:,} queries"
        cached = f" ({self.cached:,} more are cached)" if self.cached else ""
        return f"about {format_estimate(self.seconds)}, {queries}{cached}"


def measure_speed(characters: int, seconds: float) -> float:
    """Characters per second, from what the case took to encode."""
    return USUAL if not characters or not seconds else min(characters / seconds, FASTEST)


def estimate(probe: Probe, plan: CasePlan | VectorsOnlyPlan, speed: float) -> ProbeEstimate | None:
    """What the probe declares about itself, and its queries at this many characters per second.

    None if it is clear before the start that the probe cannot run. Without texts there is nothing to query.
    """
    if isinstance(plan, VectorsOnlyPlan):
        assert plan.inputs.vectors is not None
        rows, settings = len(plan.inputs.vectors), plan.settings
        pairs, targets = min(rows, settings.pairs), min(rows, settings.targets)
        return None if probe.needs_texts else ProbeEstimate(probe.cost.seconds(pairs, targets), 0)
    if not probe.can_apply(plan):
        return None
    queries = [*probe.estimate_queries(plan)] if plan.no_queries is None else []
    encoder = plan.inputs.encoder
    new = queries if encoder is None else list_uncached(encoder, queries)
    seconds = probe.cost.seconds(len(plan.known), len(plan.targets)) + sum(map(len, new)) / speed
    return ProbeEstimate(seconds, len(new), len(queries) - len(new))


def format_estimate(seconds: float) -> str:
    """Rounded as coarsely as an estimate is precise: 4 s, 40 s, 3 min."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 5) * 5} s" if seconds < 100 else f"{round(seconds / 60)} min"
