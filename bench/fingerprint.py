"""Fingerprinting on texts of other domains: known encoders identified, and a removed one called unknown.

The attack learns from the shipped corpora, as `vestige fingerprint` does. It is tested on nine others, which
VESTIGE_DATA must hold. VESTIGE_ENCODERS may list the specs of more encoders, separated by spaces, and VESTIGE_CORPORA
more files of texts.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.case.encoder_fingerprint import draw_unrelated
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.intervals import proportion
from vestige.text.corpora import is_available, load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, Vectors

CACHE = Path("vestige-audit/bench")
Change = Callable[[Vectors], Vectors]
Targets = dict[str, dict[str, Vectors]]
SPECS = (
    "minilm wordllama use glove-6b hashing:256@speeches hashing:384@speeches hashing:512@speeches "
    "lsa:tfidf:384@speeches"
)
TESTED_ON = ("imdb", "agnews", "newsgroups", "wikitext", "lounge_reviews", "subj", "mpqa", "trec", "pubmed")
EACH, DRAWS, SIZE = 400, 10, 100


def run() -> Iterator[str]:
    encoders = load_candidates()
    texts = draw_unrelated(0)
    tested = [name for name in TESTED_ON if is_available(name)] + os.environ.get("VESTIGE_CORPORA", "").split()
    yield f"learned from {len(texts)} sentences; tested on {DRAWS} sets of {SIZE} of each of {', '.join(tested)}"
    targets = {encoder.name: {name: encoder.encode(read_sentences(name)) for name in tested} for encoder in encoders}
    for recipe in ("default", "pan"):
        attack = Fingerprinter(recipe="pan" if recipe == "pan" else "default")
        attack.fit(encoders, texts, rng=stream(0, "attack"))
        for form, change in FORMS.items():
            yield f"{recipe}, {form}: {score_known(attack, targets, change)}"
    for removed in encoders:
        alike = [each for each in encoders if each is not removed and each.dimension == removed.dimension]
        if alike:
            attack = Fingerprinter().fit(alike, texts, rng=stream(0, "attack"))
            found = score_unknown(attack, targets[removed.name])
            yield f"{removed.name} removed, {len(alike)} others of {removed.dimension} columns known: {found}"


def normalize(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


FORMS: dict[str, Change] = {
    "unchanged": lambda vectors: vectors,
    "unit length": normalize,
    "times 3": lambda vectors: 3 * vectors,
    "in float16": lambda vectors: vectors.astype(np.float16),
}


def load_candidates() -> list[Encoder]:
    specs = (SPECS + " " + os.environ.get("VESTIGE_ENCODERS", "")).split()
    return [CachedEncoder(load_encoder(spec), CACHE) for spec in specs]


def read_sentences(name: str) -> list[str]:
    corpus = load_corpus(name)
    corpus = corpus.take(sample_rows(range(len(corpus)), 2 * EACH, stream(0, name))).sentences(4, 40)
    return corpus.take(sample_rows(range(len(corpus)), EACH, stream(0, f"{name} sentences"))).texts


def draw_sets(vectors: Vectors) -> Iterator[Vectors]:
    rng = stream(0, "sets")
    return (vectors[rng.choice(len(vectors), SIZE, replace=False)] for _ in range(DRAWS))


def score_known(attack: Fingerprinter, targets: Targets, change: Change) -> str:
    """Right and falsely unknown verdicts, of sets and of single vectors, and the encoders that were missed."""
    sure: dict[str, list[str | None]] = {}
    each: dict[str, list[str | None]] = {}
    for name, domains in targets.items():
        sure[name] = [attack.infer(change(drawn)).name for vectors in domains.values() for drawn in draw_sets(vectors)]
        each[name] = [guess for vectors in domains.values() for guess in attack.infer_each(change(vectors[:SIZE]))]
    missed = {name: sum(guess != name for guess in found) for name, found in sure.items()}
    listed = ", ".join(f"{name} {count} of {len(sure[name])}" for name, count in missed.items() if count)
    shares = f"sets of {SIZE}: {_describe_shares(sure)}; single vectors: {_describe_shares(each)}"
    return f"{shares}; sets missed: {listed or 'none'}"


def score_unknown(attack: Fingerprinter, targets: dict[str, Vectors]) -> str:
    """The share of sets, and of vectors, that are called unknown."""
    sure = [attack.infer(drawn).name for vectors in targets.values() for drawn in draw_sets(vectors)]
    each = [guess for vectors in targets.values() for guess in attack.infer_each(vectors[:SIZE])]
    of_sets, of_vectors = (_describe_share([guess is None for guess in guesses]) for guesses in (sure, each))
    return f"unknown {of_sets}, single vectors {of_vectors}"


def _describe_shares(found: dict[str, list[str | None]]) -> str:
    right = [guess == name for name, guesses in found.items() for guess in guesses]
    lost = [guess is None for guesses in found.values() for guess in guesses]
    return f"right {_describe_share(right)}, called unknown {_describe_share(lost)}"


def _describe_share(hits: Sequence[bool]) -> str:
    score = proportion(sum(hits), len(hits))
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n})"
