"""Two encoders aligned without a pair: at which rank among 1,000 a document's true vector stands once it is carried.

The surrogate is granite, the private encoder MiniLM; the pool is aligned with 1,600 other documents of the same kind.
"""

from collections.abc import Iterator

import numpy as np

from bench.open_world import DRAWN_FROM, POOL, kept, named_texts
from vestige.attacks.surrogate.alignment import directions, matched_groups, padded_procrustes, rotated
from vestige.types import Singles

CORPORA, DRAWS = ("agnews", "newsgroups", "imdb"), 5
PRIVATE, SURROGATE = "minilm", "hf:granite-30m-english"


def run() -> Iterator[str]:
    for name in CORPORA:
        texts = named_texts(name)[:DRAWN_FROM]
        private, own = (kept(spec).encode(texts) for spec in (PRIVATE, SURROGATE))
        ranks = np.array([_ranks(private, own, np.random.default_rng(seed)) for seed in range(DRAWS)])
        for label, found in zip(("Procrustes as written", "matched groups", "true pairs"), ranks.T, strict=True):
            yield f"{name}, {label}: median rank {', '.join(f'{rank:.0f}' for rank in found)} of {POOL:,}"


def _ranks(private: Singles, own: Singles, rng: np.random.Generator) -> tuple[float, float, float]:
    order = rng.permutation(len(own))
    pool, truth = directions(own[order[:POOL]]), directions(private[order[:POOL]])
    others = directions(private[order[POOL:]])
    carried = (
        padded_procrustes(pool, others),
        matched_groups(pool, others, rng),
        rotated(pool, (pool.T @ truth).astype(np.float64)),
    )
    first, second, third = (_rank(directions(each), truth) for each in carried)
    return first, second, third


def _rank(carried: Singles, truth: Singles) -> float:
    cosines = carried @ truth.T
    return float(np.median((cosines > np.diag(cosines)[:, None]).sum(axis=1)))
