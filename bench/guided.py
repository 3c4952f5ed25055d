"""Guided inversion: recovery against queries, on 100 targets and 20,000 pairs; also the nearest text and a prior.

Runs on film reviews where VESTIGE_DATA has them, else on the shipped complaints; with speeches as cross-domain text.
"""

import time
from collections.abc import Iterator

import numpy as np

from bench.invert import build_film_case
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.priors import FixedText, NearestText
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.metrics.intervals import document_mean
from vestige.metrics.text_recovery import corpus_bleu, text_recovery
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.sentences_evidence import find_best
from vestige.text.words import content_words
from vestige.types import Floats

TARGETS, QUERIES = 100, 3000
MARKS = (100, 300, 1000, 3000)


def run() -> Iterator[str]:
    name, case = build_film_case()
    assert case.truth is not None
    pairs, rows = case.auxiliary["same-domain"], stream(0, "guided").permutation(len(case.targets))[:TARGETS]
    truth, documents = [case.truth.texts[row] for row in rows], [case.truth.documents[row] for row in rows]
    targets = case.targets[rows]
    nearest = NearestText().fit(pairs.vectors, pairs.texts).infer(targets)
    fixed = FixedText().fit(pairs.texts, rng=stream(0, "fixed text")).infer(targets)
    start = time.perf_counter()
    attack = GuidedInverter(queries=QUERIES)
    attack.fit(pairs.vectors, pairs.texts, encoder=load_encoder("minilm", precision="bf16"))
    fitted = time.perf_counter()
    written = attack.infer(targets)
    done = time.perf_counter()
    spent = np.array([trail[-1].queries for trail in written.trails])
    yield (
        f"guided inversion of {name}, {TARGETS} targets: {(done - fitted) / TARGETS:.1f} s and {spent.mean():.0f} "
        f"queries per text on average, {QUERIES:,} at most; learning took {fitted - start:.1f} s and "
        f"{len(attack.lexicon_.words):,} queries of one word each"
    )
    yield f"  prior without the vectors: {describe_scores(fixed.texts, truth, documents)}"
    similarities = [trail[0].similarity for trail in nearest.trails]
    yield f"  nearest text: {describe_scores(nearest.texts, truth, documents, similarities)}"
    for mark in MARKS:
        best = [find_best(trail, mark) for trail in written.trails]
        scores = describe_scores([trial.text for trial in best], truth, documents, [trial.similarity for trial in best])
        yield f"  {mark:,} queries: {scores}"
    others = np.roll(written.texts, TARGETS // 2).tolist()
    yield f"  control, against the text of another target: {describe_scores(others, truth, documents)}"


def describe_scores(
    texts: list[str], truth: list[str], documents: list[str], cosines: list[float] | None = None
) -> str:
    recovery = text_recovery(texts, truth)
    words = word_recovery([content_words(text) for text in texts], [content_words(text) for text in truth])
    shown = {"ROUGE-L": recovery.rouge_l, "ROUGE-1": recovery.rouge_1, "word F1": words.f1, "BLEU": recovery.bleu}
    if cosines is not None:
        shown["cosine"] = np.array(cosines)
    parts = [f"{label} {_describe_interval(values, documents)}" for label, values in shown.items()]
    return ", ".join([*parts, f"corpus BLEU {corpus_bleu(texts, truth):.3f}, exact {recovery.exact.mean():.2f}"])


def _describe_interval(values: Floats, documents: list[str]) -> str:
    score = document_mean(values, documents, stream(0, "bootstrap"))
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
