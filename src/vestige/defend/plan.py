"""Which defenses are tried, and how strong."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.defenses.catalogue import DEFENSES, make_defense
from vestige.defenses.defense import Defense
from vestige.errors import InputError


@dataclass(frozen=True, slots=True)
class Candidate:
    """A defense by its spec; `hides` names the labels to hide, "keywords" or a column, where the owner named any."""

    spec: str
    hides: str | None = None

    @property
    def name(self) -> str:
        """As the owner would type it."""
        return self.spec if self.hides is None else f"{self.spec}@{self.hides}"

    def made(self) -> Defense:
        """The unfitted defense."""
        return make_defense(self.spec)


def strengths(family: str, dimension: int) -> list[str]:
    """The specs of a family from mild to strong, for vectors of so many columns.

    Shares of the dimension for defenses that narrow; for noise, lengths beside a unit vector from a quarter up to that
    at which little is found again.
    """
    d = dimension
    specs: dict[str, Sequence[int]] = {
        "rounding": (2, 1),
        "projection": (d // 2, d // 6, d // 24),
        "pca": (d // 2, d // 6, d // 24),
        "autoencoder": (d // 6,),
        "pq": (_parts(d),),
        "gaussian": (26 * d, 8 * d, 2 * d),
        "laplace": (3 * d, d, d // 3),
        "metric": (4 * d, 2 * d, d),
        "vmf": (16 * d, 4 * d, 2 * d),
        "ppm": (1,),
    }
    return [f"{family}:{max(strength, 1)}" for strength in specs.get(family, ())] or [family]


def _parts(dimension: int) -> int:
    """Parts of about eight columns each, as many as divide the columns."""
    return dimension // next(width for width in (8, 6, 5, 7, 4, 3, 2, 1) if dimension % width == 0)


def candidates(listed: str | None, dimension: int) -> list[Candidate]:
    """The defenses that were listed, each family without a strength in several; without a list, every family.

    A list parts specs by commas, as specs part their settings: what begins with the name of a defense begins a spec.
    """
    named = [name for name, _ in DEFENSES] if listed is None else parted(listed)
    found = [each for name in named for each in _of(name, dimension)]
    for each in found:
        each.made()
    return list(dict.fromkeys(found))


def parted(listed: str) -> list[str]:
    """The specs of a list."""
    specs: list[str] = []
    for part in filter(None, (part.strip() for part in listed.split(","))):
        family = part.partition("@")[0].partition(":")[0]
        if "=" in family and specs:
            specs[-1] += f",{part}"
        elif DEFENSES[family]:
            specs.append(part)
    if not specs:
        raise InputError("no defense was listed (--defenses); name some, such as rounding:2,gaussian")
    return specs


def _of(name: str, dimension: int) -> list[Candidate]:
    spec, _, hides = name.partition("@")
    specs = [spec] if ":" in spec else strengths(spec, dimension)
    found = [Candidate(each, hides or None) for each in specs]
    if hides and found[0].made().needs != "labels":
        raise InputError(f"'{name}' names labels, and {spec} hides none; leave '@{hides}' out (--defenses)")
    return found
