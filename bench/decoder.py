"""Sequence decoding as Pan et al. describe it, and from left to right: does it fail, and is it training or decoding?

Each decoder is trained twice, on pairs and on shuffled pairs. If the loss is the same, the decoder ignores the vector.
"""

from collections.abc import Iterator

import numpy as np

from bench.invert import build_film_case
from vestige.attacks.decoder import DecoderInverter
from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.metrics.text_recovery import text_recovery
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words

PAIRS, TARGETS = 3000, 300


def run() -> Iterator[str]:
    name, case = build_film_case()
    assert case.truth is not None
    pairs = case.auxiliary["same-domain"]
    truth, documents = case.truth.texts[:TARGETS], case.truth.documents[:TARGETS]
    yield f"sequence decoding of {name}, {PAIRS:,} pairs, {TARGETS} targets"
    shuffled = stream(0, "shuffle").permutation(pairs.vectors[:PAIRS])
    for recipe in ("pan", "default"):
        for label, vectors in {"": pairs.vectors[:PAIRS], ", shuffled pairs": shuffled}.items():
            attack = DecoderInverter(recipe="pan" if recipe == "pan" else "default")
            attack.fit(vectors, pairs.texts[:PAIRS], rng=stream(0, "attack"), documents=pairs.documents[:PAIRS])
            texts = attack.infer(case.targets[:TARGETS]).texts
            words = word_recovery([content_words(text) for text in texts], [content_words(text) for text in truth])
            scores = {"F1": words.f1, "ROUGE-L": text_recovery(texts, truth).rouge_l}
            shown = [document_mean(values, documents, stream(0, "bootstrap")) for values in scores.values()]
            figures = ", ".join(
                f"{measure} {score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
                for measure, score in zip(scores, shown, strict=True)
            )
            different = len({word for text in texts for word in text.split()})
            yield (
                f"  {recipe}{label}: loss per token {attack.losses_[0]:.2f} at first, {attack.losses_[-1]:.2f} at the "
                f"end; {figures}; {different:,} different words, {np.mean([not text for text in texts]):.2f} empty"
            )
