"""What an attack declares about itself, and the registry that is derived from the declarations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vestige.registry import Entry, Registry, find_declared
from vestige.types import Guesses

Access = Literal["pairs", "queries", "weights", "vectors", "texts", "labels", "scores"]
"""What an adversary holds besides the target vectors: (text, vector) pairs, an encoder to query, the encoder's weights,
unlabelled vectors of the victims, texts without vectors, labelled vectors, or the scores of a search."""

Role = Literal["attack", "baseline", "prior"]
"""An attack of ours or of a paper, a published attack that we compare with, or a guess that never sees the vectors."""


@dataclass(frozen=True, slots=True)
class AttackInfo:
    """The declaration of an attack, as its class attribute `info`.

    `summary` is the line that `vestige list` prints; `description` is how a report names the attack, with "{recipe}" in
    place of its recipe, and is the summary where there is none. `paper` cites the publication and the section. `access`
    is what `fit` requires, `output` the record that `infer` returns, `recipes` the published settings that the class
    offers. An `audited` attack is a candidate whenever an audit has to choose one of its output. `quick` are the
    settings under which it fits in a second or two, where there are such, for sweeps that fit it hundreds of times.
    """

    name: str
    summary: str
    output: type[Guesses]
    access: tuple[Access, ...]
    paper: str = ""
    recipes: tuple[str, ...] = ("default",)
    role: Role = "attack"
    audited: bool = False
    description: str = ""
    quick: Mapping[str, Any] | None = None


def _find_attacks() -> dict[str, Entry]:
    declared = find_declared("vestige.attacks", "info")
    return {kind.info.name: Entry(place, kind.info.summary) for place, kind in declared.items()}


def _check(loaded: Any) -> str | None:
    if not isinstance(getattr(loaded, "info", None), AttackInfo):
        return "the class must declare `info`, an AttackInfo"
    missing = [method for method in ("fit", "infer") if not callable(getattr(loaded, method, None))]
    return f"the class has no method {' and no '.join(missing)}" if missing else None


ATTACKS = Registry("attack", _find_attacks, "vestige.attacks", _check, lambda loaded: str(loaded.info.summary))
