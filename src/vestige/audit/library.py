"""A stranger's library: encoders that anyone can have, and what each makes of unrelated text (P8)."""

from collections.abc import Iterable

from vestige.attacks.fingerprint import Fingerprinter
from vestige.audit.randomness import stream
from vestige.encoders.load import load_encoder, ready_made
from vestige.text.named import load_corpus
from vestige.text.split import sample_rows
from vestige.types import EncoderGuess, Progress, Vectors, silent

TEXTS = 1000
UNRELATED = "speeches"
SHORTEST, LONGEST = 8, 40


def fingerprint(
    vectors: Vectors, encoders: Iterable[str] = (), *, seed: int = 0, progress: Progress = silent
) -> EncoderGuess:
    """Which encoder made these vectors, of those that are installed and those that are named besides."""
    return studied((*ready_made(), *encoders), seed=seed, progress=progress).infer(vectors)


def studied(
    encoders: Iterable[str], *, corpus: str = UNRELATED, seed: int = 0, progress: Progress = silent
) -> Fingerprinter:
    """A fingerprinter that has asked each encoder for the same sentences of a shipped corpus."""
    rng = stream(seed, "fingerprint")
    sentences = load_corpus(corpus).sentences(SHORTEST, LONGEST)
    texts = sentences.take(sample_rows(range(len(sentences)), TEXTS, rng)).texts
    library = [load_encoder(name) for name in dict.fromkeys(encoders)]
    return Fingerprinter().fit(library, texts, rng=rng, progress=progress)
