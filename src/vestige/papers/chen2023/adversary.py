"""The attacks of the thesis on one private encoder, with one surrogate and one measure of importance."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from vestige.attacks.rivals.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.rivals.gan import GanDecoder
from vestige.attacks.rivals.mlp import MlpDecoder
from vestige.attacks.rivals.pseudo_labels import PseudoLabelDecoder
from vestige.attacks.rivals.rule_based import MeanImportance
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.attacks.surrogate.selection import at_random
from vestige.attacks.word_decoder import BATCH, HELD_SHARE
from vestige.case.randomness import stream
from vestige.encoders.metered import Metered
from vestige.encoders.remembering import Remembering
from vestige.metrics.keyword_ranking import DEPTHS, RankingScores, keyword_ranking
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.texts import Documents
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.importance.record import Importance, Weigher
from vestige.types import Guesser, Score, Vectors

Scores = dict[int, RankingScores]


class Adversary:
    """Holds the pool, the external documents, the surrogate and the vectors under attack; may ask `budget` queries."""

    def __init__(
        self,
        run: Run[Sizes],
        documents: Documents,
        target: Victim,
        surrogate: Victim,
        *,
        importance: str = "TF-IDF",
        budget: int | None = None,
    ) -> None:
        self.run = run
        self.documents = documents
        self.target = target
        self.surrogate = surrogate
        self.own = Remembering(surrogate.encoder)
        self.importance = importance
        self.budget = min(run.sizes.budget if budget is None else budget, len(documents.pool))

    @cached_property
    def weigher(self) -> Weigher:
        """How the adversary weighs words, and how it is scored."""
        return self.documents.weigher(self.importance, self.own, self.run.progress)

    @cached_property
    def truth(self) -> Importance:
        """What matters in the documents under attack."""
        return self.weigher.weigh(self.documents.targets.texts)

    @property
    def victims(self) -> Vectors:
        """The vectors under attack."""
        return self.target.vectors(self.documents.targets)

    def scored(self, attack: Guesser) -> Scores:
        """Precision@k and NDCG@k over the documents in which some word matters."""
        rows = np.flatnonzero(np.diff(self.truth.weights.indptr)).tolist()
        ranked = attack.infer(self.victims).ranked
        return keyword_ranking(
            [ranked[row] for row in rows],
            self.truth.take(rows),
            rng=stream(self.run.seed, "bootstrap"),
            documents=[self.documents.targets.documents[row] for row in rows],
        )

    def sade(self, **settings: object) -> Guesser:
        """The attack of the thesis, or a part of it; `recipe="vestige"` is our default."""
        given = {"recipe": "chen", "steps": self.run.sizes.steps, "budget": self.budget} | settings
        attack = SurrogateAttack(**given)  # type: ignore[arg-type]
        return attack.fit(
            self.victims,
            self.documents.pool.texts,
            encoder=Metered(self.target.encoder, self.budget),
            surrogate=self.own,
            weigher=self.weigher,
            rng=self._rng(),
            external=self.documents.external.texts,
            progress=self.run.progress,
        )

    def rule(self) -> Guesser:
        """The prior."""
        return MeanImportance().fit(self.weigher.weigh(self.documents.pool.texts))

    def mlp(self) -> Guesser:
        """From the pairs alone."""
        return MlpDecoder(epochs=self._epochs).fit(*self.pairs, rng=self._rng(), progress=self.run.progress)

    def pseudo_labels(self) -> Guesser:
        """With its own guesses on external documents."""
        attack = PseudoLabelDecoder(epochs=self._epochs)
        return attack.fit(*self.pairs, external=self.external[0], rng=self._rng(), progress=self.run.progress)

    def domain_adversarial(self) -> Guesser:
        """With external documents and the victims."""
        vectors, importance = self.external
        return DomainAdversarialDecoder().fit(
            *self.pairs,
            external=vectors,
            external_importance=importance,
            victims=self.victims,
            rng=self._rng(),
            progress=self.run.progress,
        )

    def gan(self) -> Guesser:
        """With a generator and the victims."""
        return GanDecoder(epochs=self._epochs).fit(
            *self.pairs,
            external=self.external[0],
            victims=self.victims,
            rng=self._rng(),
            progress=self.run.progress,
        )

    @cached_property
    def pairs(self) -> tuple[Vectors, Importance]:
        """Documents drawn at random, the same as SADE's without query selection, and what the encoder says to them."""
        pool = self.documents.pool.texts
        empty = np.empty((len(pool), 0), np.float32)
        texts = [pool[row] for row in at_random(empty, empty, self.budget, self.budget, self._rng())]
        return Metered(self.target.encoder, self.budget).encode(texts), self.weigher.weigh(texts)

    @cached_property
    def external(self) -> tuple[Vectors, Importance]:
        """External documents as the surrogate sees them."""
        texts = self.documents.external.texts
        return self.own.encode(texts, progress=self.run.progress), self.weigher.weigh(texts)

    @property
    def _epochs(self) -> int:
        """As many as make the steps that SADE has."""
        kept = self.budget - max(1, round(HELD_SHARE * self.budget))
        return max(1, self.run.sizes.steps // -(-kept // BATCH))

    def _rng(self) -> np.random.Generator:
        return stream(self.run.seed, "attack")


Way = Callable[[Adversary], Guesser]

SADE_QS, SADE = "SADE-QS (the paper's recipe)", "SADE, queries at random"
RIVALS: dict[str, Way] = {
    "PLD": Adversary.pseudo_labels,
    "MLP": Adversary.mlp,
    "DAAM": Adversary.domain_adversarial,
    "BERT-GAN": Adversary.gan,
}


def at_five(scores: Scores) -> tuple[Score, ...]:
    """Precision@5 and NDCG@5."""
    return scores[5].precision, scores[5].ndcg


def at_every(scores: Scores) -> tuple[Score, ...]:
    """Both at every depth."""
    return tuple(score for k in DEPTHS for score in (scores[k].precision, scores[k].ndcg))


FIVE = ("Precision@5", "NDCG@5")
EVERY = tuple(f"{name}@{k}" for k in DEPTHS for name in ("Precision", "NDCG"))
