"""A case as it would be with a defense in place, and what an adversary who knows the defense holds."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vestige.case.case import Auxiliary, Case, Domain
from vestige.defend.redacted import RedactedMap
from vestige.defenses.defense import Defense
from vestige.defenses.mechanism import Mechanism
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.types import Encoder, Progress, Vectors, silent


class DefendedEncoder:
    """An encoder whose vectors are defended, each with noise of its own, as a service would return them.

    It offers no white box: the weights of the encoder do not include the defense.
    """

    def __init__(self, encoder: Encoder, defense: Defense, *, start: int = 0) -> None:
        self.encoder = encoder
        self.defense = defense
        self.queried = start

    @property
    def name(self) -> str:
        """The encoder and the defense."""
        return f"{self.encoder.name} behind {self.defense}"

    @property
    def identity(self) -> str:
        """Everything a vector depends on, except its position among the queries."""
        return f"{self.encoder.identity} behind {self.defense}"

    @property
    def dimension(self) -> int:
        """Columns of every defended vector."""
        return int(self.defense.transform(np.ones((1, self.encoder.dimension), np.float32)).shape[1])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """Encode, then defend; the next vectors have other noise."""
        defended = self.defense.transform(self.encoder.encode(texts, progress=progress), start=self.queried)
        self.queried += len(texts)
        return defended


def choose_draws(case: Case, defense: Defense | None, most: int) -> int:
    """How often an adversary has each text defended: once, unless noise differs and the encoder can be queried."""
    return most if isinstance(defense, Mechanism) and case.encoder is not None else 1


def defend_case(case: Case, defense: Defense, *, draws: int = 1) -> Case:
    """The same case behind a defense: targets, the adversary's pairs in `draws` draws, and the encoder it may query.

    Every row has a position of its own, so that no two share their noise.
    """
    start, auxiliary = len(case.targets), {}
    for domain, pairs in case.auxiliary.items():
        auxiliary[domain] = defend_pairs(pairs, defense, draws=draws, start=start)
        start += len(auxiliary[domain].texts)
    return replace(
        case,
        targets=defense.transform(case.targets),
        auxiliary=auxiliary,
        encoder=None if case.encoder is None else defend_encoder(case.encoder, defense, start),
    )


def defend_encoder(encoder: Encoder, defense: Defense, start: int) -> Encoder:
    """The encoder as it answers behind a defense; queries have noise of their own from position `start` on."""
    return defense.wrap(encoder) if isinstance(defense, RedactedMap) else DefendedEncoder(encoder, defense, start=start)


def defend_pairs(pairs: Auxiliary, defense: Defense, *, draws: int, start: int) -> Auxiliary:
    """The pairs in several draws, each with other noise; every draw but the first is queried."""
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


def shrink_case(case: Case, *, pairs: int, targets: int) -> Case:
    """The case with fewer pairs and targets, taken evenly; all targets if too few documents would be left."""
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
    auxiliary: dict[Domain, Auxiliary] = {**case.auxiliary, "same-domain": known.take(kept)}
    return replace(case, targets=case.targets[rows], truth=truth, auxiliary=auxiliary)
