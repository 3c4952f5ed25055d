"""One draw of the open world: documents of a kind, of which some are secret, and two encoders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from vestige.attacks.surrogate import SurrogateAttack
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.encoders.wrapper import Wrapper
from vestige.metrics.keyword_ranking import ndcg_at, precision_at
from vestige.papers.specs import located
from vestige.text.importance.record import Importance, Weigher
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.text.named import load_corpus
from vestige.text.words import count_words
from vestige.types import Encoder, Floats, Guesser, Progress, Vectors, silent

CACHE = Path("vestige-audit/bench")
POOL, TARGETS, EXTERNAL, BUDGET = 1000, 300, 1000, 200
TUNED_ON, SHORTEST, DRAWN_FROM = 2000, 15, 2600


class Shuffled(Wrapper):
    """The control: every answer belongs to another text."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The answers in another order."""
        return np.random.default_rng(1).permutation(self.encoder.encode(texts, progress=progress))


@dataclass(frozen=True)
class Case:
    """What the adversary holds, and the truth to score it by; `seed` is that of every attack on it."""

    pool: list[str]
    external: list[str]
    targets: Vectors
    weigher: Weigher
    truth: Importance
    secret: list[str]
    private: Encoder
    surrogate: Encoder
    seed: int

    def rng(self) -> np.random.Generator:
        """The same for every attack."""
        return np.random.default_rng(self.seed)

    def shuffled(self) -> "Case":
        """The same where every answer belongs to another text."""
        return replace(self, private=Shuffled(self.private))

    def fitted(self, attack: SurrogateAttack) -> Guesser:
        """The attack with its own queries."""
        return attack.fit(
            self.targets,
            self.pool,
            encoder=Metered(self.private, attack.budget),
            surrogate=self.surrogate,
            weigher=self.weigher,
            external=self.external,
            rng=self.rng(),
        )

    @cached_property
    def pairs(self) -> tuple[Vectors, Importance]:
        """Documents that the rivals ask for, drawn as SADE without query selection draws them."""
        texts = [self.pool[row] for row in self.rng().permutation(len(self.pool))[:BUDGET]]
        return Metered(self.private, BUDGET).encode(texts), self.weigher.weigh(texts)

    @cached_property
    def others(self) -> tuple[Vectors, Importance]:
        """External texts as the surrogate sees them."""
        return self.surrogate.encode(self.external), self.weigher.weigh(self.external)


Attack = Callable[[Case], Guesser]


def case_of(name: str, private: str, surrogate: str, seed: int) -> Case:
    """Each seed draws anew from 2,600 documents."""
    texts = named_texts(name)[:DRAWN_FROM]
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()[: POOL + TARGETS]
    pool, secret = ([texts[row] for row in rows] for rows in (order[:POOL], order[POOL:]))
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    truth = weigher.weigh(secret)
    rows = np.flatnonzero(np.diff(truth.weights.indptr)).tolist()
    truth, secret, victim = truth.take(rows), [secret[row] for row in rows], kept(private)
    external = named_texts("wikitext")[:EXTERNAL]
    return Case(pool, external, victim.encode(secret), weigher, truth, secret, victim, kept(surrogate), seed)


def scored(attack: Guesser, case: Case) -> Floats:
    """Precision@5 and NDCG@5, a row a target."""
    ranked = attack.infer(case.targets).ranked
    return np.stack([precision_at(ranked, case.truth, 5), ndcg_at(ranked, case.truth, 5)], axis=1)


@cache
def named_texts(name: str) -> list[str]:
    """Distinct texts of at least 15 words that nothing was tuned on, in an order of their own."""
    distinct = list(dict.fromkeys(load_corpus(name).texts))
    tuned_on = set() if name == "wikitext" else set(distinct[:TUNED_ON])
    texts = [text for text in distinct if count_words(text) >= SHORTEST and text not in tuned_on]
    return [texts[row] for row in np.random.default_rng(0).permutation(len(texts))]


@cache
def kept(spec: str) -> Encoder:
    """An encoder whose vectors are kept between runs."""
    return CachedEncoder(load_encoder(located(spec)), CACHE)
