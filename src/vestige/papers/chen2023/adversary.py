"""The adversary of Chen 2023, Chapters 4 and 5: what it holds, and the attacks that it fits on one private encoder."""

from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy import sparse

from vestige.attacks.baselines.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.baselines.gan import GanDecoder
from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.attacks.baselines.mlp import MlpDecoder
from vestige.attacks.baselines.pseudo_labels import PseudoLabelDecoder
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.attacks.surrogate.selection import select_random
from vestige.attacks.word_decoder import BATCH, HELD_SHARE
from vestige.case.cache import compute_digest
from vestige.case.randomness import stream
from vestige.encoders.memoized import Memoized
from vestige.encoders.wrapper import unwrap
from vestige.metrics.keyword_ranking import RankingScores, keyword_ranking
from vestige.papers.chen2023.setup import ChenSizes
from vestige.papers.chen2023.texts import StudyDocuments
from vestige.papers.run import PaperRun
from vestige.papers.timed_encoder import TimedEncoder
from vestige.papers.victims import Victim
from vestige.text.importance import Importance, Weigher
from vestige.types import Guesser, Vectors

Scores = dict[int, RankingScores]


class OpenWorldAdversary:
    """Holds a pool, external documents, a surrogate encoder and the vectors under attack; may send `budget` queries."""

    def __init__(
        self,
        run: PaperRun[ChenSizes],
        documents: StudyDocuments,
        target: Victim,
        surrogate: Victim,
        *,
        importance: str = "TF-IDF",
        budget: int | None = None,
        cache: Path | None = None,
    ) -> None:
        self.run = run
        self.documents = documents
        self.target = target
        self.surrogate = surrogate
        self.own = Memoized(surrogate.encoder)
        self.importance = importance
        self.cache = cache
        self.repetition = 0
        self.encoders: list[TimedEncoder] = []
        self.budget = min(run.sizes.budget if budget is None else budget, len(documents.pool))

    @cached_property
    def weigher(self) -> Weigher:
        """The importance of words, for the attack and for its scores."""
        return self.documents.weigher(self.importance, self.own, self.run.progress, unit=self.run.sizes.unit)

    @cached_property
    def truth(self) -> Importance:
        """The importance of words in the documents under attack."""
        return self.weigher.weigh(self.documents.targets.texts)

    @property
    def victims(self) -> Vectors:
        """The vectors under attack."""
        return self.target.vectors(self.documents.targets)

    def query(self, further: int = 0) -> TimedEncoder:
        """The private encoder, for the queries of the budget and so many more; its time is not that of learning."""
        self.encoders.append(TimedEncoder(self.target.encoder, self.budget + further))
        return self.encoders[-1]

    def repeat(self, repetition: int) -> "OpenWorldAdversary":
        """The same adversary, which draws other queries at random and starts its networks from other weights."""
        other = copy(self)
        for drawn in ("pairs", "validation"):
            other.__dict__.pop(drawn, None)
        other.repetition = repetition
        return other

    def locate(self, attack: dict[str, object] | None) -> Path | None:
        """Where the scores of an attack with these settings are stored, by repetition; None without a cache."""
        if self.cache is None or attack is None:
            return None
        # How often an attack is repeated changes none of its repetitions.
        sizes = replace(self.run.sizes, repeats=1)
        setting = (sizes, self.run.seed, self.run.device, self.documents, self.importance, self.budget)
        encoders = (self.target.encoder, self.surrogate.encoder)
        key = compute_digest(*setting, *encoders, self.repetition, attack)
        return self.cache / "attacks" / f"{key}.json"

    @property
    def encoding_seconds(self) -> float:
        """The processor time of all queries so far."""
        return sum(encoder.seconds for encoder in self.encoders)

    def prepare(self) -> None:
        """Encode what the adversary encodes itself and the targets, so that it is not part of the time of an attack."""
        self.own.encode([*self.documents.pool.texts, *self.documents.external.texts])
        self.target.vectors(self.documents.targets)

    def score(self, attack: Guesser) -> Scores:
        """Precision@k and NDCG@k over the documents in which some word is important."""
        rows = np.flatnonzero(np.diff(self.truth.weights.indptr)).tolist()
        ranked = attack.infer(self.victims).ranked
        return keyword_ranking(
            [ranked[row] for row in rows],
            self.truth.take(rows),
            rng=stream(self.run.seed, "bootstrap"),
            documents=[self.documents.targets.documents[row] for row in rows],
        )

    def sade(self, **settings: object) -> Guesser:
        """SADE, the attack of the thesis, or a part of it; `recipe="vestige"` is our default."""
        sizes = self.run.sizes
        defaults = {
            "recipe": "chen",
            "steps": sizes.steps,
            "tuning_steps": sizes.tuning,
            "budget": self.budget,
            "device": self.run.device,
        }
        attack = SurrogateAttack(**(defaults | settings))  # type: ignore[arg-type]
        return attack.fit(
            self.victims,
            self.documents.pool.texts,
            encoder=self.query(len(self.documents.validation)),
            surrogate=unwrap(self.own) if settings.get("adaptation") == "fine-tuned" else self.own,
            weigher=self.weigher,
            rng=self._rng(),
            external=self.documents.external.texts,
            validation=self.documents.validation.texts,
            progress=self.run.progress,
        )

    def constant_words(self) -> Guesser:
        """The words that most documents of the pool contain, the same for every document."""
        weights = self.weigher.weigh(self.documents.pool.texts)
        present = (weights.weights > 0).astype(np.float32)
        return MeanImportance().fit(Importance(weights.words, sparse.csr_array(present), weights.tagged))

    def mean_importance(self) -> Guesser:
        """The prior: the mean importance of each word in the pool."""
        return MeanImportance().fit(self.weigher.weigh(self.documents.pool.texts))

    def mlp(self) -> Guesser:
        """An MLP that learns from the pairs alone."""
        attack = MlpDecoder(epochs=self._epochs, device=self.run.device)
        return attack.fit(*self.pairs, rng=self._rng(), validation=self.validation, progress=self.run.progress)

    def pseudo_labels(self) -> Guesser:
        """A decoder that also learns from its own guesses on external documents."""
        attack = PseudoLabelDecoder(epochs=self._epochs, device=self.run.device)
        return attack.fit(
            *self.pairs,
            external_vectors=self.external[0],
            rng=self._rng(),
            validation=self.validation,
            progress=self.run.progress,
        )

    def domain_adversarial(self) -> Guesser:
        """A decoder that adapts from external documents to the victims."""
        vectors, importance = self.external
        return DomainAdversarialDecoder(device=self.run.device).fit(
            *self.pairs,
            external_vectors=vectors,
            external_importance=importance,
            victims=self.victims,
            rng=self._rng(),
            validation=self.validation,
            progress=self.run.progress,
        )

    def gan(self) -> Guesser:
        """A decoder trained with a generator and the victims."""
        return GanDecoder(epochs=self._epochs, device=self.run.device).fit(
            *self.pairs,
            external_vectors=self.external[0],
            victims=self.victims,
            rng=self._rng(),
            validation=self.validation,
            progress=self.run.progress,
        )

    @cached_property
    def pairs(self) -> tuple[Vectors, Importance]:
        """The vectors and word importances of random queries, the same as those of SADE without query selection."""
        pool = self.documents.pool.texts
        empty = np.empty((len(pool), 0), np.float32)
        texts = [pool[row] for row in select_random(empty, empty, self.budget, self.budget, self._rng())]
        return self.query().encode(texts), self.weigher.weigh(texts)

    @cached_property
    def validation(self) -> tuple[Vectors, Importance] | None:
        """Further pairs on which the best epoch is chosen; None if there are none."""
        texts = self.documents.validation.texts
        return (self.query(len(texts)).encode(texts), self.weigher.weigh(texts)) if texts else None

    @cached_property
    def external(self) -> tuple[Vectors, Importance]:
        """The surrogate's vectors of the external documents, and the importance of their words."""
        texts = self.documents.external.texts
        return self.own.encode(texts, progress=self.run.progress), self.weigher.weigh(texts)

    @property
    def _epochs(self) -> int:
        """The number of epochs that take as many steps as SADE."""
        held = 0 if len(self.documents.validation) else max(1, round(HELD_SHARE * self.budget))
        trained = self.budget - held
        return max(1, self.run.sizes.steps // -(-trained // BATCH))

    def _rng(self) -> np.random.Generator:
        return stream(self.run.seed, f"attack {self.repetition}" if self.repetition else "attack")
