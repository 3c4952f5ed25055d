"""A private encoder behind a defense, and what its vectors are good for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from vestige.case.randomness import stream
from vestige.defend.defended import Defended
from vestige.defenses.catalogue import make_defense
from vestige.encoders.remembering import Remembering
from vestige.papers.chen2023.adversary import Adversary, Scores
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.texts import Documents
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.changed import removed
from vestige.types import Score, Vectors
from vestige.utility.mlp_probe import MlpProbe

TOPICS = {"newsgroups": "topic", "complaints": "product"}
SYSTEM = "topics told by a network with 200 sigmoid units"
Shown = Callable[[Scores], tuple[Score, ...]]
"""Which depths of the ranking are columns."""


@dataclass(frozen=True)
class Owner:
    """Who defends: holds documents like the private ones and asks the encoder as often as it likes."""

    run: Run[Sizes]
    documents: Documents
    target: Victim

    @cached_property
    def own(self) -> Victim:
        """The encoder, no text being encoded twice, whatever defense stands before it."""
        return Victim(self.target.model, Remembering(self.target.encoder), self.target.here, self.run.progress)

    @cached_property
    def pairs(self) -> tuple[Vectors, Vectors]:
        """Private documents, and the same without their most frequent words."""
        rng = stream(self.run.seed, "removed")
        made = removed(self.documents.targets.texts, documents=self.run.sizes.shortened, rng=rng)
        return self.own.encoder.encode(made.original), self.own.encoder.encode(made.changed)

    def defended(self, spec: str) -> Victim:
        """The encoder behind a defense; with an empty spec, as it is."""
        if not spec:
            return self.own
        defense = make_defense(spec)
        pairs = self.pairs if defense.needs == "pairs" else None
        rng = stream(self.run.seed, f"defense {spec}")
        defense.fit(self.own.vectors(self.documents.studied), pairs=pairs, rng=rng)
        return Victim(self.own.model, Defended(self.own.encoder, defense), self.own.here, self.run.progress)

    def topics(self, behind: Victim) -> Score:
        """Accuracy on the documents under attack, learned from defended vectors of others."""
        learned, tested = self.documents.studied, self.documents.targets
        label = TOPICS[tested.name]
        probe = MlpProbe().fit(behind.vectors(learned), learned.attributes[label], rng=stream(self.run.seed, "probe"))
        return probe.score(
            behind.vectors(tested),
            tested.attributes[label],
            rng=stream(self.run.seed, "bootstrap"),
            documents=tested.documents,
        )


def defended_lines(owner: Owner, spec: str, shown: Shown, adversary: Adversary) -> Iterator[Line]:
    """SADE and ours, which ask the encoder and so learn from defended answers; topics; and guessing, of either."""
    behind = owner.defended(spec)
    attack = Adversary(owner.run, owner.documents, behind, adversary.surrogate)
    topics = owner.topics(behind)
    assert topics.baseline is not None
    prior = shown(attack.scored(attack.rule()))
    yield Line(PAPER, (*shown(attack.scored(attack.sade())), None))
    yield Line(OURS, (*shown(attack.scored(attack.sade(recipe="vestige"))), None))
    yield Line(SYSTEM, (*(None for _ in prior), topics))
    yield Line(PRIOR, (*prior, Score(topics.baseline, topics.baseline, topics.baseline, topics.n)))
