"""The rows that the encoder is asked for: few, from all over the sample, with sound vectors and some text."""

from dataclasses import dataclass

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.form import Kept, kept_as
from vestige.preflight.likeness import Likeness, likeness
from vestige.types import Vectors

PROBES, FEW = 32, 5


@dataclass(frozen=True)
class Probing:
    """Texts to encode, where they lie in the sample, and what is stored for them."""

    places: list[int]
    texts: list[str]
    stored: Vectors
    kept: Kept

    @classmethod
    def of(cls, specimen: Specimen) -> "Probing | None":
        """None where there are no texts, or none with a sound vector."""
        if specimen.texts is None:
            return None
        usable = [place for place in specimen.sound.tolist() if specimen.texts[place].strip()]
        if not usable:
            return None
        chosen = np.linspace(0, len(usable) - 1, num=min(PROBES, len(usable)), dtype=int)
        places = [usable[each] for each in chosen.tolist()]
        texts = [specimen.texts[place] for place in places]
        return cls(places, texts, specimen.vectors[places], kept_as(specimen))

    def few(self) -> "Probing":
        """A few of them, short and long, for what has to be asked many times."""
        order = sorted(range(len(self.texts)), key=lambda row: len(self.texts[row]))
        rows = [order[each] for each in np.linspace(0, len(order) - 1, num=min(FEW, len(order)), dtype=int)]
        return Probing([self.places[r] for r in rows], [self.texts[r] for r in rows], self.stored[rows], self.kept)

    def likeness(self, made: Vectors) -> Likeness:
        """How near what was made of the texts comes to what is stored for them."""
        return likeness(made, self.stored, self.kept)
