"""What explains that an encoder does not make the vectors: how it was used, or that it is another."""

from collections.abc import Sequence
from contextlib import suppress

from vestige.encoders.endpoint.consent import is_elsewhere
from vestige.errors import InputError
from vestige.preflight.likeness import Likeness
from vestige.preflight.maker import maker_of
from vestige.preflight.probing import Probing
from vestige.preflight.result import Check, CheckLevel
from vestige.preflight.ways import Way, ways
from vestige.types import Encoder

NEARER = 0.02
FAITHFUL = 0.98
"""A median cosine below this is another encoder: attacking with it would look like safety."""


def explained(probing: Probing, encoder: Encoder, like: Likeness, library: Sequence[str]) -> Check:
    """The way or the encoder that makes just these vectors; or that nothing does, and what comes nearest."""
    said = f"The vectors are not what '{encoder.name}' makes of the texts (median cosine {like.median:.3f})"
    level: CheckLevel = "error" if like.median < FAITHFUL else "warning"
    evidence = {"median_cosine": like.median}
    found = None if is_elsewhere(encoder) else nearest_way(probing.few(), encoder)
    if found is not None and found[1].holds:
        way = found[0]
        return Check("encoder", level, f"{said}, but are just that when {way.said}: {way.remedy}.", evidence)
    name = maker_of(probing, library, but=encoder.name)
    if name is not None:
        return Check("encoder", "error", f"{said}, but what '{name}' makes: name that with --encoder.", evidence)
    nearest = ""
    if found is not None and found[1].median > like.median + NEARER:
        evidence["nearest"] = found[1].median
        nearest = f" They come nearest ({found[1].median:.3f}) when {found[0].said}."
    return Check(
        "encoder",
        level,
        f"{said}, nor in any other way that was tried, nor what another installed encoder makes.{nearest} Name the "
        "encoder that made them, and check that the texts are those that were encoded.",
        evidence,
    )


def nearest_way(few: Probing, encoder: Encoder) -> tuple[Way, Likeness] | None:
    """The first way that makes the vectors, or else the one that comes nearest; None where there is none to try."""
    best: tuple[Way, Likeness] | None = None
    for way in ways(encoder, few.texts):
        with suppress(InputError):
            like = few.likeness(way.encode(few.texts))
            if best is None or like.median > best[1].median:
                best = way, like
            if like.holds:
                return way, like
    return best


def told_width(probing: Probing, encoder: Encoder, library: Sequence[str]) -> Check:
    """Vectors of another dimension, and who makes such of the texts."""
    stored, name = probing.stored.shape[1], maker_of(probing, library, but=encoder.name)
    remedy = f"'{name}' makes these of the texts, name that" if name else "name the encoder that made them"
    return Check(
        "encoder",
        "error",
        f"The vectors have {stored:,} dimensions, and '{encoder.name}' gives {encoder.dimension:,}: {remedy} with "
        "--encoder.",
        {"stored": stored, "given": encoder.dimension},
    )


def told_first_columns(probing: Probing, encoder: Encoder, like: Likeness) -> Check:
    """Vectors that were cut to their first dimensions."""
    stored = probing.stored.shape[1]
    return Check(
        "encoder",
        "error",
        f"The vectors are the first {stored:,} of the {encoder.dimension:,} dimensions that '{encoder.name}' gives "
        f"(median cosine {like.median:.4f}): name an encoder that gives so many.",
        {"median_cosine": like.median, "stored": stored, "given": encoder.dimension},
    )
