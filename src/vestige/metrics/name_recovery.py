"""How often a name is read back: in the texts it comes from, and in texts where it was put for another (R6)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.metrics.bootstrap import document_mean
from vestige.metrics.proportion import proportion
from vestige.types import Flags, Score


@dataclass(frozen=True, slots=True)
class NameRecovery:
    """The share of texts whose guess holds the name: a row a name put in, a column a name that stood there.

    On the diagonal the texts are as they were. The baseline of each share is the false alarm: in the same context, the
    share of texts with some other name in them whose guess holds this one. None where there is nothing to share.
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
    """Score guessed sets of words, one a text, against the name put in each; `stood` is the name that was there before.

    Intervals are exact; with `documents`, of which every context then needs ten, they are those of a bootstrap that
    draws whole documents.
    """
    for what, values in {"names put in": put_in, "names that stood": stood, "documents": documents}.items():
        if values is not None and len(values) != len(guessed):
            raise InputError(f"{len(guessed)} guesses but {len(values)} {what}; expected one a text")
    names, contexts = (tuple(dict.fromkeys(values)) for values in (put_in, stood))
    put, there = np.array(put_in, dtype=np.str_), np.array(stood, dtype=np.str_)
    shares = {}
    for name in names:
        claimed = np.array([name in words for words in guessed], dtype=np.bool_)
        for context in contexts:
            here, elsewhere = (put == name) & (there == context), (put != name) & (there == context)
            if here.any():
                alarm = float(claimed[elsewhere].mean()) if elsewhere.any() else None
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
