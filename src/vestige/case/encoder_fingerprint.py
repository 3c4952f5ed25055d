"""Identify the encoder of vectors, by comparison with public encoders on unrelated text."""

from collections.abc import Collection, Iterable, Sequence

from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.attacks.fingerprint.verdict import reject_columns
from vestige.case.randomness import stream
from vestige.case.settings import Recipe
from vestige.encoders.endpoint.encoder import refuse_unconfirmed_sending
from vestige.encoders.load import list_public_encoders, load_encoder
from vestige.text.corpora import load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, EncoderGuess, Progress, Vectors, silent

TEXTS = 1000
UNRELATED = ("speeches", "complaints")
SHORTEST, LONGEST = 8, 40


def fingerprint(
    vectors: Vectors, encoders: Iterable[str] = (), *, seed: int = 0, send: bool = False, progress: Progress = silent
) -> EncoderGuess:
    """Identify the encoder that made these vectors, among those that are installed and those that are named.

    Only encoders with the same number of columns are queried; if there is none, the columns are the verdict. An encoder
    on another machine is queried only with `send`.
    """
    library = load_library(dict.fromkeys((*list_public_encoders(), *encoders)), progress)
    compared = library.get(vectors.shape[1])
    if compared is None:
        names = {columns: [encoder.name for encoder in alike] for columns, alike in sorted(library.items())}
        return reject_columns(vectors.shape[1], names)
    texts = draw_unrelated(seed)
    for encoder in compared if not send else ():
        refuse_unconfirmed_sending(encoder, [texts])
    return fit_fingerprinter(compared, texts, seed=seed, progress=progress).infer(vectors)


def load_library(names: Collection[str], progress: Progress) -> dict[int, list[Encoder]]:
    """The encoders by the number of columns of their vectors, which some have to load their model for."""
    library: dict[int, list[Encoder]] = {}
    advance = progress("loading encoders", len(names))
    for name in names:
        encoder = load_encoder(name)
        library.setdefault(encoder.dimension, []).append(encoder)
        advance(1)
    return library


def draw_unrelated(seed: int, *, audited: str | None = None) -> list[str]:
    """Sentences that every encoder of the library embeds, from the built-in corpora except the audited one.

    They are of more than one kind if possible: what two kinds of text have in common is the encoder.
    """
    corpora = [name for name in UNRELATED if name != audited]
    texts = []
    for name in corpora:
        sentences = load_corpus(name).sentences(SHORTEST, LONGEST)
        rng = stream(seed, f"fingerprint {name}")
        texts += sentences.take(sample_rows(range(len(sentences)), TEXTS // len(corpora), rng)).texts
    return texts


def fit_fingerprinter(
    library: Sequence[Encoder],
    texts: Sequence[str],
    *,
    recipe: Recipe = "default",
    seed: int = 0,
    progress: Progress = silent,
) -> Fingerprinter:
    """A fingerprinter that is fitted on the vectors of the same texts from each encoder."""
    attack = Fingerprinter(recipe="pan" if recipe == "paper" else "default")
    return attack.fit(library, texts, rng=stream(seed, "attack"), progress=progress)
