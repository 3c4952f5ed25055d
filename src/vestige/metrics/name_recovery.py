"""How often a name is recovered: in its original texts, and in texts where it replaced another (Corò 2022)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.intervals import document_mean, proportion
from vestige.types import Flags, Score


@dataclass(frozen=True, slots=True)
class NameRecovery:
    """The share of texts whose guess contains the name, by (name inserted, name that it replaced).

    If both are the same, the texts are unchanged. The baseline of each share is the false-alarm rate: in the same
    context, the share of texts with another name whose guess contains this one, or None if there are no such texts.
    """

    names: tuple[str, ...]
    contexts: tuple[str, ...]
    shares: Mapping[tuple[str, str], Score]


def name_recovery(
    guessed: Sequence[Set[str]],
    put_in: Sequence[str],
    stood: Sequence[str],
    *,
    documents: Sequence[str] | None = None,
    rng: np.random.Generator | None = None,
) -> NameRecovery:
    """Score one guessed set of words per text against the name `put_in` it; `stood` is the name that it replaced.

    Intervals are exact. With `documents`, of which every context then needs ten, a bootstrap draws whole documents.
    """
    for what, values in {"inserted names": put_in, "replaced names": stood, "documents": documents}.items():
        if values is not None and len(values) != len(guessed):
            raise InputError(f"{len(guessed)} guesses but {len(values)} {what}; expected one per text")
    names, contexts = (tuple(dict.fromkeys(values)) for values in (put_in, stood))
    put, there = np.array(put_in, dtype=np.str_), np.array(stood, dtype=np.str_)
    shares = {}
    for name in names:
        claimed = np.array([name in words for words in guessed], dtype=np.bool_)
        for context in contexts:
            here, without = (put == name) & (there == context), (put != name) & (there == context)
            if here.any():
                alarm = float(claimed[without].mean()) if without.any() else None
                shares[name, context] = _share(claimed, here, alarm, documents, rng)
    return NameRecovery(names, contexts, shares)


def _share(
    claimed: Flags, here: Flags, alarm: float | None, documents: Sequence[str] | None, rng: np.random.Generator | None
) -> Score:
    if documents is None:
        return proportion(int(claimed[here].sum()), int(here.sum()), baseline=alarm)
    if rng is None:
        raise InputError("documents are drawn at random; give name_recovery an rng with them")
    rows = np.flatnonzero(here).tolist()
    return document_mean(claimed[rows], [documents[row] for row in rows], rng, baseline=alarm)
