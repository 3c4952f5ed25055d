"""Fingerprinting: encoders named right, and one left out called unknown, on texts of other domains.

Learns as `vestige fingerprint` does, from the shipped corpora; is tried on nine others, for which it needs
VESTIGE_DATA. VESTIGE_ENCODERS may name more encoders, by their specs with spaces between, and VESTIGE_CORPORA files of
more texts.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vestige.attacks.fingerprint import Fingerprinter
from vestige.case.encoder_fingerprint import unrelated
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.proportion import proportion
from vestige.text.named import is_present, load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, Vectors

CACHE = Path("vestige-audit/bench")
Change = Callable[[Vectors], Vectors]
Targets = dict[str, dict[str, Vectors]]
SPECS = (
    "minilm wordllama use glove-6b hashing:256@speeches hashing:384@speeches hashing:512@speeches "
    "lsa:tfidf:384@speeches"
)
TRIED_ON = ("imdb", "agnews", "newsgroups", "wikitext", "lounge_reviews", "subj", "mpqa", "trec", "pubmed")
EACH, DRAWS, SIZE = 400, 10, 100


def run() -> Iterator[str]:
    encoders = candidates()
    texts = unrelated(0)
    tried = [name for name in TRIED_ON if is_present(name)] + os.environ.get("VESTIGE_CORPORA", "").split()
    yield f"learned from {len(texts)} sentences; tried on {DRAWS} sets of {SIZE} of each of {', '.join(tried)}"
    targets = {encoder.name: {name: encoder.encode(sentences(name)) for name in tried} for encoder in encoders}
    for recipe in ("default", "pan"):
        attack = Fingerprinter(recipe="pan" if recipe == "pan" else "default")
        attack.fit(encoders, texts, rng=stream(0, "attack"))
        for form, change in FORMS.items():
            yield f"{recipe}, {form}: {known(attack, targets, change)}"
    for left in encoders:
        alike = [each for each in encoders if each is not left and each.dimension == left.dimension]
        if alike:
            attack = Fingerprinter().fit(alike, texts, rng=stream(0, "attack"))
            found = unknown(attack, targets[left.name])
            yield f"{left.name} left out, {len(alike)} of {left.dimension} columns known: {found}"


def unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


FORMS: dict[str, Change] = {
    "as they are": lambda vectors: vectors,
    "at length 1": unit,
    "times 3": lambda vectors: 3 * vectors,
    "in float16": lambda vectors: vectors.astype(np.float16),
}


def candidates() -> list[Encoder]:
    specs = (SPECS + " " + os.environ.get("VESTIGE_ENCODERS", "")).split()
    return [CachedEncoder(load_encoder(spec), CACHE) for spec in specs]


def sentences(name: str) -> list[str]:
    corpus = load_corpus(name)
    corpus = corpus.take(sample_rows(range(len(corpus)), 2 * EACH, stream(0, name))).sentences(4, 40)
    return corpus.take(sample_rows(range(len(corpus)), EACH, stream(0, f"{name} sentences"))).texts


def sets(vectors: Vectors) -> Iterator[Vectors]:
    rng = stream(0, "sets")
    return (vectors[rng.choice(len(vectors), SIZE, replace=False)] for _ in range(DRAWS))


def known(attack: Fingerprinter, targets: Targets, change: Change) -> str:
    """Right and falsely unknown verdicts, of sets and of single vectors, and the encoders that were missed."""
    sure: dict[str, list[str | None]] = {}
    each: dict[str, list[str | None]] = {}
    for name, domains in targets.items():
        sure[name] = [attack.infer(change(drawn)).name for vectors in domains.values() for drawn in sets(vectors)]
        each[name] = [guess for vectors in domains.values() for guess in attack.infer_each(change(vectors[:SIZE]))]
    missed = {name: sum(guess != name for guess in found) for name, found in sure.items()}
    listed = ", ".join(f"{name} {count} of {len(sure[name])}" for name, count in missed.items() if count)
    return f"sets of {SIZE}: {_shares(sure)}; single vectors: {_shares(each)}; sets missed: {listed or 'none'}"


def unknown(attack: Fingerprinter, targets: dict[str, Vectors]) -> str:
    """The share of sets, and of vectors, that are called unknown."""
    sure = [attack.infer(drawn).name for vectors in targets.values() for drawn in sets(vectors)]
    each = [guess for vectors in targets.values() for guess in attack.infer_each(vectors[:SIZE])]
    return f"unknown {_share([guess is None for guess in sure])}, single vectors {_share([g is None for g in each])}"


def _shares(found: dict[str, list[str | None]]) -> str:
    right = [guess == name for name, guesses in found.items() for guess in guesses]
    lost = [guess is None for guesses in found.values() for guess in guesses]
    return f"right {_share(right)}, called unknown {_share(lost)}"


def _share(hits: Sequence[bool]) -> str:
    score = proportion(sum(hits), len(hits))
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n})"
