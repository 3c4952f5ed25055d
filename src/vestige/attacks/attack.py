"""What an attack declares about itself, and the registry that is derived from the declarations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from vestige.errors import InputError
from vestige.registry import Entry, Registry, find_declared, nearest
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
    offers. `named_recipes` has the attacks of the papers, each by a name that is unique among all attacks, with the
    settings that make it. An `audited` attack is a candidate whenever an audit has to choose one of its output. `quick`
    are the settings under which it fits in a second or two, where there are such, for sweeps that fit it hundreds of
    times.
    """

    name: str
    summary: str
    output: type[Guesses]
    access: tuple[Access, ...]
    paper: str = ""
    recipes: tuple[str, ...] = ("default",)
    named_recipes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
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


def list_recipes() -> dict[str, tuple[type[Any], Mapping[str, Any]]]:
    """The attacks of the papers by name: the class, and the settings under which it is the published attack."""
    kinds = [entry.load() for _, entry in ATTACKS]
    return {name: (kind, settings) for kind in kinds for name, settings in kind.info.named_recipes.items()}


def find_recipe(name: str) -> tuple[type[Any], Mapping[str, Any]]:
    """The class and the settings of a published attack such as "song-msp": `kind(**settings)` is that attack."""
    known = list_recipes()
    if name not in known:
        raise InputError(f"unknown recipe '{name}'; {nearest(name, known)}")
    return known[name]
