"""What is decided on held-out texts: how much the evidence weighs, when to stop, what a score is worth."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from vestige.attacks.candidates import Candidates
from vestige.attacks.claiming import Decision, Scored, decide
from vestige.attacks.multiset.greedy import Greedy
from vestige.types import Singles, Vectors

STRENGTHS = (0.0, 0.4, 0.6, 0.75, 0.9, 1.1)
MOST_TEXTS = 500


@dataclass(frozen=True)
class HeldOut:
    """Texts to decide on: what each word of the vocabulary counts, and what all words of a text count together."""

    vectors: Vectors
    labels: sparse.csr_array
    worth: Singles
    total: Singles

    def scored(self, greedy: Greedy, depth: int, strength: float, floor: float) -> Scored:
        """Their candidates when greedy decoding goes down to this floor."""
        found = Candidates.of(greedy.scores(self.vectors, strength, floor), self.labels.shape[1], depth)
        return Scored(found.scores, found.hits(self.labels), self.total, self.worth[found.words])


def decide_greedily(greedy: Greedy, held: HeldOut, depth: int) -> Decision:
    """The strength and the cut with the best mean F1, calibrated on what a reader would be shown."""
    decision = decide({strength: held.scored(greedy, depth, strength, -np.inf) for strength in STRENGTHS})
    shown = held.scored(greedy, depth, decision.strength, decision.threshold)
    return replace(decision, probability=shown.calibration())
