"""Aligning two encoders without a pair: the rank of a document's true vector among 1,000 after the mapping.

The surrogate is granite, the private encoder MiniLM. The pool is aligned with 1,600 other documents of the same kind.
"""

from collections.abc import Iterator

import numpy as np

from bench.open_world import DRAWN_FROM, POOL, load_cached, read_texts
from vestige.attacks.surrogate.selection import align_groups, align_procrustes, centred_directions, rotate
from vestige.types import Singles

CORPORA, DRAWS = ("agnews", "newsgroups", "imdb"), 5
PRIVATE, SURROGATE = "minilm", "hf:granite-30m-english"


def run() -> Iterator[str]:
    for name in CORPORA:
        texts = read_texts(name)[:DRAWN_FROM]
        private, own = (load_cached(spec).encode(texts) for spec in (PRIVATE, SURROGATE))
        ranks = np.array([_measure_ranks(private, own, np.random.default_rng(seed)) for seed in range(DRAWS)])
        for label, found in zip(("Procrustes as written", "matched groups", "true pairs"), ranks.T, strict=True):
            yield f"{name}, {label}: median rank {', '.join(f'{rank:.0f}' for rank in found)} of {POOL:,}"


def _measure_ranks(private: Singles, own: Singles, rng: np.random.Generator) -> tuple[float, float, float]:
    order = rng.permutation(len(own))
    pool, truth = centred_directions(own[order[:POOL]]), centred_directions(private[order[:POOL]])
    others = centred_directions(private[order[POOL:]])
    mapped = (
        align_procrustes(pool, others),
        align_groups(pool, others, rng),
        rotate(pool, (pool.T @ truth).astype(np.float64)),
    )
    first, second, third = (_median_rank(centred_directions(each), truth) for each in mapped)
    return first, second, third


def _median_rank(mapped: Singles, truth: Singles) -> float:
    cosines = mapped @ truth.T
    return float(np.median((cosines > np.diag(cosines)[:, None]).sum(axis=1)))
