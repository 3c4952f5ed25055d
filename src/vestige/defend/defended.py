"""A case as it would be with the defense in place, and the adversary who knows it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vestige.case.case import Auxiliary, Case
from vestige.defenses.defense import Defense
from vestige.defenses.mechanism import Mechanism
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.types import Encoder, Progress, Vectors, silent


class Defended:
    """An encoder whose answers go through a defense, each with chance of its own, as a service would give them.

    It is no wrapper that can be opened: the weights within say nothing of what the defense does.
    """

    def __init__(self, encoder: Encoder, defense: Defense, *, start: int = 0) -> None:
        self.encoder = encoder
        self.defense = defense
        self.asked = start

    @property
    def name(self) -> str:
        """The encoder and the defense."""
        return f"{self.encoder.name} behind {self.defense}"

    @property
    def identity(self) -> str:
        """Everything a vector depends on, but for its place among the answers."""
        return f"{self.encoder.identity} behind {self.defense}"

    @property
    def dimension(self) -> int:
        """Columns of every defended vector."""
        return int(self.defense.transform(np.ones((1, self.encoder.dimension), np.float32)).shape[1])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode, then defend; the next answers have other noise."""
        defended = self.defense.transform(self.encoder.encode(texts, progress=progress), start=self.asked)
        self.asked += len(texts)
        return defended


def draws_of(case: Case, defense: Defense | None, most: int) -> int:
    """How often a stranger has each of its texts defended: once, unless the noise differs and there is whom to ask."""
    return most if isinstance(defense, Mechanism) and case.encoder is not None else 1


def defended_case(case: Case, defense: Defense, *, draws: int = 1) -> Case:
    """The same case behind a defense: targets, the stranger's pairs in so many draws, and the encoder it may ask.

    Every row of it all has a place of its own, so that no two share their noise.
    """
    pairs, start = case.auxiliary["same-domain"], len(case.targets)
    known = defended_pairs(pairs, defense, draws=draws, start=start)
    start += len(known.texts)
    return replace(
        case,
        targets=defense.transform(case.targets),
        auxiliary={"same-domain": known},
        encoder=None if case.encoder is None else Defended(case.encoder, defense, start=start),
    )


def defended_pairs(pairs: Auxiliary, defense: Defense, *, draws: int, start: int) -> Auxiliary:
    """The pairs again and again, with other noise each time; every draw but the first is asked for."""
    size = len(pairs.texts)
    parts = [defense.transform(pairs.vectors, start=start + draw * size) for draw in range(draws)]
    return replace(
        pairs,
        vectors=np.concatenate(parts),
        texts=pairs.texts * draws,
        documents=pairs.documents * draws,
        queries=pairs.queries + (draws - 1) * size,
        attributes={name: labels * draws for name, labels in pairs.attributes.items()},
    )


def smaller(case: Case, *, pairs: int, targets: int) -> Case:
    """The case with fewer rows on either side, taken evenly; all targets where too few documents would be left."""
    known = case.auxiliary["same-domain"]
    rows = np.linspace(0, len(case.targets) - 1, min(targets, len(case.targets)), dtype=int).tolist()
    kept = np.linspace(0, len(known.texts) - 1, min(pairs, len(known.texts)), dtype=int).tolist()
    assert case.truth is not None
    if len({case.truth.documents[row] for row in rows}) < FEWEST_DOCUMENTS:
        rows = list(range(len(case.targets)))
    truth = replace(
        case.truth,
        texts=[case.truth.texts[row] for row in rows],
        documents=[case.truth.documents[row] for row in rows],
        attributes={name: [labels[row] for row in rows] for name, labels in case.truth.attributes.items()},
    )
    return replace(case, targets=case.targets[rows], truth=truth, auxiliary={"same-domain": known.take(kept)})
