"""A stranger's library: encoders that anyone can have, and what each makes of unrelated text (P8)."""

from collections.abc import Iterable, Sequence

from vestige.attacks.fingerprint import Fingerprinter
from vestige.case.randomness import stream
from vestige.case.settings import Recipe
from vestige.encoders.endpoint.consent import refuse_unasked_sending
from vestige.encoders.load import load_encoder, ready_made
from vestige.text.named import load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, EncoderGuess, Progress, Vectors, silent

TEXTS = 1000
UNRELATED = ("speeches", "complaints")
SHORTEST, LONGEST = 8, 40


def fingerprint(
    vectors: Vectors, encoders: Iterable[str] = (), *, seed: int = 0, send: bool = False, progress: Progress = silent
) -> EncoderGuess:
    """Which encoder made these vectors, of those that are installed and those that are named besides.

    Those of as many columns are asked, all where there are none. Without leave to `send`, an encoder on another machine
    is asked nothing.
    """
    texts = unrelated(seed)
    library = [load_encoder(name) for name in dict.fromkeys((*ready_made(), *encoders))]
    asked = [encoder for encoder in library if encoder.dimension == vectors.shape[1]] or library
    for encoder in asked if not send else ():
        refuse_unasked_sending(encoder, [texts])
    return studied(asked, texts, seed=seed, progress=progress).infer(vectors)


def unrelated(seed: int, *, audited: str | None = None) -> list[str]:
    """Sentences that every encoder of the library is asked, of the shipped corpora but for the one that is audited.

    Of more than one kind where that can be: what two kinds of text have in common is the encoder.
    """
    corpora = [name for name in UNRELATED if name != audited]
    texts = []
    for name in corpora:
        sentences = load_corpus(name).sentences(SHORTEST, LONGEST)
        rng = stream(seed, f"fingerprint {name}")
        texts += sentences.take(sample_rows(range(len(sentences)), TEXTS // len(corpora), rng)).texts
    return texts


def studied(
    library: Sequence[Encoder],
    texts: Sequence[str],
    *,
    recipe: Recipe = "default",
    seed: int = 0,
    progress: Progress = silent,
) -> Fingerprinter:
    """A fingerprinter that has asked each encoder for the same texts."""
    attack = Fingerprinter(recipe="pan" if recipe == "paper" else "default")
    return attack.fit(library, texts, rng=stream(seed, "attack"), progress=progress)
