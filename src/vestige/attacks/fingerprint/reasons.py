"""Why an encoder was named, in words that the owner of the vectors understands."""

from collections.abc import Mapping, Sequence

import numpy as np

from vestige.attacks.fingerprint.portrait import UNIT, Portrait
from vestige.attacks.fingerprint.traits import SIMPLE
from vestige.types import EncoderGuess, Floats

_TOLD = 3


def no_such_columns(columns: int, known: Mapping[int, Sequence[str]]) -> EncoderGuess:
    """None of the candidates gives vectors of so many columns."""
    listed = "; ".join(f"{width}: {', '.join(names)}" for width, names in known.items())
    return EncoderGuess(None, (), (), (f"{columns} columns rule out every candidate (columns: {listed}).",))


def nothing_but_zeros(names: Sequence[str]) -> EncoderGuess:
    """Vectors that any encoder may give for a text without words."""
    return EncoderGuess(None, tuple(names), (0.0,) * len(names), ("The vectors hold nothing but zeros.",))


def reasons_for(name: str | None, ranked: Sequence[tuple[Portrait, Floats]], lengths: Floats) -> tuple[str, ...]:
    """Sentences on columns, lengths, and what speaks for the likeliest and against the next candidates."""
    best, _ = ranked[0]
    names = ", ".join(portrait.name for portrait, _ in ranked)
    told = [f"{best.columns} columns leave {names}."]
    told.append(_on_lengths(best if name else None, lengths))
    for portrait, traits in ranked[:_TOLD]:
        strangeness = portrait.strangeness(traits, len(lengths))[0]
        if portrait.name == name:
            told.append(f"The directions are spread as those of {name}.")
        elif strangeness.max() > 1:
            told.append(_against(portrait, traits[0], strangeness))
        elif portrait.blunt:
            told.append(f"{portrait.name} would fit, but so would nearly any vectors of {portrait.columns} columns.")
        elif name:
            told.append(f"{portrait.name} would fit too, but less well than {name}.")
    return tuple(told)


def _on_lengths(best: Portrait | None, lengths: Floats) -> str:
    middle = float(np.median(lengths))
    same = float(np.ptp(lengths)) <= UNIT * max(middle, 1e-12)
    found = f"All vectors have length {middle:.3g}" if same else f"Half of the vectors are longer than {middle:.3g}"
    if best is None:
        return f"{found}."
    usual = float(np.exp(best.log_length))
    if abs(np.log(max(middle, 1e-12)) - best.log_length) <= max(3 * best.length_spread, UNIT):
        return f"{found}, as {best.name} gives them."
    if same:
        return f"{found}, where {best.name} gives about {usual:.3g}: they were scaled to one length."
    return f"{found}, where {best.name} gives about {usual:.3g}: they were multiplied by about {middle / usual:.3g}."


def _against(portrait: Portrait, traits: Floats, strangeness: Floats) -> str:
    worst = int(strangeness.argmax())
    if worst < len(traits) - len(SIMPLE):
        times = np.exp(traits[0] - portrait.centre[0])
        return f"The directions are not {portrait.name}'s: {times:.1f} times as far out (squared distance) as its own."
    return (
        f"The {SIMPLE[worst - len(traits)]} is {traits[worst]:.2f}, for {portrait.name} {portrait.centre[worst]:.2f}."
    )
