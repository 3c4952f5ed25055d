"""Whether the named encoder gives the stored vectors for their texts and, if not, what explains the difference."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.encoders.endpoint.encoder import is_remote
from vestige.errors import InputError
from vestige.preflight.encoder_identification import identify_encoder
from vestige.preflight.encoding_variants import MOST_VARIANTS, EncodingVariant, list_variants
from vestige.preflight.lengths import check_normalisation
from vestige.preflight.result import Check, CheckLevel
from vestige.preflight.row_order import describe_shift, find_shift
from vestige.preflight.similarity import Similarity, normalize
from vestige.preflight.spot_check import SpotCheck
from vestige.types import Encoder, Progress, Vectors, silent

RECOGNISED = 0.9
EXACT = 1 - 1e-5
CLOSER = 0.02
FAITHFUL = 0.98
"""A median cosine below this means another encoder: an attack that uses it would fail, which would look like safety."""


def check_reproduction(
    sample: VectorSample, spot_check: SpotCheck, encoder: Encoder, library: Sequence[str], progress: Progress = silent
) -> Iterator[Check]:
    """Encode a few texts again: same vectors, other lengths, another row order, another variant, or another encoder."""
    encoded = encoder.encode(spot_check.texts, progress=progress)
    similarity = spot_check.compare(encoded)
    if encoded.shape[1] != sample.dimension:
        truncated = encoded.shape[1] > sample.dimension and similarity.matches
        if truncated:
            yield _describe_truncation(spot_check, encoder, similarity)
        else:
            yield _describe_other_width(spot_check, encoder, library, progress)
        return
    shift = find_shift(encoded, spot_check, sample)
    if shift is not None:
        yield describe_shift(shift, spot_check)
    if similarity.matches:
        yield _describe_match(encoder, similarity, spot_check, explained=shift is not None)
        yield from check_normalisation(encoder, encoded, spot_check)
    elif shift is not None:
        yield Check("encoder", "ok", f"'{encoder.name}' made the vectors, but from the texts of other rows.")
    elif spot_check.form == "coded" and _share_recognised(encoded, spot_check, sample) >= RECOGNISED:
        yield _describe_coded(sample, encoder, similarity)
    else:
        yield explain_mismatch(spot_check, encoder, similarity, library, progress)


def explain_mismatch(
    spot_check: SpotCheck,
    encoder: Encoder,
    similarity: Similarity,
    library: Sequence[str],
    progress: Progress = silent,
) -> Check:
    """Name the variant or the encoder that gives exactly these vectors; if there is none, what comes closest."""
    problem = f"'{encoder.name}' does not give these vectors for the texts (median cosine {similarity.median:.3f})"
    level: CheckLevel = "error" if similarity.median < FAITHFUL else "warning"
    evidence = {"median_cosine": similarity.median}
    nearest = None if is_remote(encoder) else find_nearest_variant(spot_check.take_few(), encoder, progress)
    if nearest is not None and nearest[1].matches:
        variant = nearest[0]
        sentence = f"{problem}, but gives exactly these if {variant.condition}: {variant.remedy}."
        return Check("encoder", level, sentence, evidence)
    name = identify_encoder(spot_check, library, excluding=encoder.name, progress=progress)
    if name is not None:
        return Check("encoder", "error", f"{problem}, but '{name}' does: name it with --encoder.", evidence)
    closest = ""
    if nearest is not None and nearest[1].median > similarity.median + CLOSER:
        evidence["nearest"] = nearest[1].median
        closest = f" The closest ({nearest[1].median:.3f}) is: {nearest[0].condition}."
    return Check(
        "encoder",
        level,
        f"{problem}, and neither does any known variant of it or any other installed encoder.{closest} Name the "
        "encoder that made them, and check that the texts are those that were encoded. If a defense was applied to "
        "the vectors, leave --encoder out.",
        evidence,
    )


def find_nearest_variant(
    few: SpotCheck, encoder: Encoder, progress: Progress = silent
) -> tuple[EncodingVariant, Similarity] | None:
    """The first variant that gives the stored vectors, or else the closest one; None if there is none to try."""
    best: tuple[EncodingVariant, Similarity] | None = None
    advance = progress(f"trying other ways to call {encoder.name}", MOST_VARIANTS)
    for variant in list_variants(encoder, few.texts):
        advance(1)
        with suppress(InputError):
            similarity = few.compare(variant.encode(few.texts))
            if best is None or similarity.median > best[1].median:
                best = variant, similarity
            if similarity.matches:
                return variant, similarity
    return best


def _describe_other_width(spot_check: SpotCheck, encoder: Encoder, library: Sequence[str], progress: Progress) -> Check:
    stored = spot_check.stored.shape[1]
    name = identify_encoder(spot_check, library, excluding=encoder.name, progress=progress)
    remedy = f"'{name}' gives these for the texts, name it" if name else "name the encoder that made them"
    return Check(
        "encoder",
        "error",
        f"The vectors have {stored:,} dimensions, but '{encoder.name}' gives {encoder.dimension:,}: {remedy} with "
        "--encoder.",
        {"stored": stored, "given": encoder.dimension},
    )


def _describe_truncation(spot_check: SpotCheck, encoder: Encoder, similarity: Similarity) -> Check:
    stored = spot_check.stored.shape[1]
    return Check(
        "encoder",
        "error",
        f"The vectors are the first {stored:,} of the {encoder.dimension:,} dimensions that '{encoder.name}' gives "
        f"(median cosine {similarity.median:.4f}): name an encoder that gives {stored:,} dimensions.",
        {"median_cosine": similarity.median, "stored": stored, "given": encoder.dimension},
    )


def _describe_match(encoder: Encoder, similarity: Similarity, spot_check: SpotCheck, *, explained: bool) -> Check:
    """Most vectors are the same; `explained` says that the row order accounts for the others."""
    evidence = {
        "median_cosine": similarity.median,
        "least_cosine": float(similarity.cosines.min()),
        "same": float(similarity.same.mean()),
    }
    match = f"'{encoder.name}' gives the same vectors for the texts: median cosine {similarity.median:.4f}"
    different = int((~similarity.same).sum())
    if different and not explained:
        problem = f"but {different} of {len(similarity.same)} texts give other vectors than the stored ones"
        cause = "The texts changed after they were encoded, or some rows were encoded differently."
        return Check("encoder", "warning", f"{match}, {problem}. {cause}", evidence)
    if similarity.median < EXACT and spot_check.form == "float32":
        cause = f"(1 minus {1 - similarity.median:.0e}), typical of an encoder that computed in half precision"
        return Check("encoder", "note", f"{match} {cause}.", evidence)
    return Check("encoder", "ok", f"{match} over {len(similarity.same)} rows.", evidence)


def _describe_coded(sample: VectorSample, encoder: Encoder, similarity: Similarity) -> Check:
    return Check(
        "encoder",
        "note",
        f"'{encoder.name}' made the vectors, as far as the form {sample.form} allows to check: the nearest vector of "
        f"each text is in its own row, at a median cosine of {similarity.median:.3f}.",
        {"median_cosine": similarity.median},
    )


def _share_recognised(encoded: Vectors, spot_check: SpotCheck, sample: VectorSample) -> float:
    """The share of texts whose nearest stored vector is in their own row."""
    best = (normalize(encoded) @ sample.directions.T).argmax(axis=1)
    return float(np.mean(sample.valid[best] == np.array(spot_check.positions)))
