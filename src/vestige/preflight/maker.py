"""Which encoder made the vectors: by asking those that are installed for the texts, or by how vectors are spread."""

from collections.abc import Iterator, Sequence

from vestige.case.encoder_fingerprint import LONGEST, SHORTEST, UNRELATED, studied
from vestige.case.randomness import stream
from vestige.case.specimen import Specimen
from vestige.encoders.load import load_encoder
from vestige.preflight.probing import Probing
from vestige.preflight.result import Check
from vestige.text.named import load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, EncoderGuess, Progress

TEXTS, DOCUMENTS = 300, 60
MOST_VECTORS = 2000


def alike(library: Sequence[str], dimension: int, *, but: str | None = None) -> Iterator[Encoder]:
    """The encoders of a library that give vectors of so many columns, loaded one at a time."""
    for spec in library:
        if spec != but:
            encoder = load_encoder(spec)
            if encoder.dimension == dimension:
                yield encoder


def maker_of(probing: Probing, library: Sequence[str], *, but: str | None = None) -> str | None:
    """The encoder that makes the stored vectors of their texts."""
    few = probing.few()
    for encoder in alike(library, few.stored.shape[1], but=but):
        if few.likeness(encoder.encode(few.texts)).holds:
            return encoder.name
    return None


def check_maker(
    specimen: Specimen, probing: Probing | None, library: Sequence[str], seed: int, progress: Progress
) -> Iterator[Check]:
    """Where no encoder was named: who made the vectors?"""
    name = maker_of(probing, library) if probing is not None else None
    if name is not None:
        yield Check(
            "maker", "ok", f"'{name}' made the vectors: it makes the same ones of the texts; name it with --encoder."
        )
        return
    known = list(alike(library, specimen.dimension))
    if not known or not len(specimen.sound):
        reason = f"no encoder that is installed gives vectors of {specimen.dimension:,} dimensions"
        yield Check("maker", "note", f"Who made the vectors cannot be told: {reason}. Name it with --encoder.")
        return
    guess = by_statistics(specimen, known, seed, progress)
    if guess.name is None:
        said = f"None of the encoders that are installed ({', '.join(guess.candidates)}) made the vectors."
        yield Check("maker", "note", said, _chances(guess))
    elif probing is not None:
        said = f"By their statistics '{guess.name}' made the vectors, but not of the texts beside them"
        cure = "check the order of the rows, and name the encoder with --encoder to see what explains it."
        yield Check("maker", "warning", f"{said}: {cure}", _chances(guess))
    else:
        said = f"By their statistics '{guess.name}' made the vectors; name it with --encoder."
        yield Check("maker", "ok", said, _chances(guess))


def check_named(
    specimen: Specimen, encoder: Encoder, library: Sequence[str], seed: int, progress: Progress
) -> Iterator[Check]:
    """Where an encoder was named and there are no texts: may it have made the vectors?"""
    if encoder.dimension != specimen.dimension:
        found = f"The vectors have {specimen.dimension:,} dimensions, and '{encoder.name}' gives {encoder.dimension:,}"
        yield Check("encoder", "error", f"{found}: name the encoder that made them with --encoder.")
        return
    if not len(specimen.sound):
        return
    others = alike(library, specimen.dimension, but=encoder.name)
    guess = by_statistics(specimen, [encoder, *others], seed, progress)
    made = f"'{guess.name}' made" if guess.name else f"'{encoder.name}' did not make"
    yield Check(
        "encoder",
        "ok" if guess.name == encoder.name else "warning",
        f"By their statistics {made} the vectors; give the texts with --texts to be sure.",
        _chances(guess),
    )


def by_statistics(specimen: Specimen, known: Sequence[Encoder], seed: int, progress: Progress) -> EncoderGuess:
    """The fingerprint of the vectors, against what each encoder makes of unrelated text."""
    attack = studied(known, _unrelated(seed), seed=seed, progress=progress)
    return attack.infer(specimen.vectors[specimen.sound[:MOST_VECTORS]])


def _chances(guess: EncoderGuess) -> dict[str, float]:
    return dict(zip(guess.candidates, guess.probabilities, strict=True))


def _unrelated(seed: int) -> list[str]:
    """Sentences of the shipped corpora, from a few documents each."""
    texts: list[str] = []
    for name in UNRELATED:
        corpus = load_corpus(name)
        rows = sample_rows(range(len(corpus)), DOCUMENTS, stream(seed, f"preflight {name}"))
        texts += corpus.take(rows).sentences(SHORTEST, LONGEST).texts[: TEXTS // len(UNRELATED)]
    return texts
