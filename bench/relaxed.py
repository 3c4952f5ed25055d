"""Relaxation of the film case: descent towards the target at the output, or at a lower layer after a learned map.

There are few targets, since every step of a descent runs the encoder. Sparse inversion of the same targets is compared.
"""

import time
from collections.abc import Iterator
from typing import Any

from bench.invert import build_film_case
from vestige.attacks.relaxed import RelaxedInverter
from vestige.attacks.sparse import SparseInverter
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.metrics.intervals import document_mean
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words

PAIRS, TARGETS, PIECES = 5000, 40, 4000


def run() -> Iterator[str]:
    name, case = build_film_case()
    assert case.truth is not None
    box = white_box(load_encoder("minilm"))
    pairs = case.auxiliary["same-domain"].take(range(PAIRS))
    truth, documents = [content_words(text) for text in case.truth.texts[:TARGETS]], case.truth.documents[:TARGETS]
    yield f"relaxation of {name}, {PAIRS:,} pairs, {TARGETS} targets, {PIECES:,} pieces, lengths estimated"
    attacks: dict[str, Any] = {"sparse inversion": SparseInverter(vocabulary_size=PIECES)}
    for layer in (None, 5, 3):
        level = "the output" if layer is None else f"layer {layer}"
        attacks[f"ours, at {level}"] = RelaxedInverter(vocabulary_size=PIECES, layer=layer)
    for label, attack in attacks.items():
        attack.fit(pairs.vectors, pairs.texts, box=box, rng=stream(0, "attack"), documents=pairs.documents)
        start = time.perf_counter()
        sets = attack.infer(case.targets[:TARGETS]).sets
        seconds = (time.perf_counter() - start) / TARGETS
        score = document_mean(word_recovery(sets, truth).f1, documents, stream(0, "bootstrap"))
        yield f"  {label}: F1 {score.value:.3f} ({score.low:.3f} to {score.high:.3f}), {seconds:.2f} s per target"
