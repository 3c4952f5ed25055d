"""The defense that was asked for, fitted: one that was kept, or one that is fitted on a sample and kept."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.defenses.saved import fitted_on, load_defense, save_defense
from vestige.errors import InputError
from vestige.stores.store import Store

SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Chosen:
    """A fitted defense; `folder` is where it is kept, None where there is nothing to keep; `fresh` if fitted now."""

    defense: Defense
    folder: Path | None
    fresh: bool = False


def chosen_defense(asked: str, store: Store, keep: Path, columns: int) -> Chosen:
    """A folder is read; a spec that learns is fitted on a sample of the store and written to `keep`.

    Where `keep` is there already, from a run that was stopped or whose vectors are gone, it is used again, as long as
    it is what the spec asks for and was fitted on these vectors: the same command gives the same bytes.
    """
    if Path(asked).is_dir() or "/" in asked:
        return Chosen(_fitting(load_defense(Path(asked)), asked, columns), Path(asked))
    unfitted = make_defense(asked)
    if unfitted.needs == "labels":
        raise InputError(
            f"defense '{asked}' learns from labels as well as from vectors; fit it in Python, write it with "
            "save_defense, and name its folder with --defense"
        )
    if not unfitted.learned:
        return Chosen(unfitted.fit(np.zeros((1, columns))), None)
    sample = store.sample(SAMPLE, np.random.default_rng(0), plain=True).vectors
    seen = hashlib.sha256(np.ascontiguousarray(sample).tobytes()).hexdigest()
    if keep.exists():
        kept = _same(_fitting(load_defense(keep), str(keep), columns), unfitted, asked, keep)
        if fitted_on(keep) != seen:
            raise InputError(
                f"{keep} was fitted on other vectors; name that folder with --defense to use it all the same, or move "
                "it away"
            )
        return Chosen(kept, keep)
    fitted = unfitted.fit(sample)
    save_defense(fitted, keep, fitted_on=seen)
    return Chosen(fitted, keep, fresh=True)


def _fitting(defense: Defense, place: str, columns: int) -> Defense:
    if defense.columns_ != columns:
        raise InputError(
            f"the vectors have {columns} columns, and the defense in {place} was fitted on {defense.columns_}; "
            "give the one that was fitted on vectors of the same encoder with --defense"
        )
    return defense


def _same(kept: Defense, asked: Defense, spec: str, keep: Path) -> Defense:
    if type(kept) is not type(asked) or kept.get_params() != asked.get_params():
        raise InputError(
            f"{keep} holds another defense than '{spec}'; name that folder with --defense, or move it away"
        )
    return kept
