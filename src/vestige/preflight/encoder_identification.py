"""Which installed encoder made the vectors: by encoding the texts again or, without texts, by statistics."""

from collections.abc import Iterator, Sequence

from vestige.case.encoder_fingerprint import LONGEST, SHORTEST, UNRELATED, fit_fingerprinter
from vestige.case.randomness import stream
from vestige.case.vector_sample import VectorSample
from vestige.encoders.load import load_encoder, may_have_columns
from vestige.preflight.result import Check
from vestige.preflight.spot_check import SpotCheck
from vestige.text.corpora import load_corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, EncoderGuess, Progress, silent

TEXTS, DOCUMENTS = 300, 60
MOST_VECTORS = 2000


def check_unknown_encoder(
    sample: VectorSample, spot_check: SpotCheck | None, library: Sequence[str], seed: int, progress: Progress
) -> Iterator[Check]:
    """No encoder was named: identify the one that made the vectors."""
    name = identify_encoder(spot_check, library, progress=progress) if spot_check is not None else None
    if name is not None:
        sentence = f"'{name}' made the vectors: it gives the same ones for the texts. Name it with --encoder."
        yield Check("maker", "ok", sentence)
        return
    candidates = list(load_matching(library, sample.dimension, progress=progress))
    if not candidates or not len(sample.valid):
        reason = f"no installed encoder gives vectors of {sample.dimension:,} dimensions"
        yield Check("maker", "note", f"The encoder cannot be identified: {reason}. Name it with --encoder.")
        return
    guess = identify_by_statistics(sample, candidates, seed, progress)
    if guess.name is None:
        sentence = f"None of the installed encoders ({', '.join(guess.candidates)}) made the vectors."
        yield Check("maker", "note", sentence, _probabilities(guess))
    elif spot_check is not None:
        problem = f"By their statistics, '{guess.name}' made the vectors, but not from the texts stored with them"
        remedy = "Check the order of the rows, and name the encoder with --encoder for a closer check."
        yield Check("maker", "warning", f"{problem}. {remedy}", _probabilities(guess))
    else:
        sentence = f"By their statistics, '{guess.name}' made the vectors. Name it with --encoder."
        yield Check("maker", "ok", sentence, _probabilities(guess))


def check_named_encoder(
    sample: VectorSample, encoder: Encoder, library: Sequence[str], seed: int, progress: Progress
) -> Iterator[Check]:
    """An encoder was named but there are no texts: check by statistics whether it made the vectors."""
    if encoder.dimension != sample.dimension:
        problem = f"The vectors have {sample.dimension:,} dimensions, but '{encoder.name}' gives {encoder.dimension:,}"
        yield Check("encoder", "error", f"{problem}: name the encoder that made them with --encoder.")
        return
    if not len(sample.valid):
        return
    others = load_matching(library, sample.dimension, excluding=encoder.name, progress=progress)
    guess = identify_by_statistics(sample, [encoder, *others], seed, progress)
    made = f"'{guess.name}' made" if guess.name else f"'{encoder.name}' did not make"
    yield Check(
        "encoder",
        "ok" if guess.name == encoder.name else "warning",
        f"By their statistics, {made} the vectors. Give the texts with --texts to be sure.",
        _probabilities(guess),
    )


def identify_encoder(
    spot_check: SpotCheck, library: Sequence[str], *, excluding: str | None = None, progress: Progress = silent
) -> str | None:
    """The first encoder that gives the stored vectors for their texts; None if no encoder does."""
    few = spot_check.take_few()
    for encoder in load_matching(library, few.stored.shape[1], excluding=excluding, progress=progress):
        if few.compare(encoder.encode(few.texts)).matches:
            return encoder.name
    return None


def guess_encoder(sample: VectorSample, library: Sequence[str], *, progress: Progress = silent) -> str | None:
    """The encoder that made the vectors, by their texts or, without texts, by statistics; None if unclear."""
    if not len(sample.valid):
        return None
    spot_check = SpotCheck.from_sample(sample)
    if spot_check is not None:
        return identify_encoder(spot_check, library, progress=progress)
    candidates = list(load_matching(library, sample.dimension, progress=progress))
    return identify_by_statistics(sample, candidates, 0, progress).name or None if candidates else None


def identify_by_statistics(
    sample: VectorSample, candidates: Sequence[Encoder], seed: int, progress: Progress
) -> EncoderGuess:
    """The fingerprint of the vectors, compared with the vectors that each encoder gives for unrelated text."""
    attack = fit_fingerprinter(candidates, _sample_sentences(seed), seed=seed, progress=progress)
    return attack.infer(sample.vectors[sample.valid[:MOST_VECTORS]])


def load_matching(
    library: Sequence[str], dimension: int, *, excluding: str | None = None, progress: Progress = silent
) -> Iterator[Encoder]:
    """The encoders of a library that give vectors of this dimension, loaded one at a time.

    Whoever has found the one that it looks for needs no more, so the bar is full then.
    """
    left = len(library)
    advance = progress("comparing with the installed encoders", left)
    try:
        for spec in library:
            left -= 1
            advance(1)
            if spec != excluding and may_have_columns(spec, dimension):
                encoder = load_encoder(spec)
                if encoder.dimension == dimension:
                    yield encoder
    finally:
        if left:
            advance(left)


def _probabilities(guess: EncoderGuess) -> dict[str, float]:
    return dict(zip(guess.candidates, guess.probabilities, strict=True))


def _sample_sentences(seed: int) -> list[str]:
    """Sentences of the shipped corpora, from a few documents of each."""
    texts: list[str] = []
    for name in UNRELATED:
        corpus = load_corpus(name)
        rows = sample_rows(range(len(corpus)), DOCUMENTS, stream(seed, f"preflight {name}"))
        texts += corpus.take(rows).sentences(SHORTEST, LONGEST).texts[: TEXTS // len(UNRELATED)]
    return texts
