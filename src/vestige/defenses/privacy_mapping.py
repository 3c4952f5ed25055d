"""Privacy-preserving mapping (P7): a network that moves vectors where an adversary can no longer tell a label."""

from typing import Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_choice
from vestige.defenses.checks import check_above, check_count
from vestige.defenses.concepts import as_concepts
from vestige.defenses.defense import FixedMap
from vestige.defenses.subspace import between_classes
from vestige.types import Singles, Vectors


class PrivacyMapping(FixedMap):
    """A network of one hidden layer of 200 units, trained against an adversary of 200 units that learns along with it.

    Guarantee: none. It was shown to one adversary; another that is fitted on its output may tell the label again.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with a column a keyword.
    Paper: Pan et al., IEEE S&P 2020, Section VII (3) and Appendix C; `fidelity` is their lambda: the higher, the nearer
    vectors stay to what they were and the less is hidden.

    `recipe="pan"` is as published: the map raises the adversary's loss, five updates for each of the adversary's,
    batches of 64 (how long, and at which rate, is not stated). By default the network gives what a vector is moved by;
    it makes the adversary guess as often as the classes occur; the adversary is ahead by 200 updates, then has five for
    one of the map's; distances are squared and in units of the vectors' spread; and what linear readers could still
    tell is projected out.
    """

    needs = "labels"
    strength: ClassVar[str | None] = "fidelity"
    learned: ClassVar[tuple[str, ...]] = ("inward_", "inward_bias_", "outward_", "outward_bias_", "directions_")
    inward_: Singles
    inward_bias_: Singles
    outward_: Singles
    outward_bias_: Singles
    directions_: Singles

    def __init__(
        self,
        *,
        fidelity: float = 1.0,
        rounds: int = 300,
        rate: float = 1e-3,
        recipe: Literal["default", "pan"] = "default",
    ) -> None:
        self.fidelity = fidelity
        self.rounds = rounds
        self.rate = rate
        self.recipe = recipe

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_above("fidelity", self.fidelity, 0)
        check_count("rounds", self.rounds, 1)
        check_above("rate", self.rate, 0)
        check_choice("recipe", self.recipe, ("default", "pan"))

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        from vestige.defenses.privacy_game import Rules, played

        concepts = as_concepts(labels, len(vectors))
        rules = Rules(fidelity=float(self.fidelity), rounds=self.rounds, rate=self.rate, published=self.recipe == "pan")
        mean, scale = (np.zeros(1, np.float32), np.float32(1)) if rules.published else _spread(vectors)
        inward, inward_bias, outward, outward_bias = played(rules, (vectors - mean) * scale, concepts, rng)
        self.inward_, self.inward_bias_ = inward * scale, inward_bias - (inward * scale * mean).sum(axis=1)
        self.outward_, self.outward_bias_ = outward / scale, outward_bias / scale
        self.directions_ = np.zeros((0, vectors.shape[1]), np.float32)
        if not rules.published:
            self.directions_ = between_classes(self._map(vectors), concepts).astype(np.float32)

    def _map(self, vectors: Vectors) -> Singles:
        hidden = np.maximum(vectors @ self.inward_.T + self.inward_bias_, 0)
        found: Singles = hidden @ self.outward_.T + self.outward_bias_
        if self.recipe == "default":
            found = vectors + found
        along: Singles = found @ self.directions_.T
        return found - along @ self.directions_


def _spread(vectors: Vectors) -> tuple[Singles, np.float32]:
    """The mean, and what makes a column's variance 1 on average."""
    mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    return mean, np.float32(1 / max(float((vectors - mean).std()), 1e-12))
