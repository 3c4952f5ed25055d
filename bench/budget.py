"""The probe `budget`: all budgets, attack and control, on 1,000 complaints that may be queried and 1,000 targets.

Settings are chosen by what is inferred from held-out texts; the peer does that step by fitting every word.
"""

import time
from collections.abc import Iterator

import numpy as np
from sklearn.kernel_ridge import KernelRidge

from bench.harness import compare
from vestige.attacks.surrogate.adaptation import fit_kernel_map, squared_distances
from vestige.attacks.surrogate.queried_pool import QueriedPool, WeighedDocuments, word_targets
from vestige.attacks.surrogate.word_kernel import PENALTY, WHITENINGS, WIDTH, PoolKernel, infer_held_out
from vestige.case.case import Auxiliary
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.probes.budget_attack import BUDGETS, POOL, BudgetAdversary, list_surrogates
from vestige.text.corpora import load_corpus
from vestige.types import Vectors, silent

PRIVATE = "wordllama"
TURNS, HELD = 3, 40


def run() -> Iterator[str]:
    texts = list(dict.fromkeys(load_corpus("complaints").sentences(8, 40).texts))[: 2 * POOL]
    vectors, settings = load_encoder(PRIVATE).encode(texts), Settings()
    targets, pairs = vectors[POOL:], Auxiliary(vectors[:POOL], texts[:POOL], texts[:POOL], "complaints", POOL)
    adversary = BudgetAdversary.build(pairs, [name for name in list_surrogates() if name != PRIVATE], settings)
    assert adversary is not None
    start = time.process_time()
    adversary.guess_by_budget(targets, settings, silent)
    yield f"{len(BUDGETS)} budgets, attack and control: {time.process_time() - start:.1f} s of one core"
    known = query_some(adversary, targets)
    yield str(
        compare(
            f"words of {HELD} held-out texts of {POOL:,}",
            lambda: infer_held_out(known, fit_kernel_map, adversary.pool.vectors[-HELD:]),
            "KernelRidge of scikit-learn",
            lambda: predict_by_peer(known, adversary.pool.vectors[-HELD:]),
            turns=TURNS,
        )
    )


def query_some(adversary: BudgetAdversary, targets: Vectors) -> QueriedPool:
    """The pool without the held-out texts, of which the first 200 are queried."""
    texts, answers = adversary.pool.texts[:-HELD], adversary.pool.vectors[:200]
    pool = WeighedDocuments(adversary.own.encode(texts), adversary.weigher.weigh(texts).weights)
    none = WeighedDocuments(pool.vectors[:0], pool.weights[:0])
    return QueriedPool(targets, pool, np.arange(200), answers, none)


def predict_by_peer(known: QueriedPool, held: Vectors) -> None:
    """The same from the same kernels: one model of all words for each whitening."""
    wanted = word_targets(known.pool.weights).toarray()
    for kernel in PoolKernel.fit_each(known, fit_kernel_map, WHITENINGS):
        near = np.exp(-WIDTH * squared_distances(kernel.places, kernel.places) / kernel.scale)
        model = KernelRidge(alpha=PENALTY, kernel="precomputed").fit(near, wanted)
        model.predict(kernel.near(held))
