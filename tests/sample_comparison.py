"""Made-up comparisons of two audits, small but with everything that a page may contain."""

from dataclasses import replace

import numpy as np

from tests.sample_result import CROSS_DOMAIN, HOSTILE, LONG_WORD, finding, result
from vestige.audit.compare import compare
from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.case.findings import Finding, TargetScores


def scored(probe: str, gain: float, *, digest: str = "d" * 32, seed: int = 0) -> Finding:
    """A finding with the gains of 200 targets in 100 documents; equal seeds share what is easy and hard."""
    shared = np.random.default_rng(7).normal(0, 0.2, 200)
    gains = gain + shared - shared.mean() + np.random.default_rng(seed).normal(0, 0.02, 200)
    per_target = TargetScores(digest, tuple(place // 2 for place in range(200)), tuple(gains.tolist()))
    return replace(finding(probe=probe, leakage=gain), per_target=per_target)


def base_result() -> AuditResult:
    warned = replace(scored("names", 0.2), warnings=("The control scores above guessing.",))
    found = (scored("words", 0.40), scored("keywords", 0.30), warned, scored("membership", 0.1))
    return result(*found, not_run=(CROSS_DOMAIN,))


def new_result() -> AuditResult:
    """Words are worse, keywords are better, membership scored other targets, names has a warning in the other run."""
    found = (
        scored("words", 0.45, seed=1),
        scored("keywords", 0.20, seed=2),
        scored("names", 0.2, seed=3),
        scored("membership", 0.101, digest="e" * 32),
    )
    return result(*found, finding(probe="words-cross-domain"))


def compared() -> Comparison:
    return compare(base_result(), new_result(), fail_on=("worse", "words>+0.10"))


def hostile_comparison() -> Comparison:
    """Names so long or so hostile that a page could break."""
    new = replace(new_result(), settings=replace(new_result().settings, keywords=(HOSTILE, LONG_WORD)))
    return compare(base_result(), new, names=(HOSTILE, LONG_WORD), fail_on=("worse",))
